/** One request of the fake upstream: route, credential, body, plan, delivery. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { decoded, type GeminiCall, readGeminiPath } from '../../src/upstreams/demo/gemini-path.ts'
import type { BilledWire, Outcome } from './books.ts'
import { Books } from './books.ts'
import { deliver } from './delivery.ts'
import type { ErrorWire, Failure } from './failures.ts'
import { bodyTooLarge, modelUnknown, pathUnknown, unauthorized } from './failures.ts'
import { credentialOf, headerOf, isAnthropic, pathOf, readBody } from './incoming-request.ts'
import { writeModel, writeModelList } from './model-lists.ts'
import { type Call, NO_MODEL, type Planned, Planner } from './planner.ts'
import { planFailure } from './plan.ts'
import type { ReceivedRequest } from './request-log.ts'
import { RequestLog } from './request-log.ts'

/** Paths without the `/v1` that they may begin with. */
const BILLED_PATHS: ReadonlyMap<string, BilledWire> = new Map([
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  ['/embeddings', 'embeddings'],
])

const BILLED_METHODS: ReadonlyMap<string, BilledWire> = new Map([
  ['generateContent', 'gemini'],
  ['streamGenerateContent', 'gemini'],
  ['converse', 'converse'],
  ['converse-stream', 'converse'],
])

/** A call of Bedrock's Converse, whose path names the model; null for any other path. */
function readConversePath(path: string): GeminiCall | null {
  const [, model, method = ''] = /^(?:\/v1)?\/model\/([^/]+)\/(converse(?:-stream)?)$/.exec(path) ?? []
  return model === undefined ? null : { model: decoded(model), method }
}

type Recorded = ReceivedRequest & { aborted: boolean }

interface Arrived extends Omit<Call, 'body' | 'requestId'> {
  /** Null: it is too large. */
  readonly body: Buffer | null
  /** Null: requests are not remembered. */
  readonly received: Recorded | null
}

export class RequestHandler {
  readonly books = new Books()
  readonly log: RequestLog
  readonly #planner = new Planner()
  readonly #requiredCredential: string | undefined
  readonly #listedModels: readonly string[]
  #answered = 0

  constructor(options: {
    readonly requiredCredential?: string
    readonly recordedRequests?: number
    readonly listedModels?: readonly string[]
  }) {
    this.#listedModels = options.listedModels ?? []
    this.#requiredCredential = options.requiredCredential
    this.log = new RequestLog(options.recordedRequests ?? 1_000)
  }

