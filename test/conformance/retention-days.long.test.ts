import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archivedRecords } from '../../src/app/retention/archive-file.ts'
import { type RetentionOptions, RetentionRun } from '../../src/app/retention/retention-run.ts'
import { firstIdAt, newId } from '../../src/core/ids.ts'
import type { LedgerProof } from '../../src/metering/funds/ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aSettlement, NOON } from './store-fixtures.ts'
import { newPlace, type Place } from './store-under-test.ts'

/* Days of usage records as parts of PostgreSQL's table: made ahead, dropped as a whole, and never in the way of a record. */

const DAY_MS = 86_400_000
const TODAY = Math.floor(NOON / DAY_MS) * DAY_MS
/** A day behind the last one that the table of before has records of. */
const LATER = TODAY + 11 * DAY_MS

let place: Place
let store: Store
let close: () => Promise<void>
let directory: string
let before: LedgerProof
let accountId: string

beforeAll(async () => {
  place = await newPlace('postgres')
  directory = await mkdtemp(join(tmpdir(), 'tollgate-archive-'))
  const seeded = await seededPlace(place, { records: 600 })
  ;({ store, close } = seeded)
  accountId = seeded.seeded.accountIds[0] ?? ''
  before = await store.ledger.prove()
})
afterAll(async () => {
  await close()
  await place.leave()
})

const run = (keepUsage: number | null, nowMs: number, over: Partial<RetentionOptions> = {}) =>
  new RetentionRun({
    store: store.retention,
    settings: {
      keepUsage,
      keepRefusals: null,
      keepTries: null,
      keepAudit: null,
      keepSessions: 30,
      archiveDir: directory,
      dataDir: directory,
      databaseUrl: null,
    },
    now: () => nowMs,
    elapsed: () => 0,
    randomBytes,
    pause: async () => {},
    isStopped: () => false,
    onProgress: () => {},
    counts: true,
    ...over,
  }).run()

const partsOf = async () => {
  const rows = await place.sql(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_records'::regclass order by 1`,
  )
  return rows.map(({ name }) => String(name))
}

const tableOf = async (id: string) =>
  (await place.sql(`select tableoid::regclass::text as name from usage_records where id = '${id}'`))[0]?.['name']

const settleAt = async (createdAt: number, cost = 5n): Promise<string> => {
  const id = newId('req', createdAt)
  await store.settlements.settle([aSettlement(accountId, cost, { record: { id, createdAt } })])
  return id
}

const proveBoth = async () => {
  const proof = await store.ledger.prove()
  expect(proof.disagreements).toEqual([])
  const { records, unusable } = await archivedRecords(directory, await store.retention.archives())
  expect(unusable).toEqual([])
  expect((await store.ledger.prove({ archive: records })).disagreements).toEqual([])
  return proof
}

test('without a period the table stays as it is, and what an ended run left of one is taken away', async () => {
  const limit = `check (id < '${firstIdAt('req', LATER)}') not valid`
  await place.change([`alter table usage_records add constraint usage_first_limit ${limit}`])
  expect(await run(null, NOON)).toMatchObject({ daysApart: 'no' })
  expect(await partsOf()).toEqual([])
  expect(await place.sql(`select 1 from pg_constraint where conname = 'usage_first_limit'`)).toEqual([])
})

test('records of a day too far ahead leave the table as it is', async () => {
  await settleAt(NOON + 400 * DAY_MS)
  expect(await store.retention.setDaysApart(NOON, true)).toBe('refused')
  expect(await partsOf()).toEqual([])
  expect(await place.sql(`select 1 from pg_constraint where conname = 'usage_first_limit'`)).toEqual([])
  await settleAt(NOON + 401 * DAY_MS)
})

test('while another session reads the whole table it stays as it is, and settlements go on', async () => {
  await place.change([`create table aside as select * from usage_records where id >= '${firstIdAt('req', LATER)}'`])
  await place.change([`delete from usage_records where id in (select id from aside)`])
  const reading = holdFrom(store)
  await reading.begun
  expect(await store.retention.setDaysApart(NOON, true)).toBe('later')
  await settleAt(NOON)
  reading.end()
  await reading.over
  expect(await partsOf()).toEqual([])
})

test('the table of before becomes the first part, with its records, indexes and grants, and days to come get one each', async () => {
  const indexes = `select indexdef from pg_indexes where tablename = 'usage_records' and schemaname = current_schema()`
  const definitions = async () =>
    (await place.sql(indexes)).map(({ indexdef }) => String(indexdef).replace(' ON ONLY ', ' ON ')).sort()
  const had = await definitions()
  await place.change([`do $$ begin create role reader_of_usage; exception when duplicate_object then null; end $$`])
  await place.change(['grant select on usage_records to reader_of_usage'])
  expect(await run(365, NOON)).toMatchObject({ daysApart: 'yes', retired: { usage: 0 } })
  expect(await definitions()).toEqual(had)
  expect(await partsOf()).toEqual([
    ...Array.from({ length: 5 }, (_, at) => dayName(TODAY + (10 + at) * DAY_MS)),
    'usage_first',
    'usage_other',
  ])
  expect(
    await place.sql(`select has_table_privilege('reader_of_usage', 'usage_records', 'select')::text as may`),
  ).toEqual([{ may: 'true' }])
  await place.change(['insert into usage_records select * from aside', 'drop table aside'])
  expect((await proveBoth()).records).toBe(before.records + 3)
})

