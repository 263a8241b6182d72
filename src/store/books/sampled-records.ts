import { type RawBuilder, sql } from 'kysely'
import type { ExploredBy, ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { tagCondition } from './tag-condition.ts'
import { allOf, walkFor } from './usage-list.ts'

/** Records of a span, of which so many of the newest are looked at, whether they pass the filter or not. */
export interface SampleQuery extends ExploreQuery {
  readonly limit: number
  /** Only those that failed are looked at, along an index of theirs. */
  readonly isOfFailed?: true
}

/**
 * `seen as (…)`, with what it is made of: records that pass the filter, once each, with the parts of their rows as `first` and
 * `second`; that of a tag is empty until `tagged`. What was interrupted is in no sum: what it consumed is unknown.
 */
export function sampledRecords(
  database: Database,
  seen: SampleQuery,
  figures: keyof typeof FIGURES,
): RawBuilder<unknown> {
  const [first, second] = seen.by
  const part = (by: ExploredBy | undefined) =>
    by === undefined || by === 'tag' ? sql`''` : sql`coalesce(${PARTS[by]}, '')`
  const conditions = (Object.keys(PARTS) as ExploredBy[]).flatMap((by) => {
    const value = seen.where[by]
    return value === undefined ? [] : [by === 'tag' ? havingTag(value) : sql`${PARTS[by]} = ${value}`]
  })
  return sql`
    looked as (${walked(database, seen, sql.raw(`${LOOKED_AT}, ${FIGURES[figures]}`))} limit ${seen.limit}),
    seen as (
      select ${part(first)} as first, ${part(second)} as second, looked.* from looked
      where ${allOf([sql`looked.outcome <> 'interrupted'`, ...conditions])})`
}

/** Returns since when records are looked at, epoch milliseconds; null: all of the time. */
export async function sampledSince(database: Database, seen: SampleQuery): Promise<number | null> {
  // By ids alone, which the index has.
  const next = sql<{ readonly created_at: number }>`
    select created_at from usage_records
    where id = (${walked(database, seen, sql`id`)} limit 1 offset ${seen.limit})`
  return (await next.execute(database.views)).rows[0]?.created_at ?? null
}

const LOOKED_AT =
  'id, account_id, key_id, group_id, model, upstream_name, credential_name, wire, client, outcome, fault'
/** What is read of each record beside that by which it is grouped: of ten thousand records each column is felt. */
const FIGURES = {
  sums: 'input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano, provider_cost_nano',
  times: 'first_byte_ms, total_ms',
} as const

const PARTS: Readonly<Record<ExploredBy, RawBuilder<unknown>>> = {
  account: sql`looked.account_id`,
  key: sql`looked.key_id`,
  group: sql`looked.group_id`,
  // As the sums of hours have it: where there is no such model, the name is whatever a client made up.
  model: sql`(case when looked.group_id is null or looked.fault = 'model_unknown' then '' else looked.model end)`,
  upstream: sql`looked.upstream_name`,
  credential: sql`looked.credential_name`,
  protocol: sql`looked.wire`,
  client: sql`looked.client`,
  tag: sql`''`,
  fault: sql`looked.fault`,
}

/**
 * `name as (…)`: rows of a table with a `key_id`, with these columns, once for each tag of their key where tags are asked for,
 * and once where it has none.
 */
export function tagged(
  database: Database,
  { by }: Pick<SampleQuery, 'by'>,
  { name, from, columns }: { readonly name: string; readonly from: string; readonly columns: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const of = (at: 0 | 1) =>
    by[at] === 'tag' ? sql`coalesce(tags.value, '')` : at === 0 ? sql.ref(`${from}.first`) : sql.ref(`${from}.second`)
  const each =
    database.kind === 'sqlite'
      ? sql`json_each(api_keys.tags_json) as tags`
      : sql`lateral jsonb_array_elements_text(api_keys.tags_json::jsonb) as tags(value)`
  // SQLite would look up the rows of all keys, most of which have no tags.
  const keys = database.kind === 'sqlite' ? sql`api_keys indexed by api_keys_with_tags` : sql`api_keys`
  // Of each key once: to take a JSON text apart is dearer than to find it.
  const tags = sql`select api_keys.id, tags.value from ${keys} cross join ${each}
    where api_keys.id in (select key_id from ${sql.table(from)}) and api_keys.tags_json <> '[]'`
  return sql`tags as materialized (${by.includes('tag') ? tags : sql`select '' as id, '' as value where 1 = 0`}),
    ${sql.table(name)} as (select ${of(0)} as first, ${of(1)} as second, ${columns}
      from ${sql.table(from)} left join tags on tags.id = ${sql.ref(`${from}.key_id`)})`
}

function havingTag(tag: string): RawBuilder<unknown> {
  return sql`looked.key_id in (select id from api_keys where ${tagCondition(tag)})`
}

/** Records newest first, along the index that leaves least to be looked at. */
function walked(
  database: Database,
  { where, isOfFailed, ...span }: SampleQuery,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const filter = {
    accountId: where.account ?? null,
    keyId: where.key,
    fromMs: span.fromMs,
    toMs: span.toMs,
    ...(isOfFailed === undefined ? {} : { fault: 'any' as const }),
  }
  const walk = walkFor(filter, database.kind === 'sqlite')
  return sql`select ${columns} from ${walk.table} where ${allOf([...walk.fixed, ...walk.others])} order by id desc`
}
