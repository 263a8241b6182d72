import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsageFilter, UsagePage } from '../../metering/usage/usage-store.ts'
import type { Database } from '../engine/database.ts'
import type { UsageRow } from '../schema/tables.ts'
import { tagCondition } from './tag-condition.ts'
import { usageRecordOf } from './usage-columns.ts'

const PAGE_LIMIT = 200
/** So many records of an index are looked at for what no index holds, with one statement. */
const WINDOW = 5_000
/** So many such statements are made for one page, and none once they took so long: from a disk each takes 70 ms, not 5. */
const LOOKS = { windows: 8, ms: 80 }

type Elapsed = Clock['elapsed']

/** One page of records, newest first. See `UsageStore.list`. */
export async function listUsage(
  database: Database,
  filter: UsageFilter,
  { after, limit, elapsed }: { readonly after: string | null; readonly limit: number; readonly elapsed: Elapsed },
): Promise<UsagePage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT) {
    throw new RangeError(`a page has 1 to ${PAGE_LIMIT} records, not ${limit}`)
  }
  const walk = walkFor(filter, database.kind === 'sqlite')
  const records: UsageRecord[] = []
  let before = after
  const began = elapsed()
  for (let windows = 0; windows < LOOKS.windows && elapsed() - began < LOOKS.ms; windows++) {
    const wanted = limit - records.length
    const rows = await readWindow(database, walk, { before, wanted: wanted + 1 })
    records.push(...rows.slice(0, wanted).map(usageRecordOf))
    if (rows.length > wanted) return { records, next: records.at(-1)?.id ?? null }
    before = walk.others.length === 0 ? null : await endOfWindow(database, walk, before)
    if (before === null) return { records, next: null }
  }
  return { records, next: before }
}

/** Every page of them. */
export async function* usagePages(
  database: Database,
  filter: UsageFilter,
  elapsed: Elapsed,
): AsyncGenerator<readonly UsageRecord[]> {
  for (let after: string | null = null; ;) {
    const { records, next } = await listUsage(database, filter, { after, limit: PAGE_LIMIT, elapsed })
    if (records.length > 0) yield records
    if (next === null) return
    after = next
  }
}

/** The index along which records are walked, newest first: what it fixes, and what is left to be looked at in each record. */
export interface RecordWalk {
  readonly table: RawBuilder<unknown>
  /** What `others` look at. */
  readonly columns: RawBuilder<unknown>
  readonly fixed: readonly RawBuilder<unknown>[]
  readonly others: readonly RawBuilder<unknown>[]
}

type Condition = keyof Conditions
interface Conditions {
  readonly accountId?: RawBuilder<unknown>
  readonly keyId?: RawBuilder<unknown>
  readonly groupId?: RawBuilder<unknown>
  readonly model?: RawBuilder<unknown>
  readonly upstream?: RawBuilder<unknown>
  readonly credential?: RawBuilder<unknown>
  readonly protocol?: RawBuilder<unknown>
  readonly client?: RawBuilder<unknown>
  readonly tag?: RawBuilder<unknown>
  readonly anyFault?: RawBuilder<unknown>
  readonly fault?: RawBuilder<unknown>
  readonly unfinished?: RawBuilder<unknown>
  readonly outcome?: RawBuilder<unknown>
  readonly said?: RawBuilder<unknown>
  readonly note?: RawBuilder<unknown>
}

/** The indexes, those that leave least to be looked at first: the first one of which all is asked is walked. */
const INDEXES: readonly (readonly [name: string, ...fixes: Condition[]])[] = [
  ['usage_faults_by_key', 'anyFault', 'keyId'],
  ['usage_records_by_key', 'keyId'],
  ['usage_ends_by_account', 'unfinished', 'accountId', 'outcome'],
  ['usage_faults_by_account_code', 'anyFault', 'accountId', 'fault'],
  ['usage_faults_by_account', 'anyFault', 'accountId'],
  ['usage_records_by_account', 'accountId'],
  ['usage_faults_by_code', 'anyFault', 'fault'],
  ['usage_ends', 'unfinished', 'outcome'],
  ['usage_faults', 'anyFault'],
]

export function walkFor(filter: UsageFilter, isSqlite: boolean): RecordWalk {
  const conditions = conditionsOf(filter, isSqlite)
  const asked = Object.keys(conditions) as Condition[]
  const index = INDEXES.find(([, ...fixes]) => fixes.every((fix) => asked.includes(fix)))
  const [name, ...fixes] = index ?? ['']
  const pick = (isFixed: boolean) =>
    asked.filter((condition) => fixes.includes(condition) === isFixed).flatMap((each) => conditions[each] ?? [])
  return {
    // Without figures about its tables SQLite would sometimes choose another; PostgreSQL has them.
    table: isSqlite && name !== '' ? sql`usage_records indexed by ${sql.ref(name)}` : sql`usage_records`,
    columns: columnsFor(filter),
    fixed: [...pick(true), ...idBounds(filter)],
    others: pick(false),
  }
}

