/** Figures of rounds: medians, and ratios within each turn. */
import type { Series, Turn } from './series.ts'
import type { Round } from './stage.ts'
import type { SubjectName } from '../workloads.ts'

/** A figure and how far the turns lie apart. */
export interface Figure {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Throws without values: a bar must never be met by having measured nothing. */
export function summarize(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined || sorted.some(Number.isNaN)) throw new Error('nothing was measured')
  return { median: (lower + upper) / 2, low: sorted[0] ?? upper, high: sorted.at(-1) ?? upper }
}

/** One figure of one subject over all turns. */
export function figureOf(series: Series, subject: SubjectName, read: (round: Round) => number): Figure {
  return summarize(series.turns.map((turn) => read(roundOf(turn, subject))))
}

/** How many times one subject's figure is another's, turn by turn. */
export function ratioOf(series: Series, [of, to]: readonly [SubjectName, SubjectName], read: Reader): Figure {
  return summarize(series.turns.map((turn) => read(roundOf(turn, of)) / read(roundOf(turn, to))))
}

/** The difference of two subjects' figures, turn by turn. */
export function differenceOf(series: Series, [of, to]: readonly [SubjectName, SubjectName], read: Reader): Figure {
  return summarize(series.turns.map((turn) => read(roundOf(turn, of)) - read(roundOf(turn, to))))
}

export type Reader = (round: Round) => number

export const cpuUsPerRequest: Reader = (round) => (round.cpuMs * 1000) / round.requests
export const cpuUsPerEvent: Reader = (round) => (round.cpuMs * 1000) / round.events
export const p50Ms: Reader = (round) => round.latency.p50Us / 1000
export const p99Ms: Reader = (round) => round.latency.p99Us / 1000
export const chunkDelayP50Ms: Reader = (round) => round.chunkDelay.p50Us / 1000
export const chunkDelayP99Ms: Reader = (round) => round.chunkDelay.p99Us / 1000

function roundOf(turn: Turn, subject: SubjectName): Round {
  const round = turn[subject]
  if (round === undefined) throw new Error(`${subject} was not measured`)
  return round
}
