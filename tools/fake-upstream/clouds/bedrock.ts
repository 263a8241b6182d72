/** A front of a fake upstream that judges requests as Amazon Bedrock does, and frames the answers as it does. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type BedrockRefusal,
  invalid,
  judgeInvocation,
  refusalOfModel,
  NO_BETA,
  UNKNOWN_OPERATION,
} from './bedrock-judge.ts'
import { converseFrame, judgeConverse } from './bedrock-converse.ts'
import { type BedrockMishap, ChunkFramer, type EventFramer, Framing } from './bedrock-framing.ts'
import { type Fields, jsonOf } from './json-of.ts'
import { verifySigV4 } from './verify-sig-v4.ts'

export interface FakeBedrockOptions {
  /** The fake upstream that answers. */
  readonly upstream: { readonly url: string }
  readonly region?: string
  /** Models at the fake upstream by their ids here; left out: they have the same there. */
  readonly models?: Readonly<Record<string, string>>
  /** An API key of Bedrock's. */
  readonly apiKey?: string
  /** Access keys by their ids. */
  readonly keys?: Readonly<Record<string, { readonly secretAccessKey: string; readonly sessionToken: string | null }>>
  readonly nowMs?: () => number
  /** Models that are asked for by a profile alone. */
  readonly onlyByProfile?: readonly string[]
  /** Models that take no features in beta, whatever others take (anthropics/claude-code #49648). */
  readonly withoutBetas?: readonly string[]
}

