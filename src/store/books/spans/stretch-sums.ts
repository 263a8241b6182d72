import { type RawBuilder, sql } from 'kysely'
import { accountIds } from './fill-spans.ts'
import { type KnownSpans, type PlannedPart, planStretch, type Stretch } from './span-plan.ts'
import type { SpanTable } from './span-tables.ts'

/** Two stretches that are compared, the first of which ends where the other begins. */
interface Compared {
  readonly beforeFromMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** `account_ids (id)`, that `stretchSums` asks for, with `recursive`. */
export const ACCOUNT_IDS = accountIds({ after: '', upTo: null })

/** What is beside each sum of the time before. */
export const BEFORE_FIGURES = ['requests', 'failed', 'cost_nano'] as const

/**
 * Rows of sums that make up two stretches: these columns, the figures of the second, and requests, failures and cost of the
 * first as `…_before`, unless that is of no time. They are to be added up by who reads them; a sum without requests is of what
 * was subtracted again, and no row. `accounts`: which accounts, null: all. With `spans.others`, `cost_nano` of the second is what
 * the dearest model or group of an account can have cost at most: nothing is subtracted from it.
 */
export function stretchSums(
  spans: SpanTable,
  { beforeFromMs, fromMs, toMs, known }: Compared & { readonly known: KnownSpans },
  of: {
    readonly columns: readonly RawBuilder<unknown>[]
    readonly conditions: readonly RawBuilder<unknown>[]
    readonly accounts: RawBuilder<unknown> | null
  },
): RawBuilder<unknown> {
  const isCompared = beforeFromMs < fromMs
  const selects = (stretch: Stretch, isBefore: boolean) =>
    planStretch(spans, stretch, known).map((part) => partSums(spans, part, { ...of, isBefore, isCompared }))
  const parts = [...selects({ fromMs: beforeFromMs, toMs: fromMs }, true), ...selects({ fromMs, toMs }, false)]
  // Of no time at all: the same columns, without rows.
  const nothing = { fromMs, toMs: fromMs, lengthMs: null, isSubtracted: false }
  return sql.join(
    parts.length > 0 ? parts : [partSums(spans, nothing, { ...of, isBefore: false, isCompared })],
    sql` union all `,
  )
}

function partSums(
  { table, source, figures, others }: SpanTable,
  { fromMs, toMs, lengthMs, isSubtracted }: PlannedPart,
  of: Parameters<typeof stretchSums>[2] & { readonly isBefore: boolean; readonly isCompared: boolean },
): RawBuilder<unknown> {
  const counted = (figure: string, isIn: boolean) =>
    isIn ? sql`${isSubtracted ? sql`-` : sql``}${sql.ref(figure)}` : sql.lit(0)
  const most =
    others === undefined || isSubtracted
      ? sql.lit(0)
      : lengthMs === null
        ? sql`cost_nano`
        : sql`cost_nano - ${sql.ref(others)}`
  const now = figures.map((figure) => {
    const isBound = others !== undefined && figure === 'cost_nano'
    return sql`${isBound ? most : counted(figure, !of.isBefore)} as ${sql.ref(figure)}`
  })
  const before = (of.isCompared ? BEFORE_FIGURES : []).map(
    (figure) => sql`${counted(figure, of.isBefore)} as ${sql.ref(beforeName(figure))}`,
  )
  const columns = sql.join([...of.columns, ...now, ...before])
  const time = sql.ref(lengthMs === null ? 'hour_at' : 'starts_at')
  const range = [sql`${time} >= ${fromMs}`, sql`${time} < ${toMs}`]
  const within =
    lengthMs === null
      ? range
      : // Some accounts are found in each span by themselves.
        [
          sql`span_ms = ${lengthMs}`,
          ...(of.accounts === null ? range : [sql`starts_at in (${sql.join(startsOf(fromMs, toMs, lengthMs))})`]),
        ]
  const ofAccounts =
    of.accounts === null || source !== 'usage_account_hours' ? [] : [sql`account_id in (${of.accounts})`]
  if (lengthMs !== null || source !== 'usage_account_hours' || of.accounts !== null) {
    const where = sql.join([...within, ...ofAccounts, ...of.conditions], sql` and `)
    return sql`select ${columns} from ${sql.table(lengthMs === null ? source : table)} where ${where}`
  }
  // These lie by account: each is looked up, instead of reading all of the past.
  const where = sql.join([sql`account_id = account_ids.id`, ...within, ...of.conditions], sql` and `)
  return sql`select ${columns} from account_ids cross join usage_account_hours where ${where}`
}

function startsOf(fromMs: number, toMs: number, lengthMs: number): readonly number[] {
  return Array.from({ length: (toMs - fromMs) / lengthMs }, (_, at) => fromMs + at * lengthMs)
}

/** What the sum of a figure over the time before is called. */
export function beforeName(figure: (typeof BEFORE_FIGURES)[number]): string {
  return figure === 'cost_nano' ? 'cost_before_nano' : `${figure}_before`
}
