/** The cells of the fault matrix: who asks whom, and what came of it on every side. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { UsageRecord } from '../../../src/metering/usage/usage-record.ts'
import type { UpstreamProtocol } from '../../../src/core/upstream-protocol.ts'
import type { ChatWire } from '../../../src/core/wire.ts'
import { AILMENTS, type Ailment } from './ailments.ts'

export interface Cell {
  readonly ailment: Ailment
  readonly client: ChatWire
  readonly isStream: boolean
  readonly isTranslated: boolean
  /** What the upstream speaks. */
  readonly protocol: UpstreamProtocol
  /** The model with this upstream alone, and the one that has a well target behind it. */
  readonly alone: string
  readonly withSpare: string
}

const OWN: Readonly<Record<ChatWire, UpstreamProtocol>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
}
/** Each wire once, so that each is read as an upstream's too. */
const OTHER: Readonly<Record<ChatWire, UpstreamProtocol>> = {
  'openai-chat': 'anthropic',
  'openai-responses': 'gemini',
  'anthropic-messages': 'openai-chat',
  gemini: 'openai',
}
const CLIENTS = Object.keys(OWN) as readonly ChatWire[]

export function cellsOf(ailment: Ailment): readonly Cell[] {
  const index = AILMENTS.indexOf(ailment)
  const cells = CLIENTS.flatMap((client) =>
    [false, true].flatMap((isTranslated) =>
      [false, true]
        .filter((isStream) => ailment.only === undefined || isStream === (ailment.only === 'stream'))
        .map((isStream) => {
          const protocol = (isTranslated ? OTHER : OWN)[client]
          const name = `${index}-${protocol}`
          return {
            ailment,
            client,
            isStream,
            isTranslated,
            protocol,
            alone: `alone-${name}`,
            withSpare: `spare-${name}`,
          }
        }),
    ),
  )
  const { protocols } = ailment
  return protocols === undefined ? cells : cells.filter(({ protocol }) => protocols.includes(protocol))
}

/** The kind of client, beside the ailment. */
export function sideOf({ client, isStream, isTranslated }: Cell): string {
  return `${client} ${isStream} ${isTranslated}`
}

/** What the client of one request got. */
export interface Received {
  readonly requestId: string
  readonly status: number
  readonly fault: string | null
  readonly retryAfter: string | null
  readonly maySendAgain: boolean
  readonly text: string
  /** The answer ended as HTTP says that one ends. */
  readonly isWhole: boolean
}

/** What a cell came to. */
export interface Outcome {
  readonly received: Received
  readonly record: UsageRecord
  /** null: no failure was noted. */
  readonly learned: Learned | null
  /** What came where there was a well target behind. */
  readonly withSpare: Received
}

/** One failure that the routing noted. */
export interface Learned {
  readonly failure: string
  /** Stated by the upstream, in milliseconds. */
  readonly restMs: number | null
  readonly rests: boolean
  /** All of its upstream is left alone. */
  readonly isHeld: boolean
}

const PROMPT = 'Write 60 words.'

function bodyOf(client: ChatWire, model: string, stream: boolean): { path: string; body: object } {
  const messages = [{ role: 'user', content: PROMPT }]
  switch (client) {
    case 'openai-chat':
      return { path: '/v1/chat/completions', body: { model, messages, stream } }
    case 'openai-responses':
      return { path: '/v1/responses', body: { model, input: PROMPT, stream } }
    case 'anthropic-messages':
      return { path: '/v1/messages', body: { model, messages, stream, max_tokens: 500 } }
    case 'gemini': {
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      return {
        path: `/v1beta/models/${model}:${method}`,
        body: { contents: [{ role: 'user', parts: [{ text: PROMPT }] }] },
      }
    }
  }
}

/** Asks as a client of the wire does, and reads to the end, however that comes. */
export async function ask(
  gateway: { readonly origin: string; readonly secret: string },
  { client, isStream }: Pick<Cell, 'client' | 'isStream'>,
  model: string,
): Promise<Received> {
  const { path, body } = bodyOf(client, model, isStream)
  const headers = { authorization: `Bearer ${gateway.secret}`, 'content-type': 'application/json' }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = httpRequest(gateway.origin + path, { method: 'POST', headers }, resolve)
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer)
  } catch {
    // Cut off, as `isWhole` tells.
  }
  const header = (name: string) => (answer.headers[name] as string | undefined) ?? null
  return {
    requestId: header('x-request-id') ?? '',
    status: answer.statusCode ?? 0,
    fault: header('x-tollgate-fault'),
    retryAfter: header('retry-after'),
    maySendAgain: header('x-should-retry') !== 'false',
    text: Buffer.concat(chunks).toString(),
    isWhole: answer.complete,
  }
}
