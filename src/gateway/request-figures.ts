import type { FaultCode } from '../core/faults.ts'
import { METRIC_SERIES_LIMIT } from '../core/limits.ts'
import type { NanoUsd } from '../core/money.ts'
import { type TokenCounts, totalInput } from '../core/tokens.ts'
import type { Figures, Value } from '../telemetry/figures.ts'
import { FIRST_EVENT_STEPS, Histogram, OWN_STEPS, REQUEST_STEPS } from '../telemetry/histogram.ts'
import { LabelTree } from '../telemetry/label-tree.ts'
import type { RequestTrace } from './request/trace.ts'
import type { AttemptClass } from './request-observer.ts'
import type { ShadowRefusal } from '../routing/candidate.ts'
import type { Ending } from './request/record.ts'

/**
 * What came of a second target that was asked, or was to be. `won`: it answered first. `lost`: the first did. `took_over`: the
 * first failed while it was under way. `failed`: it failed, and the first went on. `cancelled`: the request was over before
 * either had answered. `unavailable`: none could be asked.
 */
export const HEDGE_OUTCOMES = ['won', 'lost', 'took_over', 'failed', 'cancelled', 'unavailable'] as const

export type HedgeOutcome = (typeof HEDGE_OUTCOMES)[number]

/** What stands in a label where there is nothing, or nothing that may stand there. */
const NONE = 'none'
/** Places of sums of money: what callers were charged, what providers are paid, and what was written beyond limits. */
const CHARGED = 0
const PAID = 1
const OVERRUN = 2
const OTHER = 'other'

/**
 * What this thread has counted of requests since it began, for `/metrics`. Each label is of a closed set: what is configured,
 * and the gateway's own words. Nothing that a client chose stands in one. Counting allocates nothing but a series' first.
 */
export class RequestFigures {
  readonly #requests = new LabelTree()
  readonly #attempts = new LabelTree()
  readonly #implausible = new LabelTree()
  readonly #routeInput = new LabelTree()
  readonly #routeCached = new LabelTree()
  readonly #hedges = new LabelTree()
  readonly #learned = new LabelTree()
  readonly #tokens = new Float64Array(KINDS.length)
  /** An array, since adding to a field would make an object each time. */
  readonly #nanoUsd = new BigInt64Array(3)
  readonly #requestSeconds = new Histogram(REQUEST_STEPS)
  readonly #firstEventSeconds = new Histogram(FIRST_EVENT_STEPS)
  readonly #overheadSeconds = new Histogram(OWN_STEPS)
  readonly #settleSeconds = new Histogram(OWN_STEPS)
  readonly #shadow = new ShadowFigures()
  #series = 0
  #routes = 0
  #hedgedModels = 0
  #learnedSeries = 0
  #cacheHits = 0
  #cacheMisses = 0

  constructor() {
    // The names are in every scrape, also before any model asks for it.
    for (const outcome of HEDGE_OUTCOMES) this.#hedges.at(OTHER).at(outcome)
    this.#learned.at(OTHER).at(OTHER).at(OTHER)
  }

  /** A request is over, with a record or without one. `endedAt`: a reading of `Clock.elapsed`. */
  ended(trace: CountedRequest, ending: CountedEnding, endedAt: number): void {
    this.#count(trace.wire, trace.chosen ?? UNKNOWN, ending)
    // Refusals are fast, and would hide how long the others take.
    if (ending.outcome === 'refused') return
    const totalMs = endedAt - trace.startedAt
    this.#requestSeconds.observe(totalMs / 1_000)
    if (trace.isStream && trace.firstByteAt !== null) {
      this.#firstEventSeconds.observe((trace.firstByteAt - trace.startedAt) / 1_000)
    }
    if (ending.outcome !== 'completed') return
    this.#overheadSeconds.observe(Math.max(0, totalMs - trace.bodyMs - trace.upstreamMs) / 1_000)
  }

  /** A request was refused by its path, which says no wire. */
  refusedPath(fault: FaultCode): void {
    this.#count(NONE, UNKNOWN, { outcome: 'refused', fault })
  }

  /** What a settled request used, was charged, and cost at its provider. */
  used({ tokens, cost, providerCost }: Pick<Ending, 'tokens' | 'cost' | 'providerCost'>): void {
    for (let at = 0; at < KINDS.length; at++) {
      this.#tokens[at] = (this.#tokens[at] ?? 0) + (KINDS[at]?.count(tokens) ?? 0)
    }
    this.#nanoUsd[CHARGED] = (this.#nanoUsd[CHARGED] ?? 0n) + cost
    if (providerCost !== null) this.#nanoUsd[PAID] = (this.#nanoUsd[PAID] ?? 0n) + providerCost
  }

