import { type RawBuilder, sql } from 'kysely'
import type { KeyFilter, KeyListPlace, KeyOrder, KeyPage, ListedKey } from '../../access/key-list.ts'
import { nanoUsd } from '../../core/money.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import { quotaBudgetIdOf } from '../../entitlement/funding.ts'
import { shownStatus } from '../../entitlement/key-status.ts'
import type { Database } from '../engine/database.ts'
import { keyConditions } from './key-conditions.ts'
import { keyOf } from './key-row.ts'

const PAGE_LIMIT = 200
/** Counting more would take longer than reading the page. */
const COUNTED_LIMIT = 10_000
/** A time behind every other, so that what never expires stands last. */
const NEVER = 8_640_000_000_000_001

/** One page of keys, with what lists show beside them. See `KeyStore.page`. */
export async function readKeyPage(
  database: Database,
  filter: KeyFilter,
  page: {
    readonly order: KeyOrder
    readonly after: KeyListPlace | null
    readonly limit: number
    readonly nowMs: number
  },
): Promise<KeyPage> {
  const { order, after, limit, nowMs } = page
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT) {
    throw new RangeError(`a page has 1 to ${PAGE_LIMIT} keys, not ${limit}`)
  }
  const conditions = keyConditions(filter, nowMs)
  const asked = { order, after, wanted: limit + 1 }
  const isSearched = filter.search !== undefined && filter.search !== ''
  const [places, total] = isSearched
    ? await searchPlaces(database, conditions, asked)
    : await Promise.all([readPlaces(database, { ...filter, nowMs }, asked), count(database, conditions)])
  const shown = places.slice(0, limit)
  return {
    keys: await readFound(database, shown, nowMs),
    next: places.length > limit ? (shown.at(-1) ?? null) : null,
    total: Math.min(total, COUNTED_LIMIT),
    isTotalMore: total > COUNTED_LIMIT,
  }
}

/** What the order goes by. Every value is there, whatever the key has of it, so that places compare. */
const SORT_VALUES: Readonly<Record<KeyOrder['by'], string>> = {
  created_at: 'api_keys.id',
  name: 'api_keys.name_lower',
  expires_at: `coalesce(api_keys.expires_at, ${NEVER})`,
  last_used_at: 'activity.last_used_at',
  spent: 'activity.spent_nano',
}

const TEXTS: readonly KeyOrder['by'][] = ['created_at', 'name']

/** The page's order as SQL, with what stands behind its place. */
interface Sorting {
  /** What the order goes by is in `key_activity`. */
  readonly isByActivity: boolean
  readonly value: RawBuilder<unknown>
  readonly direction: RawBuilder<unknown>
  /** Whether a row with this id stands behind the place. */
  behind(id: string): readonly RawBuilder<unknown>[]
  readonly wanted: number
}

/** What people do not narrow down, most keys pass: so many times the page are looked at before all are. */
const FIRST_PART = 8
/** So many found keys are looked up by their ids. */
const FEW_KEYS = 1_000

const WITH_USE = sql`api_keys join key_activity activity
  on activity.account_id = api_keys.account_id and activity.key_id = api_keys.id`

async function readPlaces(
  database: Database,
  filter: KeyFilter & { readonly nowMs: number },
  page: { readonly order: KeyOrder; readonly after: KeyListPlace | null; readonly wanted: number },
): Promise<readonly KeyListPlace[]> {
  const sorting = sortingOf(page)
  const conditions = keyConditions(filter, filter.nowMs)
  if (!sorting.isByActivity) return placesIn(database, sql`api_keys`, { conditions, sorting })
  const found = await placesIn(database, firstPart(filter, sorting), { conditions, sorting })
  return found.length === page.wanted ? found : placesIn(database, WITH_USE, { conditions, sorting })
}

/** Texts are looked for in all keys: once, where few hold them. */
async function searchPlaces(
  database: Database,
  conditions: readonly RawBuilder<unknown>[],
  page: { readonly order: KeyOrder; readonly after: KeyListPlace | null; readonly wanted: number },
): Promise<readonly [places: readonly KeyListPlace[], total: number]> {
  const sorting = sortingOf(page)
  const { total, ids } = await search(database, conditions)
  if (ids?.length === 0) return [[], 0]
  const rowsFrom = sorting.isByActivity ? WITH_USE : sql`api_keys`
  const held = ids === null ? conditions : [sql`api_keys.id in (${sql.join(ids)})`]
  return [await placesIn(database, rowsFrom, { conditions: held, sorting }), total]
}

/** Returns how many keys hold what is searched, and which, if they are few; `ids` null: they are many, so a page of them is found soon. */
async function search(
  database: Database,
  conditions: readonly RawBuilder<unknown>[],
): Promise<{ readonly total: number; readonly ids: readonly string[] | null }> {
  const joined = database.kind === 'sqlite' ? sql`group_concat(id)` : sql`string_agg(id, ',')`
  const { rows } = await sql<{ readonly found: number; readonly ids: string | null }>`
    with held as materialized (
      select id from api_keys where ${sql.join(conditions, sql` and `)} limit ${COUNTED_LIMIT + 1})
    select count(*) as found, case when count(*) <= ${FEW_KEYS} then ${joined} end as ids from held`.execute(
    database.views,
  )
  const { found = 0, ids = null } = rows[0] ?? {}
  return { total: found, ids: found === 0 ? [] : (ids?.split(',') ?? null) }
}

