import {
  UPSTREAM_TRIAL_MS,
  UPSTREAM_TRIAL_OUTPUT_TOKENS,
  UPSTREAM_TRIALS_AT_ONCE,
  UPSTREAM_TRIALS_PER_MINUTE,
} from '../core/limits.ts'
import { withCloudAdvice } from '../causes/cloud-refusal-texts.ts'
import { ZERO_NANO_USD } from '../core/money.ts'
import { SlidingCount } from '../core/sliding-count.ts'
import { totalInput, totalOutput } from '../core/tokens.ts'
import { type Wire, wireFacts } from '../core/wire.ts'
import type { UsageRecord } from '../metering/usage/usage-record.ts'
import { smallRequest } from '../protocols/small-request.ts'
import { askedModelOf } from '../routing/asked-model.ts'
import { speaks, wiresTo } from '../routing/route.ts'
import { baseUrlOf } from '../routing/upstream-settings.ts'
import { capsOn } from '../routing/spend-caps.ts'
import type { TrialAnswer, TrialQuestion, UpstreamTrial } from '../routing/upstream-trial.ts'
import { kindOfUnreachable, whyUnreachable } from '../upstreams/why-unreachable.ts'
import type { GatewayParts } from './parts.ts'
import { RequestFigures } from './request-figures.ts'
import type { AttemptClass } from './request-observer.ts'
import type { MemoryResponse } from './trial/memory-client.ts'
import { ObservedClient } from './trial/observed-client.ts'
import { sendThrough } from './trial/send-through.ts'
import { TRIAL_CREDENTIAL, trialCallers } from './trial/trial-caller.ts'
import { type TrialPlace, placeOf, trialSnapshot } from './trial/trial-snapshot.ts'
import { errorIn, isGood, withoutSecrets } from './upstream-faults.ts'

const LONGEST_SAID = 300

/**
 * Tests of upstreams by real requests: each is the smallest that its wire has, and goes through the gateway as a client's does,
 * from its path to its record, to one target with one credential. No account pays it; its record says what it cost.
 */
export class UpstreamTrials {
  readonly #parts: GatewayParts
  readonly #count = new SlidingCount()
  #running = 0

  constructor(parts: GatewayParts) {
    this.#parts = parts
  }

