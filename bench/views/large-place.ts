/** A large seeded place for a bench: a new one that is thrown away, or one that `tools/seed.ts` filled. */
import type { SeedPlan } from '../../tools/seed/plan.ts'
import { type Seeded, seedDatabase, seedOf } from '../../tools/seed/seed-database.ts'
import { inFolder, readFlags } from '../command.ts'

type Size = Pick<SeedPlan, 'accounts' | 'keys' | 'records'>

export interface LargePlace {
  readonly directory: string
  /** null: the embedded database of the directory. */
  readonly databaseUrl: string | null
  readonly plan: SeedPlan
  readonly seeded: Seeded
  /** Of the names of views: those with this in them are asked. */
  readonly part: string
  readonly rounds: number
}

/** Sizes and rounds, unless the flags have others. */
export interface PlaceDefaults {
  readonly whole: Size
  readonly quick: Size
  readonly rounds: number
}

/** Reads the flags, and seeds the place unless it is there, for `measure`. */
export async function onLargePlace<Result>(
  argv: readonly string[],
  by: PlaceDefaults,
  measure: (place: LargePlace) => Promise<Result>,
): Promise<Result> {
  const isQuick = argv.includes('--quick')
  const flags = readFlags(argv, {
    ...(isQuick ? by.quick : by.whole),
    quick: false,
    runs: by.rounds,
    part: '',
    data: null,
    url: null,
    until: null,
  })
  const { accounts, keys, records, part, runs: rounds, url: databaseUrl } = flags
  const untilMs = flags.until === null ? Date.now() : Date.parse(flags.until)
  const plan: SeedPlan = { accounts, keys, records, days: 90, seed: 1, untilMs }
  return inFolder('views', async (temporary) => {
    const place = { directory: flags.data ?? temporary, databaseUrl }
    const isThere = flags.data !== null || databaseUrl !== null
    const seeded = isThere ? seedOf(plan) : await seedDatabase(place, plan, (step) => console.log(step))
    return measure({ ...place, plan, seeded, part, rounds })
  })
}
