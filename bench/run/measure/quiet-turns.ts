/** Which turns count: those in which nothing else used the cores. Without enough of them there is no figure at all. */
import type { Series, Turn } from './series.ts'

/** A turn is left out when anything else took more than this part of the cores. */
export const FOREIGN_LIMIT = 0.08
/** Fewer quiet turns than this are not a series. */
const FEWEST_TURNS = 2

/** Keeps the quiet turns; none when there are too few. */
export function chooseTurns(all: readonly Turn[]): Pick<Series, 'turns' | 'disturbed' | 'loudest'> {
  const quiet = all.filter(isQuiet)
  const turns = quiet.length >= FEWEST_TURNS ? quiet : []
  return { turns, disturbed: all.length - quiet.length, loudest: Math.max(0, ...all.map(foreignIn)) }
}

/** Whether the turn may count. */
export function isQuiet(turn: Turn): boolean {
  return foreignIn(turn) <= FOREIGN_LIMIT
}

/** The most that anything else used of the cores in one of its rounds, 0-1. */
export function foreignIn(turn: Turn): number {
  return Math.max(0, ...Object.values(turn).flatMap((round) => round?.foreign ?? []))
}
