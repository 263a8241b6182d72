import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { NO_UNITS } from '../../core/units.ts'

/** What is charged for there and here, to compare the two: kinds that do not overlap. */
export interface FixedUsage {
  readonly name: 'A' | 'B' | 'C'
  /** Neither read from a cache nor written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** A short request, a long conversation most of which is in the cache, and a prompt beyond the usual lengths of one price. */
export const FIXED_USAGES: readonly FixedUsage[] = [
  { name: 'A', input: 1_000, cacheRead: 0, cacheWrite: 0, output: 500 },
  { name: 'B', input: 4_000, cacheRead: 60_000, cacheWrite: 2_000, output: 1_500 },
  { name: 'C', input: 300_000, cacheRead: 0, cacheWrite: 0, output: 8_000 },
]

/** Counts in the form in which they are charged here. */
export function countsOf({ input, cacheRead, cacheWrite, output }: FixedUsage): TokenCounts {
  return { ...NO_TOKENS, input, cacheRead, cacheWrite, output, units: { ...NO_UNITS, requests: 1 } }
}

/** What they are, for the report. */
export const USAGES_SHOWN = FIXED_USAGES.map(({ name, input, cacheRead, cacheWrite, output }) => {
  const cached = cacheRead === 0 ? '' : `, ${count(cacheRead)} from the cache, ${count(cacheWrite)} into it`
  return `${name}: ${count(input)} tokens in${cached}, ${count(output)} out`
}).join('; ')

function count(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