function conditionsOf(filter: UsageFilter, isSqlite: boolean): Conditions {
  const { said, accountId, keyId, groupId, model, upstream, credential, protocol, client, tag, fault, outcome } = filter
  const { note } = filter
  const isUnfinished = outcome !== undefined && outcome !== 'completed'
  return {
    ...(accountId === null ? {} : { accountId: sql`account_id = ${accountId}` }),
    ...(keyId === undefined ? {} : { keyId: sql`key_id = ${keyId}` }),
    ...(groupId === undefined ? {} : { groupId: sql`group_id = ${groupId}` }),
    ...(model === undefined ? {} : { model: sql`model = ${model}` }),
    ...(upstream === undefined ? {} : { upstream: sql`upstream_name = ${upstream}` }),
    ...(credential === undefined ? {} : { credential: sql`credential_name = ${credential}` }),
    ...(protocol === undefined ? {} : { protocol: sql`wire = ${protocol}` }),
    ...(client === undefined ? {} : { client: sql`client = ${client}` }),
    ...(tag === undefined ? {} : { tag: sql`key_id in (select id from api_keys where ${tagCondition(tag)})` }),
    // These two are written as the partial indexes have them, without values, or they would not be found.
    ...(fault === undefined ? {} : { anyFault: sql`fault is not null` }),
    ...(fault === undefined || fault === 'any' ? {} : { fault: sql`fault = ${fault}` }),
    ...(isUnfinished ? { unfinished: sql`outcome <> 'completed'` } : {}),
    ...(outcome === undefined ? {} : { outcome: sql`outcome = ${outcome}` }),
    ...(note === undefined ? {} : { note: sql`usage_notes like ${`%${note}%`}` }),
    ...(said === undefined ? {} : { said: saidOrNamed(said, isSqlite) }),
  }
}

/** Few attempts have these letters anywhere, so that few JSON texts are taken apart. */
function saidOrNamed(text: string, isSqlite: boolean): RawBuilder<unknown> {
  const has = (where: RawBuilder<unknown>, part: string) =>
    sql`${sql.raw(isSqlite ? 'instr' : 'strpos')}(lower(${where}), lower(${part})) > 0`
  const field = (name: 'said' | 'requestId') =>
    isSqlite ? sql`json_extract(each_try.value, ${sql.lit(`$.${name}`)})` : sql`each_try.value ->> ${sql.lit(name)}`
  const each = isSqlite ? sql`json_each(attempts_json)` : sql`jsonb_array_elements(attempts_json::jsonb)`
  return sql`(${has(sql`attempts_json`, JSON.stringify(text).slice(1, -1))} and exists (
    select 1 from ${each} as each_try where ${has(field('said'), text)} or ${field('requestId')} = ${text}))`
}

/** Ids sort by time, so a span of time is a span of ids. */
function idBounds({ idPrefix, fromMs, toMs }: UsageFilter): readonly RawBuilder<unknown>[] {
  return [
    ...(idPrefix === undefined ? [] : [sql`id >= ${idPrefix}`, sql`id < ${`${idPrefix}~`}`]),
    ...(fromMs === undefined ? [] : [sql`id >= ${firstIdAt('req', Math.max(0, fromMs))}`]),
    ...(toMs === undefined ? [] : [sql`id < ${firstIdAt('req', Math.max(0, toMs))}`]),
  ]
}

const LOOKED_AT = sql.raw(
  'id, account_id, key_id, group_id, model, upstream_name, credential_name, wire, client, fault, outcome',
)

function columnsFor({ said, note }: UsageFilter): RawBuilder<unknown> {
  const withNotes = note === undefined ? LOOKED_AT : sql`${LOOKED_AT}, usage_notes`
  return said === undefined ? withNotes : sql`${withNotes}, attempts_json`
}

async function readWindow(
  database: Database,
  walk: RecordWalk,
  { before, wanted }: { readonly before: string | null; readonly wanted: number },
): Promise<readonly Selectable<UsageRow>[]> {
  const steps = sql`from ${walk.table} where ${allOf([...walk.fixed, ...beforeId(before)])} order by id desc`
  const ids =
    walk.others.length === 0
      ? sql`select id ${steps} limit ${wanted}`
      : sql`select id from (select ${walk.columns} ${steps} limit ${WINDOW}) seen
          where ${allOf(walk.others)} order by id desc limit ${wanted}`
  const query = sql<Selectable<UsageRow>>`
    select record.* from (${ids}) page join usage_records record on record.id = page.id order by record.id desc`
  return (await query.execute(database.views)).rows
}

/** The last record of the window that begins there; null: it is the last window. */
async function endOfWindow(database: Database, walk: RecordWalk, before: string | null): Promise<string | null> {
  const query = sql<{ id: string }>`
    select id from ${walk.table} where ${allOf([...walk.fixed, ...beforeId(before)])}
    order by id desc limit 1 offset ${WINDOW - 1}`
  return (await query.execute(database.views)).rows[0]?.id ?? null
}

function beforeId(before: string | null): readonly RawBuilder<unknown>[] {
  return before === null ? [] : [sql`id < ${before}`]
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `)
}
