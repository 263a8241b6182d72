import type { IncomingHttpHeaders } from 'node:http'
import { IgnoredLimits } from '../../src/gateway/ignored-limits.ts'
import { LearnedRefusals } from '../../src/gateway/learned-refusals.ts'
import { MissingEndpoints } from '../../src/gateway/missing-endpoints.ts'
import type { ClientResponse } from '../../src/gateway/client-connection.ts'
import type { KeyWithOwner } from '../../src/access/api-key.ts'
import type { Subscription } from '../../src/access/subscription.ts'
import type { Group } from '../../src/access/group.ts'
import { nanoUsd, ONE_PPM } from '../../src/core/money.ts'
import type { Wire } from '../../src/core/wire.ts'
import type { AdmissionRequest } from '../../src/metering/admission/admission-request.ts'
import { HiddenOutput } from '../../src/metering/usage/hidden-output.ts'
import { DrainLimit } from '../../src/gateway/memory/drain-limit.ts'
import type { CountedUse } from '../../src/metering/limits/counted-use.ts'
import { Reservation } from '../../src/metering/admission/reservation.ts'
import { SettleQueue } from '../../src/metering/settle/settle-queue.ts'
import type { Settlement } from '../../src/metering/settle/settlement.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { Model, Upstream } from '../../src/routing/catalog.ts'
import type { Credential } from '../../src/routing/credential.ts'
import { ProviderOrgMemory } from '../../src/routing/provider-org-memory.ts'
import { credentialByHand } from './candidate-by-hand.ts'
import { UpstreamHealth } from '../../src/routing/upstream-health.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest } from '../../src/upstreams/upstream-client.ts'
import { ClientAnswer } from '../../src/gateway/answer/client-answer.ts'
import { Exchange } from '../../src/gateway/exchange/exchange.ts'
import { TargetAdapters } from '../../src/gateway/choice/target-adapters.ts'
import { RequestFigures } from '../../src/gateway/request-figures.ts'
import type { ImplausibleReport } from '../../src/gateway/implausible-usage.ts'
import type { GatewayParts } from '../../src/gateway/parts.ts'
import { RunningRequests } from '../../src/gateway/running-requests.ts'
import type { OutputHold, OrgBinding } from '../../src/gateway/request/prepared.ts'

/** One attempt, in the test's hand. */
interface AttemptByHand extends UpstreamExchange {
  readonly request: UpstreamRequest
  readonly handler: UpstreamHandler
  isAborted: boolean
  isPaused: boolean
  isSent: boolean
}

/** A client's connection that remembers what was written to it. */
class ResponseByHand {
  written = ''
  status = 0
  headersSent = false
  destroyed = false
  writableEnded = false
  chunkedEncoding = false
  isSlow = false
  readonly req = { httpVersionMinor: 0 }
  readonly socket = null
  #onDrain: () => void = () => {}

  on(event: string, listener: () => void): void {
    if (event === 'drain') this.#onDrain = listener
  }

  writeHead(status: number): void {
    this.status = status
    this.headersSent = true
  }

  flushHeaders(): void {}

  write(bytes: Buffer | string, then?: unknown): boolean {
    this.written += bytes.toString()
    if (typeof then === 'function') then()
    return !this.isSlow
  }

  end(bytes?: Buffer | string): void {
    this.written += bytes?.toString() ?? ''
    this.writableEnded = true
  }

  destroy(): void {
    this.destroyed = true
  }

  drain(): void {
    this.isSlow = false
    this.#onDrain()
  }
}

const FREE: AdmissionRequest = {
  key: { id: 'key_1', rateLimit: null },
  tokens: { input: 0, output: 0 },
  amount: nanoUsd(0n),
  caps: [],
  sources: [],
}

