import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { nanoUsd, ONE_PPM } from '../../../src/core/money.ts'
import { NO_TOKENS } from '../../../src/core/tokens.ts'
import type { Settlement } from '../../../src/metering/settle/settlement.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Seeded, seedDatabase } from '../../../tools/seed/seed-database.ts'
import { inFolder, readFlags, wholeNumber } from '../../command.ts'
import { bestOfThree, quantile } from '../../numbers.ts'
import { settlementOf, STREAMED } from '../../settlement.ts'
import { writeTable } from '../../table.ts'
import { megabytes, timesUntil, usageRetention } from './aging.ts'

interface Setting {
  readonly directory: string
  readonly store: Store
  readonly seeded: Seeded
  readonly days: number
  readonly keepDays: number
  /** So long settlements are timed before anything is deleted. */
  readonly seconds: number
  /** After so many seconds nothing is settled any more; null: settlements go on to the end. */
  readonly quietAfter: number | null
}

/**
 * `npm run bench -- views --only retention`: a year in small. Fills a database file with records of a year
 * (`--records 200000`, `--days 365`), then deletes what is older than `--keep 30` days while requests are settled one after the
 * other, and prints sizes, times of queries, and how long a settle takes before and meanwhile. `--seconds 20` is how long it is
 * measured before. `--quiet 60`: after so many seconds nothing is settled any more, and portions grow. `--quick` for 60
 * days with 5,000 records.
 */
export async function retention(argv: readonly string[]): Promise<true> {
  const size = argv.includes('--quick') ? { records: 5_000, days: 60 } : { records: 200_000, days: 365 }
  const flags = readFlags(argv, { ...size, keep: 30, seconds: 10, quiet: null, quick: false })
  const { days, keep: keepDays, seconds } = flags
  const quietAfter = flags.quiet === null ? null : wholeNumber('quiet', flags.quiet)
  await inFolder('retention', async (directory) => {
    const plan = { accounts: 20, keys: 200, records: flags.records, days, seed: 1, untilMs: Date.now() }
    const seeded = await seedDatabase({ databaseUrl: null, directory }, plan, (step) => console.log(step))
    const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
    try {
      await measure({ directory, store, seeded, days, keepDays, seconds, quietAfter })
    } finally {
      await store.close()
    }
  })
  return true
}

async function measure(setting: Setting): Promise<void> {
  const { directory, store, keepDays, quietAfter } = setting
  const before = await stateOf(setting)
  const quiet = await settling(setting, pause(setting.seconds * 1_000))
  const began = performance.now()
  const run = usageRetention(
    {
      store: store.retention,
      now: Date.now,
      elapsed: () => performance.now(),
      pause: (ms) => pause(ms),
      onProgress: sayHowFar(),
    },
    { keepDays, directory },
  ).run()
  const isOver = quietAfter === null ? run : Promise.race([run, pause(quietAfter * 1_000)])
  const meanwhile = await settling(setting, isOver)
  const isQuietSince = performance.now()
  const { retired, archives } = await run
  const seconds = (performance.now() - began) / 1_000
  const quietSeconds = (performance.now() - isQuietSince) / 1_000
  if (quietSeconds > 1) console.log(`the last ${quietSeconds.toFixed(1)} s of it without requests`)
  console.log(
    `${retired.usage} records deleted in ${seconds.toFixed(1)} s (${Math.round(retired.usage / seconds)}/s), ${archives.length} archives of ${await archiveSize(directory)}`,
  )
  const after = await stateOf(setting)
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
    ...[0.5, 0.9, 0.99, 1].map((part) => quantile(times, part).toFixed(2)),
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

async function stateOf(setting: Setting) {
  const { size } = await stat(join(setting.directory, 'tollgate.db'))
  return { size: megabytes(size), queries: await queries(setting), proof: await proofMs(setting.store) }
}

/** How long each settle took until `over`, in milliseconds. */
function settling({ store, seeded }: Setting, over: Promise<unknown>): Promise<readonly number[]> {
  const [accountId = ''] = seeded.accountIds
  const [keyId = ''] = seeded.keyIds
  return timesUntil(over, () => store.settlements.settle([smallSettlement(accountId, keyId)], { mayJournal: true }))
}

/** A million tokens at a nano-USD for a million of them, paid by the balance. */
function smallSettlement(accountId: string, keyId: string): Settlement {
  const nowMs = Date.now()
  const cost = nanoUsd(1n)
  const prices = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null, units: null }
  const asked = { id: newId('req', nowMs), createdAt: nowMs, accountId, keyId, keyName: 'bench', model: 'm' }
  return settlementOf(
    { ...asked, groupId: null, groupName: null, ...STREAMED },
    {
      tokens: { ...NO_TOKENS, input: 0, output: 1_000_000 },
      prices: { ...prices, input: cost, output: cost },
      multiplier: ONE_PPM,
      cost,
      totalMs: 0,
      leaseId: null,
    },
  )
}

/** Milliseconds, the best of three. */
async function queries({ store, seeded, days }: Setting): Promise<readonly (readonly [string, number])[]> {
  const [accountId = ''] = seeded.accountIds
  const page = { after: null, limit: 50 }
  const year = { fromMs: Date.now() - days * 86_400_000, toMs: Date.now() }
  const asked: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['newest requests of an account', () => store.usage.list({ accountId }, page)],
    ['newest requests of a key', () => store.usage.list({ accountId, keyId: seeded.keyIds[0] }, page)],
    ['errors of all accounts', () => store.usage.list({ accountId: null, fault: 'any' }, page)],
    [
      'a year of all accounts by day',
      () => store.usage.summary({ accountId: null, ...year, by: 'day', split: 'model', top: 10, offsetMinutes: 0 }),
    ],
  ]
  const times: (readonly [string, number])[] = []
  for (const [name, ask] of asked) times.push([`${name}, ms`, await bestOfThree(ask)])
  return times
}

async function proofMs(store: Store): Promise<number> {
  const began = performance.now()
  const { disagreements } = await store.ledger.prove()
  if (disagreements.length > 0) throw new Error(disagreements.slice(0, 3).join('\n'))
  return Math.round(performance.now() - began)
}

async function archiveSize(directory: string): Promise<string> {
  const archive = join(directory, 'archive')
  const sizes = await Promise.all((await readdir(archive)).map(async (name) => (await stat(join(archive, name))).size))
  return megabytes(sizes.reduce((sum, size) => sum + size, 0))
}
