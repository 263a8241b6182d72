/** Makes the plan of an answer from the bytes of its call. */
import { hash } from 'node:crypto'
import { agentAnswer } from './agent/agent-answer.ts'
import { composeAnswer } from './answer.ts'
import { type Answer, writeErrorEvent, writeStream, writeWhole } from './answer-writer.ts'
import { readAsk, type WireName } from './ask.ts'
import type { BodyHead } from './body-scan.ts'
import { scanBody } from './body-scan.ts'
import { embeddingsUsage, writeEmbeddings } from './embeddings.ts'
import type { ErrorWire, Failure } from './failures.ts'
import { callInvalid, failureOf, modelUnknown, overloaded, serverError } from './failures.ts'
import type { GeminiCall } from './gemini-path.ts'
import type { JsonObject } from './json.ts'
import { objectOf, stringOf } from './json.ts'
import type { Script } from './model-name.ts'
import { readModelName } from './model-name.ts'
import type { Part, Plan } from './plan.ts'
import { planFailure, planStream, planWhole } from './plan.ts'

export interface Call {
  readonly wire: WireName | 'embeddings'
  /** What the path names; null on the wires whose body names the model. */
  readonly gemini: GeminiCall | null
  readonly body: Buffer
  readonly requestId: string
  /** Read only where it is needed: the search through the headers takes time. */
  readonly credential: () => string
  readonly header: (name: string) => string
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

const MOST_FIXED_PLANS = 512
const MOST_FIXED_BYTES = 134_217_728
/** Bodies remembered per wire, one of each length up to the largest: a load run sends the same ones again and again. */
const MOST_REMEMBERED = 64
const LARGEST_REMEMBERED_BYTES = 1_048_576
const MOST_REFUSED = 100_000

/** Model name in the books for calls that name none. */
const NO_MODEL = '(none)'

export class Planner {
  #seenBodies = new Map<string, { readonly body: Buffer; readonly planned: Planned }>()
  #fixedPlans = new Map<string, Planned>()
  #fixedBytes = 0
  #refused = new Set<string>()

  plan(call: Call): Planned {
    const { wire } = call
    if (wire === 'embeddings') return this.#planEmbeddings(call)
    const fixed = this.#planFixed(wire, call)
    if (fixed !== null) return fixed
    const known = this.#readCall(call)
    if ('failure' in known) return { model: known.model, plan: planFailure(known.failure, known.script) }
    const { model, script, request } = known
    const read = readAsk(wire, request)
    const ask = call.gemini === null ? read : { ...read, stream: call.gemini.method === 'streamGenerateContent' }
    const answering = { wire, model, script, ask, body: call.body, request }
    if (script.sentinel !== 'agent') return { model, plan: planAnswer(script, composeAnswer(answering)) }
    const answer = agentAnswer(answering, call.header)
    return { model, plan: 'wire' in answer ? planAnswer(script, answer) : planFailure(answer, script) }
  }

  /** Forgets which calls `refuses-once` has refused. */
  reset(): void {
    this.#refused.clear()
  }

  /** The plan of a call to `fake/fixed`; null for other models. Comparing bytes is faster than the fastest scan. */
  #planFixed(wire: WireName, call: Call): Planned | null {
    const { body, gemini } = call
    if (gemini !== null) {
      const { model, method } = gemini
      return isFixed(model)
        ? this.#fixedPlan(wire, { model, stream: method !== 'generateContent', includeUsage: true })
        : null
    }
    const place = `${wire} ${body.length}`
    const seen = this.#seenBodies.get(place)
    if (seen?.body.equals(body)) return seen.planned
    const head = scanBody(body)
    if (head === null || !isFixed(head.model)) return null
    const planned = this.#fixedPlan(wire, head)
    if (this.#seenBodies.size >= MOST_REMEMBERED) this.#seenBodies.clear()
    if (body.length <= LARGEST_REMEMBERED_BYTES) this.#seenBodies.set(place, { body, planned })
    return planned
  }