export interface ArrivedAtBedrock {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface FakeBedrock {
  readonly url: string
  /** What arrived, oldest first. */
  readonly requests: ArrivedAtBedrock[]
  mishap: BedrockMishap | null
  close(): Promise<void>
}

const INVOCATION =
  /^\/model\/(?<id>[^/]+)\/(?<operation>invoke|invoke-with-response-stream|converse|converse-stream|count-tokens)$/
/** What is passed on as it is, with the path at the fake upstream. */
const PASSED =
  /^(?:\/openai|\/anthropic)(?<path>\/v1\/(?:chat\/completions|responses|messages|messages\/count_tokens))$/

/** The lists of the control plane, which has a host of its own at AWS. */
const LISTS: Readonly<Record<string, object | undefined>> = {
  '/foundation-models': {
    modelSummaries: [{ modelId: 'anthropic.claude-3-haiku-20240307-v1:0', inferenceTypesSupported: ['ON_DEMAND'] }],
  },
  '/inference-profiles': {
    inferenceProfileSummaries: [
      { inferenceProfileId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
    ],
  },
}

/** Starts a server; rejects when it cannot listen. */
export async function startFakeBedrock(options: FakeBedrockOptions): Promise<FakeBedrock> {
  const front = new BedrockFront(options)
  const server = createServer((incoming, response) => void front.handle(incoming, response))
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  front.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return front
}

class BedrockFront implements FakeBedrock {
  readonly requests: ArrivedAtBedrock[] = []
  url = ''
  mishap: BedrockMishap | null = null
  close = (): Promise<void> => Promise.resolve()
  readonly #options: FakeBedrockOptions

  constructor(options: FakeBedrockOptions) {
    this.#options = options
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const { method = '', url: target = '', headers } = incoming
    const arrived = { method, target, headers, body: Buffer.concat(pieces) }
    this.requests.push(arrived)
    response.setHeader('x-amzn-requestid', `0000-${this.requests.length}`)
    const refusal = this.#refusalOf(arrived)
    if (refusal !== null) return refuse(response, refusal)
    const list = method === 'GET' ? LISTS[target.replace(/\?.*$/, '')] : undefined
    if (list !== undefined) return void response.end(JSON.stringify(list))
    const { path } = PASSED.exec(target)?.groups ?? {}
    if (method === 'POST' && path !== undefined) return this.#pass(arrived, path, response)
    const { id, operation } = INVOCATION.exec(target)?.groups ?? {}
    if (method !== 'POST' || id === undefined) return refuse(response, UNKNOWN_OPERATION)
    const model = decodeURIComponent(id)
    if (operation === 'count-tokens') return this.#count(arrived, model, response)
    if (operation?.startsWith('converse') === true) return this.#converse(arrived, { model, operation }, response)
    const body = jsonOf(arrived.body)
    const isBeta = body?.['anthropic_beta'] !== undefined && this.#options.withoutBetas?.includes(model) === true
    const judged = judgeInvocation(headers, body) ?? this.#unserved(model) ?? (isBeta ? NO_BETA : null)
    if (judged !== null) return refuse(response, judged)
    const { anthropic_version: _version, anthropic_beta: _betas, ...asked } = body ?? {}
    const named = this.#options.models?.[model] ?? model
    const isStream = operation === 'invoke-with-response-stream'
    this.#ask(
      arrived,
      { path: '/v1/messages', body: { model: named, ...(isStream && { stream: true }), ...asked }, response },
      (answer) =>
        isStream && hasEvents(answer)
          ? this.#stream(answer, response, (mishap) => new ChunkFramer(mishap))
          : void answerWhole(answer, response),
    )
  }

  #converse(
    arrived: ArrivedAtBedrock,
    { model, operation }: { readonly model: string; readonly operation: string },
    response: ServerResponse,
  ): void {
    const judged = judgeConverse(arrived.headers, jsonOf(arrived.body)) ?? this.#unserved(model)
    if (judged !== null) return refuse(response, judged)
    const path = `/model/${encodeURIComponent(model)}/${operation}`
    const isStream = operation === 'converse-stream'
    this.#ask(arrived, { path, body: arrived.body, response }, (answer) =>
      isStream && hasEvents(answer)
        ? this.#stream(answer, response, () => ({ frame: converseFrame }))
        : void answerWhole(answer, response),
    )
  }

  #refusalOf(arrived: ArrivedAtBedrock): BedrockRefusal | null {
    const { authorization = '' } = arrived.headers
    if (authorization.startsWith('Bearer ')) {
      if (authorization !== `Bearer ${this.#options.apiKey}`) {
        return { status: 403, type: null, message: 'Authentication failed: Please make sure your API Key is valid.' }
      }
    } else {
      const { keys = {}, region = 'us-east-1', nowMs = Date.now } = this.#options
      const service = { region, service: 'bedrock', nowMs: nowMs(), keysOf: (id: string) => keys[id] }
      const refusal = verifySigV4(arrived, service)
      if (refusal !== null) return { status: 403, ...refusal }
    }
    if (this.mishap?.kind !== 'refusal') return null
    const { refusal } = this.mishap
    this.mishap = null
    return refusal
  }

  #unserved(model: string): BedrockRefusal | null {
    if (model === 'anthropic.claude-unknown') return invalid('The provided model identifier is invalid.')
    if (this.#options.onlyByProfile?.includes(model) !== true) return null
    return invalid(
      `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
    )
  }

  /** The mishap of streams, which happens once. */
  #takeMishap(): BedrockMishap | null {
    const { mishap } = this
    this.mishap = null
    return mishap
  }

  #ask(
    arrived: ArrivedAtBedrock,
    {
      path,
      body,
      response,
    }: { readonly path: string; readonly body: Fields | Buffer; readonly response: ServerResponse },
    answered: (answer: IncomingMessage) => void,
  ): void {
    const { 'x-request-id': requestId, 'user-agent': agent } = arrived.headers
    const outgoing = request(this.#options.upstream.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        ...(requestId !== undefined && { 'x-request-id': requestId }),
        ...(agent !== undefined && { 'user-agent': agent }),
      },
    })
    outgoing.on('response', answered)
    // The fake upstream hangs up where its script says so.
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    outgoing.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

  #pass(arrived: ArrivedAtBedrock, path: string, response: ServerResponse): void {
    this.#ask(arrived, { path, body: arrived.body, response }, (answer) => {
      const { 'content-type': type, 'retry-after': after } = answer.headers
      response.writeHead(answer.statusCode ?? 500, {
        'content-type': type,
        ...(after !== undefined && { 'retry-after': after }),
      })
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
  }

  #count(arrived: ArrivedAtBedrock, model: string, response: ServerResponse): void {
    if (/^[a-z]{2,6}\.[a-z0-9]+\./.test(model) || model.startsWith('arn:')) {
      return refuse(response, invalid("The provided model doesn't support counting tokens."))
    }
    const { input } = jsonOf(arrived.body) ?? {}
    const encoded = ((input as Fields | undefined)?.['invokeModel'] as Fields | undefined)?.['body']
    const body = typeof encoded === 'string' ? jsonOf(Buffer.from(encoded, 'base64')) : null
    const judged = judgeInvocation(arrived.headers, body)
    if (judged !== null) return refuse(response, judged)
    const { anthropic_version: _version, anthropic_beta: _betas, max_tokens: _limit, ...asked } = body ?? {}
    this.#ask(arrived, { path: '/v1/messages/count_tokens', body: { model, ...asked }, response }, (answer) => {
      void answerCount(answer, response)
    })
  }

  #stream(
    answer: IncomingMessage,
    response: ServerResponse,
    framerFor: (mishap: BedrockMishap | null) => EventFramer,
  ): void {
    const mishap = this.#takeMishap()
    if (mishap?.kind === 'good-refusal') {
      answer.destroy()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ message: mishap.message }))
      return
    }
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    const framing = new Framing(mishap, framerFor(mishap))
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) if (!response.writableEnded && !response.destroyed) framing.write(event, response)
      if (response.writableNeedDrain) {
        answer.pause()
        response.once('drain', () => answer.resume())
      }
    })
    answer.on('end', () => framing.end(response))
    answer.on('error', () => response.destroy())
    response.on('close', () => answer.destroy())
  }
}

async function whole(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function answerCount(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input_tokens: inputTokens } = jsonOf(await whole(answer)) ?? {}
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ inputTokens }))
}

function hasEvents({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && headers['content-type']?.startsWith('text/event-stream') === true
}

/** Answers in AWS' own words what the model refuses; a page of HTML is of a server on the way. */
async function answerWhole(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode = 500, headers } = answer
  const { 'content-type': type = '', 'retry-after': after } = headers
  if (statusCode === 200 || type.startsWith('text/html')) {
    response.writeHead(statusCode, { 'content-type': type })
    answer.on('error', () => response.destroy())
    return void answer.pipe(response)
  }
  try {
    const body = await whole(answer)
    const { error, message } = (jsonOf(body) ?? {}) as { error?: { message?: string }; message?: string }
    if (after !== undefined) response.setHeader('retry-after', after)
    refuse(response, refusalOfModel(statusCode, error?.message ?? message ?? body.toString()))
  } catch {
    response.destroy()
  }
}

/** Answers as AWS does: the name stands in a header, and the key of the message is written in two ways. */
function refuse(response: ServerResponse, { status, type, message }: BedrockRefusal): void {
  const headers = { 'content-type': 'application/json' }
  if (type === null) return void response.writeHead(status, headers).end(JSON.stringify({ Message: message }))
  if (type === UNKNOWN_OPERATION.type) {
    const output = { __type: `com.amazon.coral.service#${type}` }
    return void response.writeHead(status, headers).end(JSON.stringify({ Output: output, Version: '1.0' }))
  }
  const named = `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`
  response.writeHead(status, { ...headers, 'x-amzn-errortype': named }).end(JSON.stringify({ message }))
}
