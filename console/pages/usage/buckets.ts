import type { UsageSummaryView } from '../../../src/contract/usage.ts'
import { nanoOf, usdOf } from '../../format/decimal.ts'
import type { Measure } from './usage-search.ts'

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const

/** More are never drawn; the API gives fewer. */
const MOST_BUCKETS = 2_000

/** So many series have a colour of their own; the rest is one. */
const MOST_SERIES = 7

type WireTotals = UsageSummaryView['totals']

export interface UsageSeries {
  /** The key's or group's id, or the model's name; empty: records without one; null: all that is left, or everything. */
  readonly id: string | null
  /** null: it is gone, or has none. */
  readonly name: string | null
  /** The last four characters of a key's secret. */
  readonly end: string | null
  readonly isRest: boolean
  /** The place of its colour, the same in every span; null: the grey of the rest. */
  readonly slot: number | null
  readonly totals: UsageFigures
}

/** The totals of the API as integers that add up. */
export interface UsageFigures {
  readonly costNano: bigint
  readonly requests: number
  readonly failed: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
}

export interface UsageBucket {
  /** Beginning and end of the bucket, epoch milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  /** One for each series, in their order. */
  readonly values: readonly UsageFigures[]
}

export interface UsageBuckets {
  readonly series: readonly UsageSeries[]
  readonly buckets: readonly UsageBucket[]
}

const NOTHING: UsageFigures = {
  costNano: 0n,
  requests: 0,
  failed: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
}

/**
 * Every bucket of the span, those without use included, each with a value for every series. `offsetMinutes`: of the days,
 * as the API was asked. Series without a slot, and the smallest, become one.
 */
export function bucketsOf(
  summary: UsageSummaryView,
  offsetMinutes: number,
  slots: ReadonlyMap<string, number>,
): UsageBuckets {
  const stepMs = STEP_MS[summary.by]
  const offsetMs = offsetMinutes * 60_000
  const indexOf = (ms: number): number => Math.floor((ms + offsetMs) / stepMs)
  const first = indexOf(Date.parse(summary.from))
  const last = indexOf(Date.parse(summary.to) - 1)
  const count = Math.min(MOST_BUCKETS, Math.max(1, last - first + 1))
  const places = placesOf(summary.series, slots)
  const rows: UsageFigures[][] = Array.from({ length: count }, () => places.series.map(() => NOTHING))
  for (const bucket of summary.buckets) {
    const row = rows[indexOf(Date.parse(bucket.at)) - first]
    for (const value of row === undefined ? [] : bucket.values) {
      const place = places.of(value.series)
      if (row !== undefined) row[place] = sumOfFigures([row[place] ?? NOTHING, figuresOf(value)])
    }
  }
  return {
    series: places.series,
    buckets: rows.map((values, index) => {
      const fromMs = (first + index) * stepMs - offsetMs
      return { fromMs, toMs: fromMs + stepMs, values }
    }),
  }
}

/** Chooses the series that are shown by themselves, and where each of the API's goes. */
function placesOf(
  given: UsageSummaryView['series'],
  slots: ReadonlyMap<string, number>,
): { readonly series: readonly UsageSeries[]; of(index: number): number } {
  // What is not split has one series, which is everything.
  const slotOf = (id: string | null): number | undefined => (id === null ? undefined : slots.get(id))
  const isShown = ({ id }: { readonly id: string | null }): boolean => given.length === 1 || slotOf(id) !== undefined
  const kept = given.filter(isShown).slice(0, MOST_SERIES)
  const own = kept.map((one) => ({
    id: one.id,
    name: one.name,
    end: one.end,
    isRest: false,
    slot: slotOf(one.id) ?? 0,
    totals: figuresOf(one.totals),
  }))
  const places = given.map((one) => kept.indexOf(one))
  const left = given.filter((one) => !kept.includes(one))
  const of = (index: number): number => (places[index] === -1 ? own.length : (places[index] ?? own.length))
  if (left.length === 0) return { series: own, of }
  const rest = sumOfFigures(left.map(({ totals }) => figuresOf(totals)))
  return { series: [...own, { id: null, name: null, end: null, isRest: true, slot: null, totals: rest }], of }
}

export function figuresOf(totals: WireTotals): UsageFigures {
  return {
    costNano: nanoOf(totals.cost),
    requests: totals.requests,
    failed: totals.failed,
    inputTokens: totals.input_tokens,
    cacheReadTokens: totals.cache_read_tokens,
    outputTokens: totals.output_tokens,
  }
}

export function sumOfFigures(all: readonly UsageFigures[]): UsageFigures {
  return all.reduce(
    (sum, one) => ({
      costNano: sum.costNano + one.costNano,
      requests: sum.requests + one.requests,
      failed: sum.failed + one.failed,
      inputTokens: sum.inputTokens + one.inputTokens,
      cacheReadTokens: sum.cacheReadTokens + one.cacheReadTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
    }),
    NOTHING,
  )
}

/** The figure that is drawn: nano-USD, requests, or all tokens. */
export function measured(figures: UsageFigures, measure: Measure): bigint {
  if (measure === 'cost') return figures.costNano
  return BigInt(measure === 'requests' ? figures.requests : figures.inputTokens + figures.outputTokens)
}

/** The part of the input that came from a cache, from 0 to 1; null without any input. */
export function cachedShare(figures: UsageFigures): number | null {
  return figures.inputTokens === 0 ? null : figures.cacheReadTokens / figures.inputTokens
}

export function costText(figures: UsageFigures): string {
  return usdOf(figures.costNano)
}
