/** The ways in which an upstream of the fault matrix fails, each as it acts on one request. */
import type { ServerResponse } from 'node:http'
import type { UpstreamProtocol } from '../../../src/core/upstream-protocol.ts'

/** One request that has reached the sick upstream, with the answer that a well one would give. */
export interface Asked {
  readonly response: ServerResponse
  readonly isStream: boolean
  /** The whole answer, as JSON. */
  readonly whole: string
  /** The events of the same answer as a stream. */
  readonly events: readonly string[]
  /** An error answer's body in the words of the protocol. */
  errorBody(error: ErrorWords): string
  /** The protocol's own way to say the same in a stream. */
  errorEvent(error: ErrorWords): string
}

export interface ErrorWords {
  readonly status: number
  readonly code: string | null
  readonly message: string
}

export interface Ailment {
  /** Continues "The upstream …". */
  readonly name: string
  /** Only requests of this kind can meet it. */
  readonly only?: 'stream' | 'whole'
  /** Only upstreams of these protocols have it. */
  readonly protocols?: readonly UpstreamProtocol[]
  /** Where the silence begins that lasts until a time-out. */
  readonly silence?: 'from the start' | 'from the middle'
  /** Absent: there is no server. */
  readonly act?: (asked: Asked) => void
}

const MESSAGE = 'The scripted upstream refuses.'
/** The pause between the two halves of an answer, so that the first goes on before the second comes. */
const HALF_WAY_MS = 20
const JSON_TYPE = { 'content-type': 'application/json' }
const STREAM_TYPE = { 'content-type': 'text/event-stream' }

function answers(status: number, how: { headers?: Record<string, string>; code?: string; message?: string } = {}) {
  const { headers = {}, code = null, message = MESSAGE } = how
  return ({ response, errorBody }: Asked) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end(errorBody({ status, code, message }))
  }
}

/** A body of its own under a good status, whatever was asked for. */
function says(body: string, headers: Record<string, string> = JSON_TYPE) {
  return ({ response }: Asked) => void response.writeHead(200, headers).end(body)
}

/** Answers as a well one does. */
function well({ response, isStream, whole, events }: Asked): void {
  if (isStream) response.writeHead(200, STREAM_TYPE).end(events.join(''))
  else response.writeHead(200, JSON_TYPE).end(whole)
}

/** The first of the answer, and then what `next` does. */
function begins(next: (response: ServerResponse) => void) {
  return ({ response, isStream, whole, events }: Asked) => {
    response.writeHead(200, isStream ? STREAM_TYPE : JSON_TYPE)
    const first = isStream ? events.slice(0, Math.ceil(events.length / 2)).join('') : whole.slice(0, -20)
    response.write(first, () => next(response))
  }
}

function raw(text: string) {
  return ({ response }: Asked) => void response.socket?.end(text)
}

/** Headers by which OpenAI names what is left of a limit. */
function limits(remaining: string): Record<string, string> {
  return {
    'x-ratelimit-limit-tokens': '9000',
    'x-ratelimit-remaining-tokens': remaining,
    'x-ratelimit-reset-tokens': '20s',
  }
}

/** Says an error as the first event of a stream. */
function streams(status: number) {
  return ({ response, errorEvent }: Asked) => {
    response.writeHead(200, STREAM_TYPE).end(errorEvent({ status, code: null, message: MESSAGE }))
  }
}

const STATUSES: readonly Ailment[] = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529].map(
  (status) => ({ name: `answers ${status}`, act: answers(status) }),
)

export const WELL: Ailment = { name: 'answers as it should', act: well }

