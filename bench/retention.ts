import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/core/clock.ts'
import { newId } from '../src/core/ids.ts'
import { nanoUsd, ONE_PPM } from '../src/core/money.ts'
import { balanceBudget } from '../src/metering/budgets/budget.ts'
import type { Settlement } from '../src/metering/settle/settlement.ts'
import { interruptedRecord } from '../src/metering/usage/open-request.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { type Seeded, seedDatabase } from '../tools/seed/seed-database.ts'
import { megabytes, timesUntil, usageRetention } from './measure/aging.ts'
import { writeTable } from './report/table.ts'

/**
 * `npm run bench -- views --only retention`: a year in small. Fills a database file with records of a year (`--records
 * 200000`, `--days 365`), then deletes what is older than `--keep 30` days while requests are settled one after the other,
 * and prints sizes, times of queries, and how long a settle takes before and meanwhile. `--seconds 20` is how long it is
 * measured before. `--quiet 60`: after so many seconds nothing is settled any more, and portions grow.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '200000' },
    days: { type: 'string', default: '365' },
    keep: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '10' },
    quiet: { type: 'string' },
  },
})

const directory = await mkdtemp(join(tmpdir(), 'tollgate-retention-'))
try {
  const plan = { accounts: 20, keys: 200, records: Number(values.records), days: Number(values.days), seed: 1 }
  const seeded = await seedDatabase({ databaseUrl: null, directory }, { ...plan, untilMs: Date.now() }, (step) =>
    console.log(step),
  )
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  try {
    await measure(store, seeded)
  } finally {
    await store.close()
  }
} finally {
  await rm(directory, { recursive: true })
}

async function measure(store: Store, seeded: Seeded): Promise<void> {
  const before = { size: await fileSize(), queries: await queries(store, seeded), proof: await proofMs(store) }
  const quiet = await settling(store, seeded, pause(Number(values.seconds) * 1_000))
  const began = performance.now()
  const run = usageRetention(
    {
      store: store.retention,
      now: Date.now,
      elapsed: () => performance.now(),
      pause: (ms) => pause(ms),
      onProgress: sayHowFar(),
    },
    { keepDays: Number(values.keep), directory },
  ).run()
  const isOver = values.quiet === undefined ? run : Promise.race([run, pause(Number(values.quiet) * 1_000)])
  const meanwhile = await settling(store, seeded, isOver)
  const isQuietSince = performance.now()
  const { retired, archives } = await run
  const seconds = (performance.now() - began) / 1_000
  const quietSeconds = (performance.now() - isQuietSince) / 1_000
  if (quietSeconds > 1) console.log(`the last ${quietSeconds.toFixed(1)} s of it without requests`)
  console.log(
    `${retired.usage} records deleted in ${seconds.toFixed(1)} s (${Math.round(retired.usage / seconds)}/s), ${archives.length} archives of ${await archiveSize()}`,
  )
  const after = { size: await fileSize(), queries: await queries(store, seeded), proof: await proofMs(store) }
  console.log(
    writeTable(
      ['', 'before', 'after'],
      [
        ['database file', before.size, after.size],
        ['check-ledger, ms', String(before.proof), String(after.proof)],
        ...before.queries.map(([name, ms], index) => [
          name,
          ms.toFixed(1),
          (after.queries[index]?.[1] ?? 0).toFixed(1),
        ]),
      ],
    ),
  )
  const row = (name: string, times: readonly number[]) => [
    name,
    ...[0.5, 0.9, 0.99, 1].map((part) => at(times, part).toFixed(2)),
    String(times.length),
  ]
  console.log(
    writeTable(
      ['a settle, ms', 'p50', 'p90', 'p99', 'longest', 'count'],
      [row('nothing is deleted', quiet), row('meanwhile', meanwhile)],
    ),
  )
}

/** A line every ten seconds. */
function sayHowFar(): (step: string, done: number) => void {
  let saidAt = performance.now()
  return (step, done) => {
    if (performance.now() - saidAt < 10_000) return
    saidAt = performance.now()
    console.log(`${done} ${step}`)
  }
}

/** How long each settle took until `over`, in milliseconds. */
function settling(store: Store, { accountIds, keyIds }: Seeded, over: Promise<unknown>): Promise<readonly number[]> {
  return timesUntil(over, () =>
    store.settlements.settle([settlementOf(accountIds[0] ?? '', keyIds[0] ?? '')], { mayJournal: true }),
  )
}

/** A million tokens at a nano-USD for a million of them, paid by the balance. */
function settlementOf(accountId: string, keyId: string): Settlement {
  const nowMs = Date.now()
  const cost = nanoUsd(1n)
  const none = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null, units: null }
  const of = { id: newId('req', nowMs), createdAt: nowMs, accountId, keyId, keyName: 'bench', client: 'bench' }
  const record = interruptedRecord({
    ...of,
    groupId: null,
    groupName: null,
    model: 'm',
    wire: 'openai-chat',
    isStream: false,
  })
  return {
    record: {
      ...record,
      outcome: 'completed',
      httpStatus: 200,
      tokens: { ...none, input: 0, output: 1_000_000, reasoning: null },
      usageSource: 'reported',
      prices: { ...none, input: cost, output: cost },
      multiplier: ONE_PPM,
      cost,
      balancePaid: cost,
    },
    charges: [{ budgetId: balanceBudget(accountId).id, leaseId: null, cost }],
  }
}

/** Milliseconds, the best of three. */
async function queries(store: Store, { accountIds, keyIds }: Seeded): Promise<readonly (readonly [string, number])[]> {
  const accountId = accountIds[0] ?? ''
  const page = { after: null, limit: 50 }
  const year = { fromMs: Date.now() - Number(values.days) * 86_400_000, toMs: Date.now() }
  const asked: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['newest requests of an account', () => store.usage.list({ accountId }, page)],
    ['newest requests of a key', () => store.usage.list({ accountId, keyId: keyIds[0] }, page)],
    ['errors of all accounts', () => store.usage.list({ accountId: null, fault: 'any' }, page)],
    [
      'a year of all accounts by day',
      () => store.usage.summary({ accountId: null, ...year, by: 'day', split: 'model', top: 10, offsetMinutes: 0 }),
    ],
  ]
  const times: (readonly [string, number])[] = []
  for (const [name, ask] of asked) {
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      const began = performance.now()
      await ask()
      best = Math.min(best, performance.now() - began)
    }
    times.push([`${name}, ms`, best])
  }
  return times
}

async function proofMs(store: Store): Promise<number> {
  const began = performance.now()
  const { disagreements } = await store.ledger.prove()
  if (disagreements.length > 0) throw new Error(disagreements.slice(0, 3).join('\n'))
  return Math.round(performance.now() - began)
}

async function fileSize(): Promise<string> {
  return megabytes((await stat(join(directory, 'tollgate.db'))).size)
}

async function archiveSize(): Promise<string> {
  const archive = join(directory, 'archive')
  const sizes = await Promise.all((await readdir(archive)).map(async (name) => (await stat(join(archive, name))).size))
  return megabytes(sizes.reduce((sum, size) => sum + size, 0))
}

function at(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
}
