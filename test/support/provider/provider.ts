/**
 * A provider that reads requests as the real ones do, and bills what it used. Where the fake upstream (tools/fake-upstream)
 * does what the model's name says, this one decodes the whole request: it knows references to what it stores, searches and
 * reads pages, thinks unseen, serves in tiers and honours limits. Prompts order how much (`asked.ts`), names of models say
 * what they are: `thinking` (5,000 tokens unseen), `unbounded` (honours no limit), `silent` (reports no usage), `eager` (of
 * a project whose own tier is a dear one). Its ledger says what each call cost, whatever its client learned of it.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { readBody } from '../../../tools/fake-upstream/incoming-request.ts'
import { objectOf } from '../../../src/upstreams/demo/json.ts'
import { scriptedUpstream } from '../scripted-upstream.ts'
import type { Asked } from './asked.ts'
import { chatFormat, completionsFormat, embeddingsFormat } from './chat-format.ts'
import { geminiFormat } from './gemini-format.ts'
import { generate, type Generation, outputOf } from './generation.ts'
import { type BilledCall, ProviderLedger } from './ledger.ts'
import { messagesFormat } from './messages-format.ts'
import { textsOf } from './outside.ts'
import type { ProviderWireFormat, Step } from './provider-wire.ts'
import { responsesFormat } from './responses-format.ts'
import { textTokens } from './text-tokens.ts'

export interface Provider {
  /** Origin without a path, as `http://127.0.0.1:4711`. Paths may begin with `/v1` or `/v1beta`. */
  readonly url: string
  readonly ledger: ProviderLedger
  /** Resolves when no call is being answered. */
  whenIdle(): Promise<void>
  /** Destroys all connections and stops. */
  close(): void
}

/** Starts a provider on a free port of the loopback; rejects when it cannot listen. */
export async function startProvider(): Promise<Provider> {
  const ledger = new ProviderLedger()
  const running = new Set<Promise<void>>()
  const { url, close } = await scriptedUpstream((request, response) => {
    readBody(request, (body) => {
      const answering = answer(request, response, { ledger, body: body ?? Buffer.alloc(0) }).finally(() => {
        running.delete(answering)
        // Nothing is left open, also where answering failed, which ends the test run by itself.
        if (!response.writableEnded) response.destroy()
      })
      running.add(answering)
    })
  })
  return {
    url,
    ledger,
    async whenIdle() {
      while (running.size > 0) await Promise.all(running)
    },
    close,
  }
}

const FORMATS: ReadonlyMap<string, ProviderWireFormat> = new Map([
  ['/chat/completions', chatFormat],
  ['/completions', completionsFormat],
  ['/embeddings', embeddingsFormat],
  ['/responses', responsesFormat],
  ['/responses/compact', responsesFormat],
  ['/messages', messagesFormat],
])
const COUNT_PATHS: ReadonlySet<string> = new Set(['/messages/count_tokens', '/responses/input_tokens'])

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { ledger, body }: { readonly ledger: ProviderLedger; readonly body: Buffer },
): Promise<void> {
  const [whole = '', query = ''] = (request.url ?? '').split('?', 2)
  const path = whole.replace(/^\/v1(beta)?(?=\/)/, '')
  const format = /:(streamGenerateContent|generateContent)$/.test(path) ? geminiFormat : FORMATS.get(path)
  const fields = parsed(body)
  if (fields === null) return send(response, 400, { error: { message: 'The body is not JSON.', type: 'invalid' } })
  if (COUNT_PATHS.has(path) || path.endsWith(':countTokens')) {
    const tokens = textsOf(fields).reduce((sum, text) => sum + textTokens(text), 0)
    return send(response, 200, { input_tokens: tokens, object: 'response.input_tokens', totalTokens: tokens })
  }
  if (format === undefined)
    return send(response, 404, { error: { message: 'There is nothing here.', type: 'invalid' } })
  const { headers } = request
  const asked = format.read({ path, query, headers, body: fields })
  if (!isServed(asked)) return send(response, 400, { error: { message: 'A number is out of range.', type: 'invalid' } })
  const generation = generate(asked)
  const call = ledger.open(generation, { path: request.url ?? '', headers, body })
  if (generation.asked.isStream) await answerStream(response, { format, generation, call })
  else await answerWhole(response, { format, generation, call })
}

/** The pause between two events of a stream: 25 words in a millisecond are a hundred times as fast as the fastest models. */
const PACE_MS = 1

/** Whether the numbers have a sense: as providers do, it refuses others. */
function isServed({ choices, outputLimit }: Asked): boolean {
  return Number.isInteger(choices) && choices >= 1 && choices <= MOST_CHOICES && (outputLimit ?? 1) >= 0
}

/** OpenAI takes 128 answers, or 2,048 prompts. */
const MOST_CHOICES = 2_048

interface Answering {
  readonly format: ProviderWireFormat
  readonly generation: Generation
  readonly call: BilledCall
}

/** A whole answer is produced to its end, whether its client still waits for it or not. */
async function answerWhole(response: ServerResponse, { format, generation, call }: Answering): Promise<void> {
  const { asked, orders, hidden, extra } = generation
  call.output = outputOf(generation)
  call.hidden = hidden * asked.choices
  call.audio = extra?.kind === 'audio' ? extra.tokens : 0
  if (orders.waitMs > 0) await pause(orders.waitMs)
  const isReported = mayReport(generation)
  if (response.destroyed) return void (call.end = 'left')
  for (const [name, value] of Object.entries(tierHeader(generation))) response.setHeader(name, value)
  send(response, 200, format.whole(generation, isReported))
  call.isReported = isReported
  call.end = 'whole'
}

/** A stream ends soon after its client has left: what was produced by then is billed. */
async function answerStream(response: ServerResponse, { format, generation, call }: Answering): Promise<void> {
  const { waitMs } = generation.orders
  const isReported = mayReport(generation)
  if (waitMs > 0) await pause(waitMs)
  if (response.destroyed) return void (call.end = 'left')
  response.writeHead(200, { 'content-type': 'text/event-stream', ...tierHeader(generation) })
  for (const step of format.stream(generation, isReported)) {
    if (step.isReport === true && waitMs > 0) await pause(waitMs)
    if (response.destroyed) return void (call.end = 'left')
    bill(call, generation, step)
    if (!response.write(step.text)) await drained(response)
    if (step.isReport === true) call.isReported = isReported && !response.destroyed
    // Tokens come at a pace, so that what a client leaves or ends early was not written long before.
    await pause(PACE_MS)
  }
  call.end = response.destroyed ? 'left' : 'whole'
  response.end()
}

function bill(call: BilledCall, { extra }: Generation, step: Step): void {
  call.output += (step.hidden ?? 0) + (step.visible ?? 0) + (step.extra ?? 0)
  call.hidden += step.hidden ?? 0
  if (extra?.kind === 'audio') call.audio += step.extra ?? 0
}

function mayReport({ asked }: Generation): boolean {
  return asked.mayReport && !asked.model.includes('silent')
}

/** Google names the tier in a header. */
function tierHeader({ asked }: Generation): Record<string, string> {
  return asked.wire === 'gemini' ? { 'x-gemini-service-tier': asked.tier } : {}
}

async function drained(response: ServerResponse): Promise<void> {
  await Promise.race([once(response, 'drain'), once(response, 'close')])
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function parsed(body: Buffer): ReturnType<typeof objectOf> | null {
  try {
    return objectOf(JSON.parse(body.toString()))
  } catch {
    return null
  }
}
