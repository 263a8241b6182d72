import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { archivedRecords } from '../src/app/retention/archived-records.ts'
import { archiveDirectory } from '../src/app/retention/retention-run.ts'
import { firstIdAt } from '../src/core/ids.ts'
import { balanceBudget } from '../src/metering/budgets/budget.ts'
import { costOf } from '../src/metering/prices/cost.ts'
import { NO_TOKENS } from '../src/core/tokens.ts'
import { ZERO_NANO_USD } from '../src/core/money.ts'
import type { Settlement } from '../src/metering/settle/settlement.ts'
import { interruptedRecord } from '../src/metering/usage/open-request.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { MODELS } from '../tools/seed/catalog.ts'
import { seedAccounts } from '../tools/seed/holders.ts'
import { idDigits, randomsFrom, skewed } from '../tools/seed/plan.ts'
import { seedDatabase } from '../tools/seed/seed-database.ts'
import { megabytes, timesUntil, usageRetention } from './measure/aging.ts'
import { judgeYear, type Percentiles, YEAR_VIEWS, type YearRow } from './measure/year-bounds.ts'
import { writeNumber, writeTable } from './report/table.ts'

/**
 * `npm run bench -- views --only year`: a year with retention on, lived through day by day. All records of a day (`--records
 * 30000000` in `--days 365`) are settled as requests are, many in a batch, while what is older than `--keep 30` days is
 * archived and deleted. Every `--every 30` days a row says how large everything is, what views of usage take, and how long
 * single settlements wait, alone and while records are deleted at the pace of a busy gateway. At the end the books are
 * proved, archives included, and it ends with 1 where a bound of `measure/year-bounds.ts` is missed. `--database
 * postgresql://…` takes an empty database instead of a file. `--directory` stays at the end; with an earlier one, and its
 * database, the year goes on after the last whole day there.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '30000000' },
    days: { type: 'string', default: '365' },
    keep: { type: 'string', default: '30' },
    every: { type: 'string', default: '30' },
    database: { type: 'string' },
    directory: { type: 'string' },
  },
})

const DAY_MS = 86_400_000
const AT_ONCE = 16_000
/** So long single settlements are timed alone. */
const ALONE_MS = 3_000
/** So long a measured day's retention keeps its pauses. */
const PACED_MS = 15_000

const HEAD = [
  'day',
  'database',
  'archive',
  ...YEAR_VIEWS.map((view) => `${view}, ms`),
  'settle p50, ms',
  'p99',
  'beside retention p50',
  'p99',
]

const days = Number(values.days)
const recordsOfDay = Math.ceil(Number(values.records) / days)
const directory = values.directory ?? (await mkdtemp(join(tmpdir(), 'tollgate-year-')))
const before = await livedBefore()
const begin = before?.begin ?? Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS
const plan = { accounts: 200, keys: 1_000, records: 0, days, untilMs: begin + days * DAY_MS, seed: 1 }
const accounts = seedAccounts(plan, randomsFrom(plan.seed))
// A day that was broken off is settled anew, with other ids.
const random = randomsFrom(before === null ? 7 : Date.now())
const databaseUrl = values.database ?? null
/** Where the year is, and how long retention has waited without waiting. */
const time = { now: begin + (before?.day ?? 0) * DAY_MS, skipped: 0 }

try {
  if (before === null) await seedDatabase({ databaseUrl, directory }, plan)
  const clock = { now: () => time.now, elapsed: () => performance.now() + time.skipped }
  const store = await openStore({ databaseUrl, dataDirectory: directory, clock })
  try {
    const rows = await liveThrough(store)
    console.log(writeTable(HEAD, rows.map(cells)))
    await proveBoth(store)
    const bounds = judgeYear(rows)
    const judged = bounds.map(({ name, found, most, isMet }) => [
      name,
      writeNumber(found),
      writeNumber(most),
      isMet ? '' : 'MISSED',
    ])
    console.log(writeTable(['bound', 'found', 'at most', ''], judged))
    if (!bounds.every(({ isMet }) => isMet)) process.exitCode = 1
  } finally {
    await store.close()
  }
} finally {
  if (values.directory === undefined) await rm(directory, { recursive: true })
}

