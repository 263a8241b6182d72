import { MINUTE_MS } from '../../src/core/durations.ts'
import type { SeedPlan } from '../seed/plan.ts'

/** How much there is to see. `new`: an account without anything of its own; `empty`: no models and no groups either. */
export type SampleSize = 'usual' | 'many' | 'new' | 'empty'

export const SAMPLE_SIZES: readonly SampleSize[] = ['usual', 'many', 'new', 'empty']

/** When pictures are taken: a Friday morning. */
export const SAMPLE_NOON_MS = Date.parse('2026-11-20T10:30:00Z')

export const SAMPLE_EMAIL = 'ada@example.test'
export const SAMPLE_PASSWORD = 'correct horse battery staple'

/** Seeded history ends here, before what happens through the API: a ledger is in the order of its entries. */
const QUIET_MS = 30 * MINUTE_MS

/** null: nothing is seeded. */
export function seedPlanOf(size: SampleSize, nowMs: number): SeedPlan | null {
  const same = { accounts: 3, seed: 7, untilMs: nowMs - QUIET_MS }
  if (size === 'usual') return { ...same, keys: 40, records: 24_000, days: 30 }
  // Fewer than a thousand for each account, which may not have more.
  if (size === 'many') return { ...same, keys: 2_400, records: 120_000, days: 90 }
  return null
}