  /** The plan for every call with this name: its bytes are the same, so they are made once and kept. */
  #fixedPlan(wire: WireName, head: BodyHead): Planned {
    const includeUsage = head.includeUsage || wire !== 'chat'
    const key = `${wire} ${head.stream} ${includeUsage} ${head.model}`
    const kept = this.#fixedPlans.get(key)
    if (kept !== undefined) return kept
    const { model, stream } = head
    const script = readModelName(model)
    if (!('sentinel' in script)) return { model, plan: planFailure(refusalOf(script, model, wire)) }
    const ask = { ...readAsk(wire, {}), stream, includeUsage }
    const answer = composeAnswer({ wire, model, script, ask, body: Buffer.from(model), request: {} })
    const planned = { model, plan: planAnswer(script, answer) }
    this.#keepFixed(key, planned)
    return planned
  }

  #keepFixed(key: string, planned: Planned): void {
    this.#fixedBytes += planned.plan.writes.reduce((sum, write) => sum + write.bytes.length, 0)
    if (this.#fixedPlans.size >= MOST_FIXED_PLANS || this.#fixedBytes > MOST_FIXED_BYTES) {
      this.#fixedPlans.clear()
      this.#fixedBytes = 0
    }
    this.#fixedPlans.set(key, planned)
  }

  #planEmbeddings(call: Call): Planned {
    const read = this.#readCall(call)
    if ('failure' in read) return { model: read.model, plan: planFailure(read.failure, read.script) }
    const { model, script, request } = read
    const usage = embeddingsUsage(script, call.body)
    const text = writeEmbeddings(model, request, usage)
    if (text === null) return { model, plan: planFailure(callInvalid(call.wire, 'input has too many entries')) }
    return { model, plan: planWhole(script, { bytes: Buffer.from(text), reports: usage }, OPENAI_HEADERS) }
  }

  #readCall(call: Call): CallRead | { model: string; failure: Failure; script?: Script } {
    const { wire, credential } = call
    const request = parse(call.body)
    const model = call.gemini?.model ?? stringOf(request?.['model'])
    if (request === null) return { model: NO_MODEL, failure: callInvalid(wire, 'The body is not valid JSON.') }
    if (model === '') return { model: NO_MODEL, failure: callInvalid(wire, 'model: field required') }
    const script = readModelName(model)
    if (!('sentinel' in script)) return { model, failure: refusalOf(script, model, wire) }
    const isFirst = script.sentinel === 'refuses-once' && this.#isFirstAttempt(call)
    const isRefused = isFirst || isOneOf(script.refusesPercent, call.requestId)
    const failure = isRefused ? overloaded(wire) : failureOf(script, wire, credential())
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

/** Whether a call is one of so many in a hundred: the same for each of its attempts. */
function isOneOf(percent: number, requestId: string): boolean {
  return percent > 0 && Number.parseInt(hash('sha256', requestId).slice(0, 8), 16) % 100 < percent
}

/** One with limits, or that refuses some calls, depends on more of the call than its name. */
function isFixed(model: string): boolean {
  return model === 'fake/fixed' || (model.startsWith('fake/fixed?') && !/keeps_limits=1|refuses=/.test(model))
}

interface CallRead {
  readonly model: string
  readonly script: Script
  readonly request: JsonObject
}

function refusalOf(read: { unknown: true } | { problem: string }, model: string, wire: ErrorWire): Failure {
  return 'unknown' in read ? modelUnknown(wire, model) : callInvalid(wire, `model: ${read.problem}`)
}

function parse(body: Buffer): JsonObject | null {
  try {
    return objectOf(JSON.parse(body.toString()))
  } catch {
    return null
  }
}

function providerHeaders(wire: WireName): readonly string[] {
  if (wire === 'gemini') return GEMINI_HEADERS
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
  const middle = Math.floor(events.length / 2)
  if (script.sentinel === 'error-event') {
    events.splice(middle, Infinity, { text: writeErrorEvent(answer, { index: middle, bare: script.bareError }) })
  }
  const parts: Part[] = events.map(({ text, reports = null }) => ({ bytes: Buffer.from(text), reports }))
  const broken = parts[middle]
  if (script.sentinel === 'malformed-delta' && broken !== undefined)
    parts[middle] = { ...broken, bytes: tear(broken.bytes) }
  return parts
}

/** The event with most of its JSON missing: framed rightly, but not to be parsed. */
function tear(event: Buffer): Buffer {
  const text = event.toString()
  const from = text.indexOf('data: ') + 6
  return Buffer.from(`${text.slice(0, from + Math.floor((text.length - from) / 3))}\n\n`)
}