test('no record is lost by a clock that is wrong, and one that is written again is not counted twice', async () => {
  const [early, usual, late] = [await settleAt(NOON + 90 * DAY_MS), await settleAt(LATER), await settleAt(NOON)]
  expect(await Promise.all([early, usual, late].map(tableOf))).toEqual(['usage_other', dayName(LATER), 'usage_first'])
  const again = aSettlement(accountId, 5n, { record: { id: usual, createdAt: LATER } })
  await store.settlements.settle([again])
  await proveBoth()
})

test('a list, a record and the proof of a day read the parts of their days alone', async () => {
  const plan = async (query: string) => {
    const rows = await place.sql(`explain ${query}`)
    const text = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    return [...new Set(text.match(/usage_(?:day_\d+|first|other)/g))]
  }
  const [from, to] = [firstIdAt('req', LATER), firstIdAt('req', LATER + DAY_MS)]
  expect(
    await plan(`select * from usage_records where id >= '${from}' and id < '${to}' order by id limit 200`),
  ).toEqual([dayName(LATER)])
  expect(await plan(`select * from usage_records where id = '${from}0000000000000000'`)).toEqual([dayName(LATER)])
  expect(await plan(`select * from usage_records where id in ('${from}00', '${from}01')`)).toEqual([dayName(LATER)])
})

test('a day that is old enough goes as a whole, with none of its rows deleted, and the books agree with and without it', async () => {
  for (let count = 0; count < 250; count++) await settleAt(LATER + count * 60_000)
  const { records, retired, charged } = await proveBoth()
  const deleted: string[] = []
  const watched = watching(store.retention, deleted)
  expect(await run(365, LATER + 366 * DAY_MS, { store: watched })).toMatchObject({ waiting: [], daysApart: 'yes' })
  expect(await partsOf()).not.toContain(dayName(LATER))
  expect(deleted.filter((line) => line >= `{"id":"${firstIdAt('req', LATER)}`)).toEqual([])
  const proof = await proveBoth()
  expect(proof).toMatchObject({ charged })
  expect(proof.records + proof.retired).toBe(records + retired)
  expect(proof.retired).toBeGreaterThan(retired + 250)
})

test('a day of which the archive has not all stays until it has', async () => {
  const dayAt = LATER + DAY_MS
  const [first, second] = [await settleAt(dayAt), await settleAt(dayAt + 1)]
  const lines: string[] = []
  for await (const portion of store.retention.lines('usage', dayAt)) lines.push(...portion.lines)
  const drop = (had: readonly string[]) =>
    store.retention.dropDay({
      dayAt,
      lines: async function* () {
        yield had
      },
      between: async () => {},
    })
  expect(await drop(lines.slice(1))).toBe('by_lines')
  expect(await drop([lines[0] ?? '', (lines[1] ?? '').replace('"cost_nano":"5"', '"cost_nano":"6"')])).toBe('by_lines')
  const reading = holdFrom(store)
  await reading.begun
  expect(await drop(lines)).toBe('later')
  reading.end()
  await reading.over
  expect(await Promise.all([first, second].map(tableOf))).toEqual([dayName(dayAt), dayName(dayAt)])
  await proveBoth()
})

test('the part of before, whose rows go in portions, is dropped once it is empty', async () => {
  expect(await partsOf()).not.toContain('usage_first')
  expect(await partsOf()).toContain('usage_other')
})

test('a record that comes late for a day that is gone is kept, counted, and goes with the next archive', async () => {
  const id = await settleAt(LATER + 7)
  expect(await tableOf(id)).toBe('usage_other')
  await proveBoth()
  const { archives, retired } = await run(365, LATER + 366 * DAY_MS)
  expect(retired.usage).toBe(1)
  expect(archives).toEqual([expect.stringMatching(/\.2\.ndjson\.gz$/)])
  await proveBoth()
})

/** Notes the lines of which rows are deleted one by one. */
function watching(retention: Store['retention'], deleted: string[]): Store['retention'] {
  return new Proxy(retention, {
    get(of, name) {
      if (name !== 'retire') return Reflect.get(of, name).bind(of)
      return (...[kind, lines]: Parameters<Store['retention']['retire']>) => {
        deleted.push(...lines)
        return of.retire(kind, lines)
      }
    },
  })
}

function dayName(atMs: number): string {
  return `usage_day_${new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** A snapshot that has read the table and has not ended. */
function holdFrom(of: Store) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const archive = {
    count: 0,
    async *lines() {
      begin()
      await ended
      yield []
    },
  }
  return { begun, end, over: of.ledger.prove({ archive }) }
}
