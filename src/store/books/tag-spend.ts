import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { TagSpend, TagSpendQuery, TagSpends } from '../../metering/usage/key-spend.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import type { Database } from '../engine/database.ts'
import type { UsageFigures } from '../schema/roll-up-tables.ts'
import { figuresIn, usedKeys, wholeHours } from './key-spend.ts'
import { FIGURE_SUMS, NO_USE, together, totalsOf } from './usage-sums.ts'

/** See `UsageStore.tagSpend`. The database sums keys that have the same tags, of which an account has few. */
export async function tagSpendOf(database: Database, query: TagSpendQuery): Promise<TagSpends> {
  const { fromMs, toMs, beforeFromMs } = wholeHours(query)
  const [now, before] = await Promise.all([
    sumsOf(database, { ...query, fromMs, toMs }),
    sumsOf(database, { ...query, fromMs: beforeFromMs, toMs: fromMs }),
  ])
  const all = now.reduce((sum, { totals }) => together(sum, totals), NO_USE)
  const earlier = byTag(before)
  const tags = [...byTag(now)].map(([tag, { keys, totals }]): TagSpend => {
    const { balancePaid: _, ...shown } = totals
    return { tag, keys, totals: shown, costBefore: (earlier.get(tag)?.totals ?? NO_USE).cost }
  })
  return { fromMs, toMs, beforeFromMs, costInAll: nanoUsd(all.cost), tags: tags.toSorted(byCost) }
}

interface Sum {
  readonly keys: number
  readonly totals: UsageTotals
}

/** The sum of keys with the same tags. */
interface TagsSum extends Sum {
  readonly tags: readonly string[]
}

type TagsRow = UsageFigures & { readonly tags_json: readonly string[]; readonly key_count: number }

async function sumsOf(database: Database, query: TagSpendQuery): Promise<readonly TagsSum[]> {
  const { rows } = await sql<TagsRow>`
    with sums as (select key_id, ${sql.join(FIGURE_SUMS)} from ${figuresIn(query, usedKeys(query))} group by key_id)
    select coalesce(api_keys.tags_json, '[]') as tags_json, count(*) as key_count, ${sql.join(FIGURE_SUMS)}
    from sums left join api_keys on api_keys.id = sums.key_id group by coalesce(api_keys.tags_json, '[]')`.execute(
    database.views,
  )
  return rows.map((row) => ({ tags: row.tags_json, keys: row.key_count, totals: totalsOf(row) }))
}

function byTag(sums: readonly TagsSum[]): ReadonlyMap<string | null, Sum> {
  const found = new Map<string | null, Sum>()
  for (const { tags, keys, totals } of sums) {
    for (const tag of tags.length === 0 ? [null] : tags) {
      const before = found.get(tag)
      found.set(tag, { keys: (before?.keys ?? 0) + keys, totals: together(before?.totals ?? NO_USE, totals) })
    }
  }
  return found
}

/** Keys without a tag stand last. */
function byCost(a: TagSpend, b: TagSpend): number {
  if (a.tag === null || b.tag === null) return Number(a.tag === null) - Number(b.tag === null)
  if (a.totals.cost !== b.totals.cost) return a.totals.cost < b.totals.cost ? 1 : -1
  return b.totals.requests - a.totals.requests || (a.tag < b.tag ? -1 : 1)
}