  /** Resolves within `UPSTREAM_TRIAL_MS` and a moment, whatever the upstream does. */
  async run(question: TrialQuestion): Promise<TrialAnswer> {
    const place = placeOf(question, this.#parts.snapshot())
    if ('why' in place) return { kind: 'refused', ...place }
    const { wire, isStream, text } = question
    const outputTokens = outputOf(wire, place)
    const asked = {
      model: place.model.name,
      takesLike: askedModelOf(place.target, place.model),
      isStream,
      outputTokens,
      ...(text === null ? {} : { text }),
    }
    const small = smallRequest(wire, asked)
    if (small === null) {
      return { kind: 'refused', field: 'protocol', why: `A test over ${wire} would cost too much.` }
    }
    const now = this.#parts.clock.elapsed()
    const waitMs =
      this.#running >= UPSTREAM_TRIALS_AT_ONCE ? 1_000 : this.#count.waitMs(UPSTREAM_TRIALS_PER_MINUTE - 1, now)
    if (waitMs > 0) return { kind: 'too_many', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
    this.#count.add(1, now)
    this.#running += 1
    try {
      return { kind: 'done', ...(await this.#send(place, wire, small)) }
    } finally {
      this.#running -= 1
    }
  }

  async #send(place: TrialPlace, wire: Wire, small: { path: string; body: object }): Promise<UpstreamTrial> {
    const parts = this.#parts
    const { clock, random } = parts
    const { health } = place.credential
    const wasHeld = health.held !== null
    const beganAt = clock.elapsed()
    const client = new ObservedClient(place.credential.client, () => clock.elapsed())
    const snapshot = trialSnapshot(place, { client, clock, random })
    const figures = new TrialFigures(parts.figures)
    const own = {
      ...parts,
      snapshot: () => snapshot,
      callers: trialCallers(parts),
      keyAddresses: { note: () => {} },
      figures,
      observer: null,
      addressOf: () => '127.0.0.1',
      originOf: () => 'http://127.0.0.1',
    }
    // What the provider counts of the credential is counted here as well.
    health.use.begin(beganAt)
    const { requestId, response, record, fault, totalMs } = await sendThrough(own, {
      ...small,
      wire,
      credential: TRIAL_CREDENTIAL,
      userAgent: 'tollgate-upstream-test',
      withinMs: UPSTREAM_TRIAL_MS,
    })
    health.use.end()
    const cost = record?.providerCost ?? ZERO_NANO_USD
    health.use.used(tokensOf(record), cost)
    for (const cap of capsOn(place.target, place.inUse.caps) ?? []) cap.add(cost)
    const isGoodEnd = record?.outcome === 'completed' && figures.last === 'ok'
    if (isGoodEnd) noteGood(place, beganAt, clock.elapsed())
    const dropped = response.header('x-tollgate-dropped-fields')
    return {
      requestId,
      targetModel: place.target.model,
      credentialName: place.credential.credential?.name ?? null,
      isTranslated: !speaks(place.inUse.upstream.protocol, wire),
      droppedFields: dropped === null ? [] : dropped.split(', '),
      url: client.path === null ? null : baseUrlOf(place.inUse.upstream) + client.path,
      isConnected: client.isConnected,
      status: client.status,
      firstEventMs: client.firstDataAt === null ? null : Math.round(client.firstDataAt - beganAt),
      usageSource: record?.usageSource ?? 'none',
      inputTokens: record === null ? null : totalInput(record.tokens),
      outputTokens: record === null ? null : totalOutput(record.tokens),
      providerCost: record?.providerCost ?? null,
      ended: figures.last ?? 'not_sent',
      fault,
      clientStatus: response.status,
      ...meaningOf({ place, client, response, isGoodEnd }),
      isReleased: wasHeld && health.held === null,
      totalMs,
    }
  }
}

/** Wires that take no such small limit are asked with their least, also where they are translated to. */
function outputOf(wire: Wire, { inUse }: TrialPlace): number {
  const [there = wire] = wiresTo(inUse.upstream.protocol, wire)
  const least = Math.max(wireFacts(wire).leastOutputTokens ?? 0, wireFacts(there).leastOutputTokens ?? 0)
  return Math.max(UPSTREAM_TRIAL_OUTPUT_TOKENS, least)
}

/** A good answer shows that the target is well and the credential taken; a bad one is held against neither. */
function noteGood({ inUse, credential, target }: TrialPlace, beganAt: number, now: number): void {
  credential.health.answered(beganAt)
  for (const health of [credential.health.of(target.model), inUse.health.of(target.model)]) {
    health.answered(beganAt, now)
    health.succeeded(beganAt)
  }
}

function tokensOf(record: UsageRecord | null): number {
  return record === null ? 0 : (totalInput(record.tokens) ?? 0) + (totalOutput(record.tokens) ?? 0)
}

/** What the upstream said comes before what its client would get, which names no upstream. */
function meaningOf(of: {
  readonly place: TrialPlace
  readonly client: ObservedClient
  readonly response: MemoryResponse
  readonly isGoodEnd: boolean
}): Pick<UpstreamTrial, 'result' | 'said' | 'detail'> {
  const { place, client, response, isGoodEnd } = of
  if (isGoodEnd) return { result: 'answered', said: null, detail: 'It answered.' }
  const { status, failure } = client
  if (status !== null && !isGood(status)) {
    const message = messageIn(client.error)
    const said = message === null ? null : withoutSecrets(message, place.inUse.secrets)
    const words = said === null ? '' : ` It said: ${said}`
    const detail = withCloudAdvice(`It answered with the status ${status}.${words}`, said)
    return { result: 'status', said, detail }
  }
  if (failure !== null) return { result: kindOfUnreachable(failure), said: null, detail: whyUnreachable(failure) }
  const message = messageIn(response.body)
  if (message !== null) return { result: 'fault', said: null, detail: withoutSecrets(message, place.inUse.secrets) }
  return { result: 'too_slow', said: null, detail: `It did not answer within ${UPSTREAM_TRIAL_MS / 1_000} s.` }
}

function messageIn(body: Buffer): string | null {
  return errorIn(body)?.message?.slice(0, LONGEST_SAID) ?? null
}

/**
 * What a test counts: its attempts and what they cost, as all attempts. A client did not send it, and so it stands in no figure
 * of how their requests end or how long they take.
 */
class TrialFigures extends RequestFigures {
  last: AttemptClass | null = null
  readonly #all: RequestFigures

  constructor(all: RequestFigures) {
    super()
    this.#all = all
  }

  override attempted(upstream: string, credential: string, ended: AttemptClass): void {
    this.last = ended
    this.#all.attempted(upstream, credential, ended)
  }

  override used(usage: Parameters<RequestFigures['used']>[0]): void {
    this.#all.used(usage)
  }
}