async function liveThrough(store: Store): Promise<readonly YearRow[]> {
  const rows: YearRow[] = [...(before?.rows ?? [])]
  for (let day = (before?.day ?? 0) + 1; day <= days; day++) {
    const began = performance.now()
    const isMeasured = day % Number(values.every) === 0 || day === days
    // Of the day before, beside the settlements of this one.
    const late = retainFor(store, 0)
    time.now = begin + day * DAY_MS
    await settleDay(store, time.now - DAY_MS)
    const { retired, waiting, unusable } = await late
    // A batch of so many holds its table for seconds: a day may have found no moment to go in.
    const isLeft = waiting.length + unusable.length > 0
    const deleted = retired.usage + (isLeft ? await retained(retainFor(store, 0)) : 0)
    if (isMeasured) rows.push(await measure(store, day))
    const seconds = (performance.now() - began) / 1_000
    if (day % 10 === 0 || isMeasured) {
      console.log(`day ${day}: ${recordsOfDay} settled and ${deleted} deleted in ${seconds.toFixed(1)} s`)
    }
    if (values.directory !== undefined) await writeFile(stateFile(), JSON.stringify({ begin, day, rows }))
  }
  return rows
}

async function measure(store: Store, day: number): Promise<YearRow> {
  const alone = await singles(store, pause(ALONE_MS))
  const retention = retained(retainFor(store, PACED_MS))
  const beside = await singles(store, Promise.race([retention, pause(PACED_MS)]))
  await retention
  const measured = { ...(await sizes(store)), views: await queries(store) }
  const settle = { settle: percentiles(alone), beside: percentiles(beside) }
  const row = { day, requests: day * recordsOfDay, ...measured, ...settle }
  console.log(writeTable(HEAD, [cells(row)]))
  return row
}

/** How many records went. */
async function retained(run: ReturnType<typeof retainFor>): Promise<number> {
  const { retired, unusable, waiting } = await run
  if (unusable.length + waiting.length > 0) throw new Error(`retention left ${[...unusable, ...waiting].join(', ')}`)
  return retired.usage
}

interface Lived {
  readonly begin: number
  /** The last whole one. */
  readonly day: number
  readonly rows: readonly YearRow[]
}

function stateFile(): string {
  return join(directory, 'year.json')
}

async function livedBefore(): Promise<Lived | null> {
  if (!(await readdir(directory)).includes('year.json')) return null
  return JSON.parse(await readFile(stateFile(), 'utf8')) as Lived
}

/** A batch is made while the one before it is settled. */
async function settleDay(store: Store, dayAt: number): Promise<void> {
  const step = DAY_MS / recordsOfDay
  let last: Promise<unknown> | undefined
  for (let index = 0; index < recordsOfDay; index += AT_ONCE) {
    const count = Math.min(AT_ONCE, recordsOfDay - index)
    const batch = Array.from({ length: count }, (_, at) => settlementAt(Math.floor(dayAt + (index + at) * step)))
    await last
    last = store.settlements.settle(batch, { mayJournal: true })
  }
  await last
}

/** A request at that moment: one in twenty-five is refused, the others are paid by the balance. */
function settlementAt(createdAt: number): Settlement {
  const account = accounts[skewed(accounts.length, random)]
  const key = account?.keys[skewed(account.keys.length, random)]
  const model = MODELS[skewed(MODELS.length, random)]
  if (account === undefined || key === undefined || model === undefined) return settlementAt(createdAt)
  const record = interruptedRecord({
    id: firstIdAt('req', createdAt) + idDigits(random),
    createdAt,
    accountId: account.id,
    keyId: key.id,
    keyName: key.name,
    groupId: key.group.id,
    groupName: key.group.name,
    model: model.name,
    wire: 'openai-chat',
    isStream: true,
    client: 'OpenAI/JS 7.55.0',
  })
  if (random() < 0.04) {
    return {
      record: { ...record, outcome: 'refused', fault: 'rate_limited', httpStatus: 429, totalMs: 3 },
      charges: [],
    }
  }
  const tokens = {
    ...NO_TOKENS,
    input: Math.floor(random() * 4_000),
    cacheRead: random() < 0.5 ? Math.floor(random() * 20_000) : 0,
    output: Math.floor(random() * 900),
  }
  const cost = costOf(tokens, model.prices, key.group.multiplier)
  const totalMs = 200 + Math.floor(random() * 9_000)
  const charged = {
    ...record,
    outcome: 'completed' as const,
    httpStatus: 200,
    upstreamName: 'openai-main',
    upstreamModel: model.name,
    tokens,
    usageSource: 'reported' as const,
    prices: model.prices,
    multiplier: key.group.multiplier,
    cost,
    balancePaid: cost,
    attempts: [{ upstreamName: 'openai-main', model: model.name, fault: null, status: 200, totalMs }],
    firstByteMs: Math.floor(totalMs / 3),
    totalMs,
  }
  return {
    record: charged,
    charges: cost > ZERO_NANO_USD ? [{ budgetId: balanceBudget(account.id).id, leaseId: null, cost }] : [],
  }
}