const prices = {
  input: nanoUsd(1_000_000n),
  output: nanoUsd(2_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}
const NO_MONEY_LIMITS = { rateLimit: null, quotaLimit: null }
const callerWith = (fallbackGroupIds: readonly string[]) =>
  ({
    key: { id: 'key_1', name: 'k', groupId: 'grp_1', fallbackGroupIds, ...NO_MONEY_LIMITS },
    account: { id: 'acc_1' },
    subscriptions: [] as readonly Subscription[],
  }) as KeyWithOwner
const OPEN = { models: ['*'] as readonly string[], isEnabled: true, isOpen: true }
const group = { id: 'grp_1', name: 'default', multiplier: ONE_PPM, ...OPEN } as Group
const next = { id: 'grp_2', name: 'next', multiplier: ONE_PPM, ...OPEN } as Group

/** One exchange with its client, its upstreams and its books in the test's hand. */
export function begin(
  options: {
    wire?: Wire
    stream?: boolean
    targets?: readonly string[]
    timeoutMs?: number
    firstByteTimeoutMs?: number
    /** How soon the targets have answered before. */
    answeredInMs?: number
    /** How long the targets rest, as they said. */
    restMs?: number
    /** Tokens that the model thought in its last answer. */
    thought?: number
    chargesUnanswered?: boolean
    use?: CountedUse
    fields?: object
    hold?: OutputHold
    /** How long its request had waited before it began. */
    waitedMs?: number
    streamBeginsWithinMs?: number
    /** The client's. */
    headers?: IncomingHttpHeaders
    /** A second target is asked beside one that let wait for so long. */
    hedgeAfterMs?: number
    binding?: OrgBinding
    /** The realms of the credentials of upstreams, as many as they have; else one credential of a realm of its own. */
    realms?: Readonly<Record<string, readonly string[]>>
    /** Upstreams of another wire, which has no place for some of what is asked. */
    unfit?: readonly string[]
    /** Upstreams of the protocol `openai`, whatever the client speaks. */
    openai?: readonly string[]
    /** The members of `targets` that belong to the next group of the key alone, and how money for that is found. */
    fallback?: { readonly targets: readonly string[]; readonly admit: () => Promise<Reservation> }
    /** Upstreams that were seen to keep to limits of output. */
    keepsLimits?: readonly string[]
  } = {},
) {
  const { wire = 'anthropic-messages', stream = true, targets = ['ups_1', 'ups_2'] } = options
  const time = { elapsed: 0 }
  const clock = { now: () => 1_790_000_000_000 + time.elapsed, elapsed: () => time.elapsed }
  const attempts: AttemptByHand[] = []
  const client = {
    send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
      const attempt: AttemptByHand = {
        request,
        handler,
        isAborted: false,
        isPaused: false,
        isSent: true,
        pause: () => (attempt.isPaused = true),
        resume: () => (attempt.isPaused = false),
        abort: () => (attempt.isAborted = true),
      }
      attempts.push(attempt)
      return attempt
    },
    close: async () => {},
  }
  const settled: Settlement[] = []
  const trouble = { isDown: false }
  const store = {
    settle: async (batch: readonly Settlement[]) => {
      if (trouble.isDown) throw new Error('disk full')
      settled.push(...batch)
      return { overruns: 0 }
    },
  }
  const running = new RunningRequests()
  const implausible: ImplausibleReport[] = []
  let ids = 1
  const hiddenOutput = new HiddenOutput()
  if (options.thought !== undefined) hiddenOutput.note('m', options.thought)
  const ignoredLimits = new IgnoredLimits()
  const kept = options.keepsLimits ?? []
  ignoredLimits.adopt(kept.map((upstreamId) => ({ upstreamId, model: 'm', verdict: 'keeps' })))
  const learnedRefusals = new LearnedRefusals({ clock })
  const missingEndpoints = new MissingEndpoints(clock)
  const parts = {
    clock,
    random: () => 0.5,
    newRequestId: () => `req_${++ids}`,
    settleQueue: new SettleQueue({ store, clock, onError: () => {} }),
    running,
    tokenCounter: {
      countText: async (text: string) => ({ tokens: text.length, isExact: true }),
      countRequest: async () => ({ tokens: 7, isExact: true }),
      countForFree: async () => 7,
    },
    hiddenOutput,
    drainLimit: new DrainLimit(),
    providerOrgs: new ProviderOrgMemory(),
    idleTimeoutMs: 300_000,
    streamBeginsWithinMs: options.streamBeginsWithinMs ?? 45_000,
    heldInputTokens: 200_000,
    chargesUnanswered: options.chargesUnanswered ?? true,
    figures: new RequestFigures(),
    implausibleUsage: { note: (report: ImplausibleReport) => implausible.push(report) },
    ignoredLimits,
    learnedRefusals,
    missingEndpoints,
    admission: { extend: () => null, isExclusive: () => false, admit: options.fallback?.admit },
    log: { failure: () => {} },
  } as unknown as GatewayParts
  const body = Buffer.from(JSON.stringify({ model: 'm', stream, max_tokens: 10, messages: [], ...options.fields }))
  const protocol = protocolOf(wire)
  const { hedgeAfterMs } = options
  const serving = hedgeAfterMs === undefined ? {} : { serving: { hedgeAfterMs } }
  const limits = { maxOutputTokens: null, contextTokens: null }
  const model = { id: 'mod_1', name: 'm', targets: [] as unknown, ...limits, ...serving } as Model
  const answered = () => {
    const health = credentialByHand(() => 0.5)
    if (options.answeredInMs !== undefined) health.of('m').answered(-options.answeredInMs, 0)
    const { restMs } = options
    if (restMs !== undefined) health.of('m').failed(0, 0, { failure: 'rate_limited', restMs, callerId: 'acc_1' })
    return health
  }
  const upstreamsById = new Map(
    targets.map((id) => [
      id,
      {
        upstream: {
          id,
          name: id,
          protocol:
            options.unfit?.includes(id) === true
              ? 'gemini'
              : wire === 'anthropic-messages' && options.openai?.includes(id) !== true
                ? 'anthropic'
                : 'openai',
          baseUrl: 'http://up.test',
          timeoutMs: options.timeoutMs ?? null,
          firstByteTimeoutMs: options.firstByteTimeoutMs ?? null,
        } as Upstream,
        client,
        pool: (options.realms?.[id] ?? [null]).map((realm, place) => ({
          credential: realm === null ? null : ({ name: `c${place}`, realm, weight: 1 } as Credential),
          client,
          health: answered(),
          isDisabled: false,
        })),
        health: new UpstreamHealth(() => 0.5),
        secrets: ['up.test'],
      },
    ]),
  )
  const response = new ResponseByHand()
  const reservation = new Reservation(FREE, {
    amount: FREE.amount,
    caps: [],
    paying: [],
    use: options.use ?? null,
    onClosed: () => {},
  })
  const head = protocol.readRequest(body)
  const hold = options.hold ?? { tokens: 10, input: head.estimatedInputTokens, limit: null, trustsLimit: false }
  const isBehind = (id: string) => options.fallback?.targets.includes(id) === true
  const all = targets.map((upstreamId, priority) => ({
    upstreamId,
    model: 'm',
    priority,
    weight: 1,
    ...(isBehind(upstreamId) ? { groupIds: [next.id] } : {}),
  }))
  const chosen = { model, group, prices, targets: all.filter(({ upstreamId }) => !isBehind(upstreamId)) }
  if (options.fallback !== undefined) Object.assign(model, { targets: all, prices })
  const caller = callerWith(options.fallback === undefined ? [] : [next.id])
  const snapshot = {
    groupsById: new Map([group, next].map((each) => [each.id, each])),
    modelsByName: new Map(),
    upstreamsById,
  }
  const about = {
    requestId: 'req_1',
    nowMs: clock.now(),
    rawHeaders: [],
    forwardsAlso: new Set<string>(),
    upstreamPath: '/messages',
    isFree: false,
    learnedRefusals,
    missingEndpoints,
  }
  const adapters = new TargetAdapters({ protocol, body, head, chosen, snapshot, ...about })
  const exchange = new Exchange({
    parts,
    prepared: {
      caller,
      protocol,
      body,
      head,
      chosen,
      snapshot,
      adapters,
      isSameWireOnly: false,
      affinity: null,
      binding: options.binding ?? null,
      reservation,
      hold,
    },
    trace: {
      id: 'req_1',
      createdAt: clock.now(),
      startedAt: -(options.waitedMs ?? 0),
      wire,
      client: null,
      caller,
      model: 'm',
      isStream: stream,
      chosen: null,
      attempts: [],
      credentialName: null,
      routing: null,
      target: null,
      firstByteAt: null,
      bodyMs: 0,
      upstreamMs: 0,
      observed: null,
      limits: null,
      capture: null,
    },
    answer: new ClientAnswer(response as unknown as ClientResponse, {
      requestId: 'req_1',
      family: 'anthropic',
      hint: null,
      clock,
      maintenance: () => [],
    }),
    headers: options.headers ?? {},
    answerLocally: null,
  })
  exchange.start()
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      time.elapsed += Math.min(100, left)
      running.tick(time.elapsed)
    }
  }
  const attempt = (index: number): AttemptByHand => {
    const found = attempts[index]
    if (found === undefined) throw new Error(`there is no attempt ${index}`)
    return found
  }
  return {
    exchange,
    attempts,
    attempt,
    response,
    settled,
    reservation,
    running,
    pass,
    trouble,
    hiddenOutput,
    parts,
    implausible,
    /** What is known of an upstream's target. */
    upstreamOf: (id: string) => upstreamsById.get(id)?.health,
    credentialOf: (id: string) => upstreamsById.get(id)?.pool[0]?.health,
    healthOf: (id: string) => upstreamsById.get(id)?.pool[0]?.health.of('m'),
  }
}

export const STREAM = { 'content-type': 'text/event-stream' }
export const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}}\n\n'
export const TEXT =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"four"}}\n\n'
export const STOP =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n'

/** Lets what was put off to the end of this turn, and the settle behind it, happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}
