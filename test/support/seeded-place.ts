import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { SeedPlan } from '../../tools/seed/plan.ts'
import { type Seeded, seedDatabase } from '../../tools/seed/seed-database.ts'
import { NOON, noonClock } from '../conformance/store-fixtures.ts'
import type { Place } from '../conformance/store-under-test.ts'
import { inSuite } from './run/suite.ts'

/** A small place with everything in it that a large one has: 40 days that end at `NOON`. */
export async function seededPlace(
  place: Place,
  size: Partial<SeedPlan> = {},
): Promise<{ readonly store: Store; readonly seeded: Seeded; close(): Promise<void> }> {
  const where = { databaseUrl: place.databaseUrl, directory: place.directory }
  const plan: SeedPlan = {
    accounts: 4,
    keys: 80,
    records: inSuite({ long: 3_000, short: 1_500 }),
    days: 40,
    seed: 3,
    untilMs: NOON,
    ...size,
  }
  const seeded = await seedDatabase(where, plan)
  const store = await openStore({ databaseUrl: place.databaseUrl, dataDirectory: place.directory, clock: noonClock })
  return { store, seeded, close: () => store.close() }
}