/** Keeps the pauses between its portions for so long, and takes them as waited for afterwards. */
function retainFor(store: Store, pacedMs: number) {
  const isPacedUntil = performance.now() + pacedMs
  const by = {
    store: store.retention,
    now: () => time.now,
    elapsed: () => performance.now() + time.skipped,
    pause: async (ms: number) => {
      if (performance.now() < isPacedUntil) return pause(ms)
      time.skipped += ms
      return undefined
    },
  }
  return usageRetention(by, { keepDays: Number(values.keep), directory, databaseUrl }).run()
}

function singles(store: Store, over: Promise<unknown>): Promise<readonly number[]> {
  return timesUntil(over, (nr) => store.settlements.settle([settlementAt(time.now - 1 - nr)], { mayJournal: true }))
}

function percentiles(took: readonly number[]): Percentiles {
  const at = (part: number) => took[Math.floor((took.length - 1) * part)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function cells({ day, databaseBytes, archiveBytes, views, settle, beside }: YearRow): readonly string[] {
  return [
    String(day),
    megabytes(databaseBytes),
    megabytes(archiveBytes),
    ...YEAR_VIEWS.map((view) => views[view].toFixed(1)),
    ...[settle, beside].flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]),
  ]
}

async function sizes(store: Store): Promise<Pick<YearRow, 'databaseBytes' | 'archiveBytes'>> {
  const archives = await store.retention.archives()
  const archiveBytes = archives.reduce((sum, { bytes }) => sum + bytes, 0)
  return { databaseBytes: await databaseSize(), archiveBytes }
}

async function databaseSize(): Promise<number> {
  if (databaseUrl === null) {
    const names = (await readdir(directory)).filter((name) => name.startsWith('tollgate.db'))
    const each = await Promise.all(names.map((name) => stat(join(directory, name))))
    return each.reduce((sum, { size }) => sum + size, 0)
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}

/** Milliseconds, the best of three. */
async function queries(store: Store): Promise<YearRow['views']> {
  const accountId = accounts[0]?.id ?? ''
  const page = { after: null, limit: 50 }
  const sums = { accountId: null, toMs: time.now, split: 'model', top: 10, offsetMinutes: 0 } as const
  const month = { ...sums, fromMs: time.now - 30 * DAY_MS, by: 'day' } as const
  return {
    'newest of an account': await best(() => store.usage.list({ accountId }, page)),
    'errors of all': await best(() => store.usage.list({ accountId: null, fault: 'any' }, page)),
    '30 days by day': await best(() => store.usage.summary(month)),
    'a year by day': await best(() => store.usage.summary({ ...sums, fromMs: begin, by: 'day' })),
  }
}

async function best(ask: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    await ask()
    rounds.push(performance.now() - began)
  }
  return Math.min(...rounds)
}

/** Throws where the books disagree, with the sums of what was archived or with every record of it. */
async function proveBoth(store: Store): Promise<void> {
  const archives = await store.retention.archives()
  const { records, unusable } = await archivedRecords(
    archiveDirectory({ archiveDir: null, dataDir: directory }),
    archives,
  )
  if (unusable.length > 0) throw new Error(`unusable archives: ${unusable.map(({ name }) => name).join(', ')}`)
  for (const [name, options] of [
    ['check-ledger', {}],
    ['check-ledger --archive', { archive: records }],
  ] as const) {
    const began = performance.now()
    const { disagreements } = await store.ledger.prove(options)
    if (disagreements.length > 0) throw new Error(`${name}:\n${disagreements.slice(0, 5).join('\n')}`)
    console.log(`${name}: ok, ${((performance.now() - began) / 1_000).toFixed(1)} s, ${records.count} records archived`)
  }
}