  reset(): void {
    this.books.reset()
    this.log.clear()
    this.#planner.reset()
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request)
    const gemini = request.method === 'POST' ? (readGeminiPath(path) ?? readConversePath(path)) : null
    const billed = gemini === null ? BILLED_PATHS.get(path) : BILLED_METHODS.get(gemini.method)
    const wire = request.method === 'POST' ? billed : undefined
    readBody(request, (body) => {
      const received = this.#record(request, body)
      if (wire === undefined) this.#answerFree(request, response, { path, gemini, body })
      else this.#answerBilled(response, { incoming: request, wire, gemini, body, received })
    })
  }

  #record(request: IncomingMessage, body: Buffer | null): Recorded | null {
    if (!this.log.records || request.url?.startsWith('/__')) return null
    const { method = '', url: path = '', headers } = request
    const received = {
      requestId: headerOf(request, 'x-request-id'),
      method,
      path,
      headers,
      body: body ?? Buffer.alloc(0),
      aborted: false,
    }
    this.log.add(received)
    return received
  }

  #answerBilled(response: ServerResponse, arrived: Arrived): void {
    const { incoming, wire, received } = arrived
    const requestId = headerOf(incoming, 'x-request-id')
    const { model, plan } = this.#planBilled({ ...arrived, requestId })
    deliver(response, plan, {
      idHeaders: this.#idHeaders(wire),
      call: this.books.open(model, requestId, wire),
      closed: (outcome: Outcome) => {
        if (outcome === 'aborted' && received !== null) this.log.markAborted(received)
      },
    })
  }

  #planBilled({ body, ...call }: Omit<Call, 'body'> & { readonly body: Buffer | null }): Planned {
    if (body === null) return { model: NO_MODEL, plan: planFailure(bodyTooLarge(call.wire)) }
    const refusal = this.#refusalOf(call.incoming, call.wire)
    return refusal === null ? this.#planner.plan({ ...call, body }) : { model: NO_MODEL, plan: planFailure(refusal) }
  }

  /** The refusal of a credential that is not the required one. */
  #refusalOf(incoming: IncomingMessage, wire: ErrorWire): Failure | null {
    if (this.#requiredCredential === undefined) return null
    const credential = credentialOf(incoming)
    return credential === this.#requiredCredential ? null : unauthorized(wire, credential)
  }

  /** Everything that is in no usage: lists, counting, the server's own routes, and what doesn't exist. */
  #answerFree(
    request: IncomingMessage,
    response: ServerResponse,
    arrived: { path: string; gemini: GeminiCall | null; body: Buffer | null },
  ): void {
    const { path, gemini, body } = arrived
    if (path === '/__stats') return this.#sendStats(request, response)
    const isMessages = isAnthropic(request) || path.startsWith('/messages')
    const wire: ErrorWire = gemini !== null ? 'gemini' : isMessages ? 'messages' : 'models'
    const answer = this.#freeAnswer(request, { path, gemini, wire, body: body ?? Buffer.alloc(0) })
    if (typeof answer !== 'string') return this.#sendFailure(response, wire, answer)
    response.writeHead(200, ['content-type', 'application/json', ...this.#idHeaders(wire)]).end(answer)
  }

  #freeAnswer(
    request: IncomingMessage,
    call: { path: string; gemini: GeminiCall | null; wire: ErrorWire; body: Buffer },
  ): string | Failure {
    const { path, gemini, wire, body } = call
    const { method = '' } = request
    const refusal = this.#refusalOf(request, wire)
    if (refusal !== null) return refusal
    const isOfMessages = method === 'POST' && path === '/messages/count_tokens'
    if (isOfMessages || gemini?.method === 'countTokens') {
      this.books.countTokens++
      const counted = isOfMessages ? 'messages' : 'gemini'
      return this.#planner.countTokens({ wire: counted, gemini, body, requestId: '', incoming: request })
    }
    const isList = method === 'GET' && path === '/models'
    const isModel = method === 'GET' && path.startsWith('/models/')
    if (!isList && !isModel) return pathUnknown(wire, method, request.url ?? '')
    this.books.modelLists++
    const family = isAnthropic(request) ? 'anthropic' : 'openai'
    if (isList) return writeModelList(family, this.#listedModels)
    const id = decoded(path.slice('/models/'.length))
    return writeModel(id, family) ?? modelUnknown(wire, id)
  }

  #sendStats(request: IncomingMessage, response: ServerResponse): void {
    const stats = this.books.stats()
    const short = (request.url ?? '').includes('requests=0')
    const json = JSON.stringify(short ? { ...stats, requests: {} } : stats)
    response.writeHead(200, ['content-type', 'application/json']).end(json)
  }

  #sendFailure(response: ServerResponse, wire: ErrorWire, failure: Failure): void {
    response.writeHead(failure.status, [...failure.headers, ...this.#idHeaders(wire)]).end(failure.body)
  }

  /** The provider's own id of the request, under the name that its clients look for. */
  #idHeaders(wire: ErrorWire): string[] {
    // Gemini gives its id in the answer alone.
    if (wire === 'gemini' || wire === 'converse') return []
    return [wire === 'messages' ? 'request-id' : 'x-request-id', `req_fake_${++this.#answered}`]
  }
}
