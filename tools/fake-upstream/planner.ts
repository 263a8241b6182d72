/** Makes the plan of an answer from the bytes of its call. */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { embeddingsOf } from '../../src/upstreams/demo/embeddings.ts'
import type { GeminiCall } from '../../src/upstreams/demo/gemini-path.ts'
import { type JsonFields, objectOf, stringOf } from '../../src/upstreams/demo/json.ts'
import { Refusal } from '../../src/upstreams/demo/refusal.ts'
import { agentAnswer } from './agent/agent-answer.ts'
import { composeAnswer } from './answer.ts'
import { type Answer, writeErrorEvent, writeStream, writeWhole, writeWithUnknown } from './answer-writer.ts'
import { type Ask, readAsk, type WireName } from './ask.ts'
import type { BilledWire } from './books.ts'
import { type Failure, failureOf, modelUnknown, overloaded, refused, serverError } from './failures.ts'
import type { Script } from './model-name.ts'
import { readModelName } from './model-name.ts'
import type { Part, Plan } from './plan.ts'
import { planFailure, planStream, planWhole } from './plan.ts'
import { deriveUsage, NO_TOKENS, promptTokens } from './usage.ts'

/** A call that arrived whole. */
export interface Call {
  readonly wire: BilledWire
  /** What the path names; null on the wires whose body names the model. */
  readonly gemini: GeminiCall | null
  readonly body: Buffer
  readonly requestId: string
  /** What has the headers, which are read only where they are needed: the search through them takes time. */
  readonly incoming: IncomingMessage
}

export interface Planned {
  readonly model: string
  readonly plan: Plan
}

/** Headers of a provider that a gateway must not pass on: limits of the gateway's own account, a cookie, names. */
const OPENAI_HEADERS = Object.entries({
  'openai-processing-ms': '12',
  'openai-organization': 'org-fake',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-remaining-requests': '9999',
  'set-cookie': 'fake_upstream=1; path=/',
}).flat()
const ANTHROPIC_HEADERS = Object.entries({
  'anthropic-organization-id': 'org-fake',
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'set-cookie': 'fake_upstream=1; path=/',
}).flat()

const GEMINI_HEADERS = Object.entries({
  'server-timing': 'gfet4t7; dur=12',
  'x-gemini-service-tier': 'standard',
  vary: 'Origin',
}).flat()

const AWS_HEADERS = ['x-amzn-requestid', '7c1e0a52-0f1d-4f0e-9a55-2f6a5d1f0b11']

const MOST_FIXED_PLANS = 128
/** Bodies remembered, one of each wire and length up to the largest: a load run sends the same ones again and again. */
const MOST_REMEMBERED = 64
const LARGEST_REMEMBERED_BYTES = 1_048_576
const MOST_REFUSED = 100_000

const STREAMING_METHODS: ReadonlySet<string> = new Set(['streamGenerateContent', 'converse-stream'])

/** Model name in the books for calls that name none. */
export const NO_MODEL = '(none)'

export class Planner {
  readonly #seenBodies = new Map<string, { readonly body: Buffer; readonly planned: Planned }>()
  readonly #fixedPlans = new Map<string, Planned>()
  readonly #refused = new Set<string>()