export const AILMENTS: readonly Ailment[] = [
  WELL,
  { name: 'refuses the connection' },
  { name: 'resets the connection', act: ({ response }) => void response.socket?.resetAndDestroy() },
  { name: 'hangs before its head', silence: 'from the start', act: () => {} },
  {
    name: 'hangs behind its head',
    silence: 'from the start',
    act: ({ response, isStream }) => response.writeHead(200, isStream ? STREAM_TYPE : JSON_TYPE).flushHeaders(),
  },
  { name: 'hangs in the middle', silence: 'from the middle', act: begins(() => {}) },
  { name: 'sends a byte at a time', act: drips },
  ...STATUSES,
  { name: 'answers 302', act: answers(302, { headers: { location: 'https://example.test/' } }) },
  { name: 'answers 429 with `retry-after: 20`', act: answers(429, { headers: { 'retry-after': '20' } }) },
  { name: 'answers 503 with `retry-after: 20`', act: answers(503, { headers: { 'retry-after': '20' } }) },
  { name: 'answers 529 with `retry-after: 20`', act: answers(529, { headers: { 'retry-after': '20' } }) },
  {
    name: 'answers 429 with the code `insufficient_quota`',
    protocols: ['openai', 'openai-chat'],
    act: answers(429, { code: 'insufficient_quota' }),
  },
  {
    name: 'answers 400 as Anthropic does without credit',
    protocols: ['anthropic'],
    act: answers(400, { message: 'Your credit balance is too low to access the Anthropic API. Please go to …' }),
  },
  {
    name: 'answers 400 with such words further on in its message',
    protocols: ['anthropic'],
    act: answers(400, { message: 'Not "Your credit balance is too low to access the Anthropic API".' }),
  },
  {
    name: 'answers 429 as Gemini does without credit',
    protocols: ['gemini'],
    act: answers(429, { message: 'Your prepayment credits are depleted. Please go to …' }),
  },
  { name: 'answers 500 with `retry-after: 20`', act: answers(500, { headers: { 'retry-after': '20' } }) },
  { name: 'answers 429, with nothing left of a limit for 20 s', act: answers(429, { headers: limits('0') }) },
  { name: 'answers 429, with something left of its limits', act: answers(429, { headers: limits('4000') }) },
  { name: 'answers 429, with all left of its limits', act: answers(429, { headers: limits('9000') }) },
  {
    name: 'answers 413 since the context is too long',
    act: answers(413, { code: 'context_length_exceeded', message: 'The maximum context length is 10 tokens.' }),
  },
  {
    name: 'answers 500 with a page of HTML',
    act: ({ response }) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<html>Oops</html>'),
  },
  { name: 'answers 200 with a page of HTML', act: says('<html>Hello</html>', { 'content-type': 'text/html' }) },
  { name: 'answers 200 with nothing', act: says('') },
  {
    name: 'answers 200 with JSON that is cut off',
    only: 'whole',
    act: ({ response, whole }) => void response.writeHead(200, JSON_TYPE).end(whole.slice(0, -9)),
  },
  {
    name: 'answers 200 with an error',
    act: (asked) => says(asked.errorBody({ status: 500, code: null, message: MESSAGE }))(asked),
  },
  {
    name: 'answers 200 with the right body as `text/plain`',
    act: ({ response, isStream, whole, events }) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end(isStream ? events.join('') : whole),
  },
  {
    name: 'answers whole where a stream was asked for',
    only: 'stream',
    act: ({ response, whole }) => void response.writeHead(200, JSON_TYPE).end(whole),
  },
  {
    name: 'streams where a whole answer was asked for',
    only: 'whole',
    act: ({ response, events }) => void response.writeHead(200, STREAM_TYPE).end(events.join('')),
  },
  { name: 'streams lines that are not events', only: 'stream', act: says('hello\n\nthis is not one\n\n', STREAM_TYPE) },
  {
    name: 'streams an event that is not JSON',
    only: 'stream',
    act: says('data: {"id": \n\ndata: {nothing}\n\n', STREAM_TYPE),
  },
  { name: 'streams a failure first', only: 'stream', act: streams(500) },
  { name: 'streams an overload first', only: 'stream', act: streams(503) },
  { name: 'streams a rate limit first', only: 'stream', act: streams(429) },
  { name: 'streams a refusal of the request first', only: 'stream', act: streams(400) },
  {
    name: 'streams a failure in the middle',
    only: 'stream',
    act: (asked) =>
      begins((response) => {
        const end = () => response.end(asked.errorEvent({ status: 500, code: null, message: MESSAGE }))
        // The gateway runs in this process: it has read and passed on the first half before an immediate is due.
        setTimeout(() => setImmediate(end), HALF_WAY_MS)
      })(asked),
  },
  { name: 'is cut off in the middle', act: begins((response) => response.socket?.destroy()) },
  { name: 'ends in the middle', act: begins((response) => void response.end()) },
  {
    name: 'sends a head of 20 KB',
    act: ({ response }) => void response.writeHead(200, { ...JSON_TYPE, 'x-long': 'a'.repeat(20_000) }).end('{}'),
  },
  { name: 'does not speak HTTP', act: raw('SSH-2.0-OpenSSH_9.9\r\n') },
]

function drips({ response, isStream, whole, events }: Asked): void {
  response.writeHead(200, isStream ? STREAM_TYPE : JSON_TYPE)
  const bytes = Buffer.from(isStream ? events.join('') : whole)
  let at = 0
  const timer = setInterval(() => {
    // Some hundred pieces in all: each is a write of its own.
    for (let i = 0; i < 8 && at < bytes.length; i++) response.write(bytes.subarray(at, (at += 1)))
    if (at < bytes.length && !response.destroyed) return
    clearInterval(timer)
    response.end()
  }, 2)
}