/** The keys whose use comes first in the order: to find them nothing else needs to be read. */
function firstPart({ accountId }: KeyFilter, { value, direction, behind, wanted }: Sorting): RawBuilder<unknown> {
  const own = accountId === null ? [] : [sql`activity.account_id = ${accountId}`]
  const conditions = [sql`1 = 1`, ...own, ...behind('activity.key_id')]
  return sql`(select * from key_activity activity where ${sql.join(conditions, sql` and `)}
    order by ${value} ${direction}, activity.key_id ${direction} limit ${wanted * FIRST_PART}) activity
    join api_keys on api_keys.id = activity.key_id`
}

function sortingOf({
  order,
  after,
  wanted,
}: {
  readonly order: KeyOrder
  readonly after: KeyListPlace | null
  readonly wanted: number
}): Sorting {
  const value = sql.raw(SORT_VALUES[order.by])
  const sign = sql.raw(order.isDescending ? '<' : '>')
  const last = after === null ? '' : TEXTS.includes(order.by) ? after.value : BigInt(after.value)
  return {
    isByActivity: order.by === 'spent' || order.by === 'last_used_at',
    value,
    direction: sql.raw(order.isDescending ? 'desc' : 'asc'),
    behind: (id) => (after === null ? [] : [sql`(${value}, ${sql.ref(id)}) ${sign} (${last}, ${after.id})`]),
    wanted,
  }
}

async function placesIn(
  database: Database,
  rowsFrom: RawBuilder<unknown>,
  { conditions, sorting }: { readonly conditions: readonly RawBuilder<unknown>[]; readonly sorting: Sorting },
): Promise<readonly KeyListPlace[]> {
  const { value, direction, behind, wanted } = sorting
  const query = sql<{ readonly value_text: string; readonly id: string }>`
    select cast(${value} as text) as value_text, api_keys.id from ${rowsFrom}
    where ${sql.join([...conditions, ...behind('api_keys.id')], sql` and `)}
    order by ${value} ${direction}, api_keys.id ${direction} limit ${wanted}`
  const { rows } = await query.execute(database.views)
  return rows.map((row) => ({ value: row.value_text, id: row.id }))
}

async function count(database: Database, conditions: readonly RawBuilder<unknown>[]): Promise<number> {
  const query = sql<{ readonly found: number }>`
    select count(*) as found from
      (select 1 from api_keys where ${sql.join(conditions, sql` and `)} limit ${COUNTED_LIMIT + 1}) counted`
  return (await query.execute(database.views)).rows[0]?.found ?? 0
}

async function readFound(
  database: Database,
  places: readonly KeyListPlace[],
  nowMs: number,
): Promise<readonly ListedKey[]> {
  if (places.length === 0) return []
  const ids = places.map(({ id }) => id)
  const keys = await database.views.selectFrom('api_keys').selectAll().where('id', 'in', ids).execute()
  const accountIds = [...new Set(keys.map((key) => key.account_id))]
  const budgetIds = keys.map((key) => quotaBudgetIdOf(key.id, key.quota_reset, nowMs))
  const [uses, budgets] = await Promise.all([
    database.views
      .selectFrom('key_activity')
      .selectAll()
      .where('account_id', 'in', accountIds)
      .where('key_id', 'in', ids)
      .execute(),
    database.views
      .selectFrom('budgets')
      .select(['id', 'subject_id', 'used_nano', 'limit_nano'])
      .where('id', 'in', budgetIds)
      .execute(),
  ])
  const keyById = new Map(keys.map((key) => [key.id, key]))
  const useByKey = new Map(uses.map((use) => [use.key_id, use]))
  const budgetByKey = new Map(budgets.map((budget) => [budget.subject_id, budget]))
  return ids.flatMap((id) => {
    const row = keyById.get(id)
    if (row === undefined) return []
    const key = keyOf(row)
    const use = useByKey.get(id)
    const hasQuota = key.quotaLimit !== null
    // Nothing was charged in the period that runs, or there is no quota.
    const budget = hasQuota ? budgetByKey.get(id) : undefined
    const periodUsed = budget === undefined ? null : { used: budget.used_nano, limit: budget.limit_nano }
    return [
      {
        key,
        status: shownStatus(key, periodUsed, nowMs),
        spentInPeriod: hasQuota ? nanoUsd(periodUsed?.used ?? 0n) : null,
        periodEndsAt: hasQuota ? quotaPeriod(key.quotaReset, nowMs).endsAt : null,
        spentEver: nanoUsd(use?.spent_nano ?? 0n),
        lastUsedAt: use?.last_used_at || null,
      },
    ]
  })
}