  /** What a settled request read, and how much of it from its upstream's cache, where that is known. */
  readBy({ model, upstream, affinity }: CountedRoute, tokens: TokenCounts): void {
    const name =
      this.#routeInput.find(model)?.find(upstream) === undefined && this.#routes >= METRIC_SERIES_LIMIT ? OTHER : model
    const kept = affinity === null ? 'no' : 'yes'
    const input = this.#routeInput.at(name).at(upstream)
    if (input.find(kept) === undefined) this.#routes += 1
    const cached = this.#routeCached.at(name).at(upstream).at(kept)
    const of = input.at(kept)
    if (tokens.cacheRead === null) return
    of.count += totalInput(tokens) ?? 0
    cached.count += tokens.cacheRead
  }

  /** A settled request was charged so much for output beyond the limit that it was sent with. */
  overran(cost: NanoUsd): void {
    this.#nanoUsd[OVERRUN] = (this.#nanoUsd[OVERRUN] ?? 0n) + cost
  }

  /** A response cache was asked for an answer. */
  lookedUp(result: 'hit' | 'miss'): void {
    if (result === 'hit') this.#cacheHits += 1
    else this.#cacheMisses += 1
  }

  /** An attempt is over. `credential`: its name. */
  attempted(upstream: string, credential: string, ended: AttemptClass): void {
    this.#attempts.at(upstream).at(credential).at(ended).count += 1
    // A series begins with 0, so that its first step is one.
    this.#implausible.at(upstream)
  }

  /** An attempt goes where rules in shadow would have kept it from. `nowMs`: epoch milliseconds. */
  refusedInShadow(attempt: ShadowedAttempt, refusals: readonly ShadowRefusal[], nowMs: number): void {
    this.#shadow.count(attempt, refusals, nowMs)
  }

  /** An upstream refused a setting by name, and the request was sent there once more without it. `model`: its name there. */
  learnedRefusal(upstream: string, model: string, setting: string): void {
    const known = this.#learned.find(upstream)?.find(model)?.find(setting)
    if (known === undefined && this.#learnedSeries >= METRIC_SERIES_LIMIT) {
      this.#learned.at(upstream).at(OTHER).at(setting).count += 1
      return
    }
    if (known === undefined) this.#learnedSeries += 1
    this.#learned.at(upstream).at(model).at(setting).count += 1
  }

