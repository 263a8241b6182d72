import { mkdir, readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { SeedPlan } from './seed/plan.ts'
import { seedDatabase } from './seed/seed-database.ts'

/**
 * `node tools/seed.ts --data DIRECTORY` (or `--url postgres://…`) fills an empty database as a large place has it after three
 * months: 1,000 accounts, 100,000 keys, 5,000,000 usage records, the first account with 20,000 and 2,000,000 of them.
 * `--accounts`, `--keys`, `--records`, `--days` for other sizes; `--seed` and `--until` (RFC 3339) make the same rows again.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    url: { type: 'string' },
    accounts: { type: 'string', default: '1000' },
    keys: { type: 'string', default: '100000' },
    records: { type: 'string', default: '5000000' },
    days: { type: 'string', default: '90' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
  },
})
const plan: SeedPlan = {
  accounts: Number(values.accounts),
  keys: Number(values.keys),
  records: Number(values.records),
  days: Number(values.days),
  seed: Number(values.seed),
  untilMs: values.until === undefined ? Date.now() : Date.parse(values.until),
}
if (values.data === undefined && values.url === undefined)
  throw new Error('name a place: --data DIRECTORY or --url URL')
const directory = values.data ?? '.'
if (values.url === undefined) {
  await mkdir(directory, { recursive: true })
  if ((await readdir(directory)).includes('tollgate.db')) throw new Error(`${directory} holds a database already`)
}
const started = performance.now()
await seedDatabase({ databaseUrl: values.url ?? null, directory }, plan, (step) => {
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  ${step}`)
})
console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  done`)
