/** A large seeded place for a bench: a new one that is thrown away, or one that `tools/seed.ts` filled. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SeedPlan } from '../../tools/seed/plan.ts'
import { type Seeded, seedDatabase, seedOf } from '../../tools/seed/seed-database.ts'

type Size = Pick<SeedPlan, 'accounts' | 'keys' | 'records'>

export interface LargePlace {
  readonly directory: string
  /** null: the embedded database of the directory. */
  readonly databaseUrl: string | null
  readonly plan: SeedPlan
  readonly seeded: Seeded
  /** Of the names of views: those with this in them are asked. */
  readonly only: string
  readonly rounds: number
}

/**
 * Reads the options of the command line, seeds the place unless it is there, and has `measure` say how many views missed
 * their bars: with any, the process ends with 1.
 */
export async function onLargePlace(
  by: { readonly whole: Size; readonly quick: Size; readonly rounds: number },
  measure: (place: LargePlace) => Promise<number>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      runs: { type: 'string', default: String(by.rounds) },
      only: { type: 'string', default: '' },
      data: { type: 'string' },
      url: { type: 'string' },
      until: { type: 'string' },
      accounts: { type: 'string' },
      keys: { type: 'string' },
      records: { type: 'string' },
    },
  })
  const size = values.quick ? by.quick : by.whole
  const plan: SeedPlan = {
    accounts: Number(values.accounts ?? size.accounts),
    keys: Number(values.keys ?? size.keys),
    records: Number(values.records ?? size.records),
    days: 90,
    seed: 1,
    untilMs: values.until === undefined ? Date.now() : Date.parse(values.until),
  }
  const temporary = await mkdtemp(join(tmpdir(), 'tollgate-views-'))
  try {
    const place = { directory: values.data ?? temporary, databaseUrl: values.url ?? null }
    const isThere = values.data !== undefined || values.url !== undefined
    const seeded = isThere ? seedOf(plan) : await seedDatabase(place, plan, (step) => console.log(step))
    const missed = await measure({ ...place, plan, seeded, only: values.only, rounds: Number(values.runs) })
    process.exitCode = missed === 0 ? 0 : 1
  } finally {
    await rm(temporary, { recursive: true })
  }
}