  /** A request of this model begins, for which a second target may be asked: its series begin with 0. */
  mayHedge(model: string): void {
    if (this.#hedges.find(model) !== undefined || this.#hedgedModels >= METRIC_SERIES_LIMIT) return
    this.#hedgedModels += 1
    for (const outcome of HEDGE_OUTCOMES) this.#hedges.at(model).at(outcome)
  }

  /** What came of asking a second target beside the first. */
  hedged(model: string, outcome: HedgeOutcome): void {
    const known = this.#hedges.find(model) ?? this.#hedges.at(OTHER)
    known.at(outcome).count += 1
  }

  /** An upstream reported implausible usage. */
  implausible(upstream: string): void {
    this.#implausible.at(upstream).count += 1
  }

  /** A settlement became durable, so long after it was queued. */
  settled(ms: number): void {
    this.#settleSeconds.observe(ms / 1_000)
  }

  read(): Figures {
    return {
      values: [
        ...valuesOf('requests', this.#requests),
        ...valuesOf('upstreamRequests', this.#attempts),
        ...valuesOf('doubtedReports', this.#implausible),
        ...valuesOf('routeInput', this.#routeInput),
        ...valuesOf('routeCached', this.#routeCached),
        ...this.#shadow.read(),
        ...valuesOf('hedges', this.#hedges),
        ...valuesOf('learnedRefusals', this.#learned),
        ...KINDS.map(({ kind }, at) => ({ of: 'tokens' as const, labels: [kind], value: this.#tokens[at] ?? 0 })),
        { of: 'charged', labels: [], value: forGraphs(this.#nanoUsd[CHARGED] ?? 0n) },
        { of: 'providerCost', labels: [], value: forGraphs(this.#nanoUsd[PAID] ?? 0n) },
        { of: 'cacheLookups', labels: ['hit'], value: this.#cacheHits },
        { of: 'cacheLookups', labels: ['miss'], value: this.#cacheMisses },
        { of: 'overrun', labels: [], value: forGraphs(this.#nanoUsd[OVERRUN] ?? 0n) },
      ],
      distributions: [
        { of: 'requestSeconds', distribution: this.#requestSeconds.read() },
        { of: 'firstEventSeconds', distribution: this.#firstEventSeconds.read() },
        { of: 'overheadSeconds', distribution: this.#overheadSeconds.read() },
        { of: 'settleSeconds', distribution: this.#settleSeconds.read() },
      ],
    }
  }

  #count(wire: string, { model, group }: CountedModel, ending: CountedEnding): void {
    const { outcome } = ending
    const fault = ending.fault ?? NONE
    const known = this.#requests.find(wire)?.find(model.name)?.find(group.name)?.find(outcome)?.find(fault)
    if (known !== undefined) {
      known.count += 1
      return
    }
    // What is configured may be many times many: the rest is counted together.
    if (this.#series >= METRIC_SERIES_LIMIT && model.name !== OTHER) return this.#count(wire, REST, ending)
    this.#series += 1
    this.#requests.at(wire).at(model.name).at(group.name).at(outcome).at(fault).count = 1
  }
}

/** Where a request was sent: names of what is configured. */
export interface CountedRoute {
  readonly model: string
  readonly upstream: string
  /** See `affinityOf`; null: any target was as good. */
  readonly affinity: number | null
}

/** The names of the configured model and group that a request is served by. */
interface CountedModel {
  readonly model: { readonly name: string }
  readonly group: { readonly name: string }
}

const UNKNOWN: CountedModel = { model: { name: OTHER }, group: { name: NONE } }
const REST: CountedModel = { model: { name: OTHER }, group: { name: OTHER } }

/** What a request that was refused before a model was chosen counts as: the group of its key and the model that it named, where these are known. */
export function unserved(
  group: CountedModel['group'] | undefined,
  model: CountedModel['model'] | undefined,
): CountedModel {
  return { model: model ?? UNKNOWN.model, group: group ?? UNKNOWN.group }
}

/** An amount in units of 1e9, as graphs have it: never booked, and exact to a dozen places. */
export function forGraphs(billionths: bigint): number {
  return Number(billionths) / 1e9
}

export interface CountedRequest extends Pick<
  RequestTrace,
  'wire' | 'isStream' | 'startedAt' | 'firstByteAt' | 'bodyMs' | 'upstreamMs'
> {
  readonly chosen: CountedModel | null
}

export type CountedEnding = Pick<Ending, 'outcome' | 'fault'>

/** Disjoint, as in the usage records, but for `reasoning`, which is a part of `output`. */
const KINDS: readonly { readonly kind: string; count(tokens: TokenCounts): number }[] = [
  { kind: 'input', count: ({ input }) => input ?? 0 },
  { kind: 'cache_read', count: ({ cacheRead }) => cacheRead ?? 0 },
  { kind: 'cache_write', count: ({ cacheWrite }) => cacheWrite ?? 0 },
  { kind: 'cache_write_1h', count: ({ cacheWrite1h }) => cacheWrite1h ?? 0 },
  { kind: 'output', count: ({ output }) => output ?? 0 },
  { kind: 'reasoning', count: ({ reasoning }) => reasoning ?? 0 },
  { kind: 'audio_input', count: ({ other }) => other?.audioInput ?? 0 },
  { kind: 'image_input', count: ({ other }) => other?.imageInput ?? 0 },
  { kind: 'audio_output', count: ({ other }) => other?.audioOutput ?? 0 },
]

function valuesOf(
  of: 'requests' | 'upstreamRequests' | 'doubtedReports' | 'routeInput' | 'routeCached' | 'hedges' | 'learnedRefusals',
  tree: LabelTree,
): Value[] {
  return [...tree.leaves()].map(({ labels, value }) => ({ of, labels, value }))
}

/** Where an attempt went, by the names of what is configured. */
interface ShadowedAttempt {
  readonly upstream: string
  readonly credential: string
  /** The model's public name, and its name at the upstream. */
  readonly model: string
  readonly upstreamModel: string
}

interface ShadowSeries {
  readonly labels: readonly string[]
  count: number
  lastAtMs: number
}

/** How often each rule in shadow would have refused, in this thread since it began, and when it would have last. */
class ShadowFigures {
  readonly #series = new Map<string, ShadowSeries>()

  /** `nowMs`: epoch milliseconds. */
  count(attempt: ShadowedAttempt, refusals: readonly ShadowRefusal[], nowMs: number): void {
    for (const refusal of refusals) {
      const labels = labelsOf(attempt, refusal)
      const key = labels.join('\n')
      const series = this.#series.get(key)
      if (series !== undefined) {
        series.count += 1
        series.lastAtMs = nowMs
      } else if (this.#series.size < METRIC_SERIES_LIMIT) this.#series.set(key, { labels, count: 1, lastAtMs: nowMs })
    }
  }

  read(): readonly Value[] {
    return [...this.#series.values()].flatMap(({ labels, count, lastAtMs }) => [
      { of: 'shadowRefusals' as const, labels, value: count },
      { of: 'shadowRefusedAt' as const, labels, value: lastAtMs / 1_000 },
    ])
  }
}

/** The labels in the families' order: those that say nothing of what the rule is set on are empty. */
function labelsOf(
  { upstream, credential, model, upstreamModel }: ShadowedAttempt,
  { rule, of }: ShadowRefusal,
): readonly string[] {
  if (of === 'credential') return [rule, upstream, credential, '', '']
  return of === 'target' ? [rule, upstream, '', model, upstreamModel] : [rule, upstream, '', '', '']
}
