import { type RawBuilder, sql } from 'kysely'
import type { KeyFilter } from '../../access/key-list.ts'
import { QUOTA_RESETS, type QuotaReset } from '../../core/quota-period.ts'
import { quotaBudgetIdOf } from '../../entitlement/funding.ts'
import { SEARCH_LIMIT, tagCondition } from '../books/tag-condition.ts'
import { searchForm } from '../schema/search-form.ts'

const ID_CHARACTERS = 30
const START_CHARACTERS = 10
const END_CHARACTERS = 4

/** What a row of `api_keys` has to be to pass a filter at this moment. */
export function keyConditions(filter: KeyFilter, nowMs: number): readonly RawBuilder<unknown>[] {
  const { accountId, groupId, tag, search, status, isWithoutPlayground } = filter
  return [
    sql`api_keys.status <> 'deleted'`,
    sql`api_keys.device_epoch is null`,
    ...(accountId === null ? [] : [sql`api_keys.account_id = ${accountId}`]),
    ...(isWithoutPlayground === true ? [sql`api_keys.is_for_playground = 0`] : []),
    ...(groupId === undefined ? [] : [sql`api_keys.group_id = ${groupId}`]),
    ...(tag === undefined ? [] : [tagCondition(tag)]),
    ...(status === undefined ? [] : [statusCondition(status, nowMs)]),
    ...(search === undefined || search === '' ? [] : [searchCondition(search)]),
  ]
}

/** `%` and `_` stand for themselves, so no search makes the database try patterns. */
function searchCondition(search: string): RawBuilder<unknown> {
  const text = searchForm(search.slice(0, SEARCH_LIMIT)).replaceAll('\0', '')
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const places: readonly (readonly [column: string, isPossible: boolean])[] = [
    ['name_lower', true],
    // Longer texts are in none of these, and most searches are for names.
    ['id', text.length <= ID_CHARACTERS],
    ['secret_start', text.length <= START_CHARACTERS],
    ['secret_end', text.length <= END_CHARACTERS],
  ]
  const found = places
    .filter(([, isPossible]) => isPossible)
    .map(([column]) => {
      const held = sql.ref(`api_keys.${column}`)
      return sql`${column.startsWith('secret') ? sql`lower(${held})` : held} like ${pattern} escape '\\'`
    })
  return sql`(${sql.join(found, sql` or `)})`
}

/** One of them holds of every key: the SQL form of `shownStatus`, which a test over generated keys holds equal to it. */
function statusCondition(status: NonNullable<KeyFilter['status']>, nowMs: number): RawBuilder<unknown> {
  const isExpired = sql`(api_keys.expires_at is not null and api_keys.expires_at <= ${nowMs})`
  switch (status) {
    case 'disabled':
      return sql`api_keys.status = 'disabled'`
    case 'expired':
      return sql`api_keys.status = 'active' and ${isExpired}`
    case 'quota_exhausted':
      return sql`api_keys.status = 'active' and not ${isExpired} and ${isUsedUp(nowMs)}`
    case 'active':
      return sql`api_keys.status = 'active' and not ${isExpired} and not ${isUsedUp(nowMs)}`
  }
}

/** Whether the budget of the period that runs is used up. Few are, and they have an index of their own. */
function isUsedUp(nowMs: number): RawBuilder<unknown> {
  const ids = QUOTA_RESETS.map((reset) => sql`when ${sql.lit(reset)} then ${budgetIdInSql(reset, nowMs)}`)
  const budgetId = sql`case api_keys.quota_reset ${sql.join(ids, sql` `)} end`
  return sql`(api_keys.quota_limit_nano is not null and (api_keys.quota_limit_nano <= 0 or exists (
    select 1 from budgets where budgets.kind = 'key_quota' and budgets.used_nano >= budgets.limit_nano
      and budgets.subject_id = api_keys.id and budgets.id = ${budgetId})))`
}

/** The budget's id as the domain writes it, around the id of the row's key. */
function budgetIdInSql(reset: QuotaReset, nowMs: number): RawBuilder<unknown> {
  const [before = '', after = ''] = quotaBudgetIdOf(KEY_ID_MARK, reset, nowMs).split(KEY_ID_MARK)
  return sql`${sql.lit(before)} || api_keys.id || ${sql.lit(after)}`
}

/** A mark that no id has. */
const KEY_ID_MARK = '?'