  plan(call: Call): Planned {
    const { wire, gemini, body } = call
    const place = `${wire} ${gemini?.method ?? ''} ${gemini?.model ?? ''} ${body.length}`
    // Comparing bytes is faster than parsing them: JSON.parse of 200 KB costs a millisecond.
    const seen = this.#seenBodies.get(place)
    if (seen?.body.equals(body)) return seen.planned
    const read = this.#readCall(call)
    const { model } = read
    if ('failure' in read) return { model, plan: planFailure(read.failure, read.script) }
    if (wire === 'embeddings') return { model, plan: planEmbeddings(call, read) }
    const asked = readAsk(wire, read.request)
    const ask = gemini === null ? asked : { ...asked, stream: STREAMING_METHODS.has(gemini.method) }
    if (!isFixed(model)) return { model, plan: planAsked(call, read, { wire, ask }) }
    const planned = this.#fixedPlan(read, { wire, ask })
    if (this.#seenBodies.size >= MOST_REMEMBERED) this.#seenBodies.clear()
    if (body.length <= LARGEST_REMEMBERED_BYTES) this.#seenBodies.set(place, { body, planned })
    return planned
  }

  /** The number of tokens that the same body would be charged as input, in the field that the wire has for it. */
  countTokens(call: Call): string | Failure {
    const read = this.#readCall(call)
    if ('failure' in read) return read.failure
    const tokens = promptTokens({ ...deriveUsage(call.body, 0), ...read.script.usage })
    return writeWithUnknown({ [call.gemini === null ? 'input_tokens' : 'totalTokens']: tokens })
  }

  /** Forgets which calls `refuses-once` has refused. */
  reset(): void {
    this.#refused.clear()
  }

  /** The plan for every call with this name: its bytes are the same, so they are made once and kept. */
  #fixedPlan({ model, script }: CallRead, { wire, ask: { stream, includeUsage } }: Asking): Planned {
    const key = `${wire} ${stream} ${includeUsage} ${model}`
    const kept = this.#fixedPlans.get(key)
    if (kept !== undefined) return kept
    // What is the same for every call cannot repeat anything of one.
    const ask = { ...readAsk(wire, {}), stream, includeUsage }
    const answer = composeAnswer({ wire, model, script, ask, body: Buffer.from(model), request: {} })
    const planned = { model, plan: planAnswer(script, answer) }
    if (this.#fixedPlans.size >= MOST_FIXED_PLANS) this.#fixedPlans.clear()
    this.#fixedPlans.set(key, planned)
    return planned
  }

  #readCall(call: Call): CallRead | { model: string; failure: Failure; script?: Script } {
    const { wire } = call
    const request = parse(call.body)
    const model = call.gemini?.model ?? stringOf(request?.['model'])
    if (request === null) return { model: NO_MODEL, failure: refused(wire, { message: 'The body is not valid JSON.' }) }
    if (model === '') return { model: NO_MODEL, failure: refused(wire, { message: 'model: field required' }) }
    const script = readModelName(model)
    if ('unknown' in script) return { model, failure: modelUnknown(wire, model) }
    if ('problem' in script) return { model, failure: refused(wire, { message: `model: ${script.problem}` }) }
    const isFirst = script.sentinel === 'refuses-once' && this.#isFirstAttempt(call)
    const isRefused = isFirst || isOneOf(script.refusesPercent, call.requestId)
    const failure = isRefused ? overloaded(wire) : failureOf(script, wire, call.incoming)
    return failure === null ? { model, script, request } : { model, failure, script }
  }

  #isFirstAttempt(call: Call): boolean {
    const key = call.requestId === '' ? hash('sha256', call.body) : call.requestId
    if (this.#refused.has(key)) return false
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear()
    this.#refused.add(key)
    return true
  }
}

interface CallRead {
  readonly model: string
  readonly script: Script
  readonly request: JsonFields
}

interface Asking {
  readonly wire: WireName
  readonly ask: Ask
}

function planAsked({ body, incoming }: Call, { model, script, request }: CallRead, { wire, ask }: Asking): Plan {
  const answering = { wire, model, script, ask, body, request }
  if (script.sentinel !== 'agent') return planAnswer(script, composeAnswer(answering))
  const answer = agentAnswer(answering, incoming)
  return 'wire' in answer ? planAnswer(script, answer) : planFailure(answer, script)
}

/** Embeddings consume input only. */
function planEmbeddings({ wire, body }: Call, { script, request }: CallRead): Plan {
  const { input = promptTokens(deriveUsage(body, 0)) } = script.usage
  try {
    const answer = { ...embeddingsOf(request), usage: { prompt_tokens: input, total_tokens: input } }
    const part = { bytes: Buffer.from(writeWithUnknown(answer)), reports: { ...NO_TOKENS, input } }
    return planWhole(script, part, OPENAI_HEADERS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return planFailure(refused(wire, { message: error.message }))
  }
}

/** Whether a call is one of so many in a hundred: the same for each of its attempts. */
function isOneOf(percent: number, requestId: string): boolean {
  return percent > 0 && Number.parseInt(hash('sha256', requestId).slice(0, 8), 16) % 100 < percent
}

/** One with limits, or that refuses some calls, depends on more of the call than its name. */
function isFixed(model: string): boolean {
  return model === 'fake/fixed' || (model.startsWith('fake/fixed?') && !/keeps_limits=1|refuses=/.test(model))
}

function parse(body: Buffer): JsonFields | null {
  try {
    return objectOf(JSON.parse(body.toString()))
  } catch {
    return null
  }
}

function providerHeaders(wire: WireName): readonly string[] {
  if (wire === 'gemini') return GEMINI_HEADERS
  if (wire === 'converse') return AWS_HEADERS
  return wire === 'messages' ? ANTHROPIC_HEADERS : OPENAI_HEADERS
}

function planAnswer(script: Script, answer: Answer): Plan {
  const { wire, ask, usage } = answer
  const headers = providerHeaders(wire)
  if (ask.stream) return planStream(script, streamParts(script, answer), headers)
  if (script.sentinel === 'error-event') return planFailure(serverError(wire), script)
  return planWhole(script, { bytes: Buffer.from(writeWhole(answer)), reports: usage }, headers)
}

function streamParts(script: Script, answer: Answer): Part[] {
  const events = writeStream(answer)
  if (script.sentinel === 'error-event') {
    const middle = Math.floor(events.length / 2)
    events.splice(middle, Infinity, { text: writeErrorEvent(answer, middle) })
  }
  return events.map(({ text, reports = null }) => ({ bytes: Buffer.from(text), reports }))
}
