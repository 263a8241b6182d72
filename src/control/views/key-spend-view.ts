import type { KeySpendPageView, TagSpendsView } from '../../contract/usage.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { KeySpend, KeySpendPage, KeySpendQuery, TagSpends } from '../../metering/usage/key-spend.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { type CsvColumn, csvStream, csvText, pagesFrom } from '../api/table-file.ts'

/** One page as the API shows it, but for its cursor. */
export function keySpendView(page: KeySpendPage): Omit<KeySpendPageView, 'next_cursor'> {
  return {
    from: timeOnWire(page.fromMs),
    to: timeOnWire(page.toMs),
    before_from: timeOnWire(page.beforeFromMs),
    cost: formatUsd(page.costInAll),
    data: page.keys.map((key) => rowOf(key, page.costInAll)),
    total: page.keysInAll,
    total_is_more: false,
  }
}

function rowOf(key: KeySpend, all: NanoUsd) {
  return {
    key_id: key.keyId,
    name: key.name,
    secret_start: key.secretStart,
    secret_end: key.secretEnd,
    tags: [...key.tags],
    ...figuresOf(key, all),
  }
}

/** Spends by tag; all of them are in one answer. */
export function tagSpendsView(spends: TagSpends): TagSpendsView {
  return {
    from: timeOnWire(spends.fromMs),
    to: timeOnWire(spends.toMs),
    before_from: timeOnWire(spends.beforeFromMs),
    cost: formatUsd(spends.costInAll),
    data: spends.tags.map((tag) => ({ tag: tag.tag, keys: tag.keys, ...figuresOf(tag, spends.costInAll) })),
  }
}

function figuresOf({ totals, costBefore }: Pick<KeySpend, 'totals' | 'costBefore'>, all: NanoUsd) {
  return {
    requests: totals.requests,
    failed: totals.failed,
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cost: formatUsd(totals.cost),
    share: shareOf(totals.cost, all),
    cost_before: formatUsd(costBefore),
  }
}

const MILLION = 1_000_000

/** A share from 0 to 1. Six digits are enough to add up to the whole. */
function shareOf(part: NanoUsd, all: NanoUsd): number {
  if (all === 0n) return 0
  const millionths = (part * BigInt(MILLION)) / all
  return Number(millionths) / MILLION
}

const PAGE = 200

type SpendRow = ReturnType<typeof rowOf> & { readonly change: NanoUsd }

const COLUMNS: readonly CsvColumn<SpendRow>[] = [
  ['key_id', (row) => csvText(row.key_id)],
  ['name', (row) => csvText(row.name)],
  ['secret', (row) => csvText(row.secret_start === null ? null : `${row.secret_start}…${row.secret_end}`)],
  ['requests', (row) => String(row.requests)],
  ['failed', (row) => String(row.failed)],
  ['input_tokens', (row) => String(row.input_tokens)],
  ['output_tokens', (row) => String(row.output_tokens)],
  ['cost_usd', (row) => row.cost],
  ['share_percent', (row) => (row.share * 100).toFixed(4)],
  ['cost_before_usd', (row) => row.cost_before],
  ['change_usd', ({ change }) => formatUsd(change)],
  ['tags', (row) => csvText(row.tags.join(', '))],
]

/** All keys of the span, those that cost most first, as a CSV file that is made while it is read. */
export function keySpendCsv(
  store: Pick<UsageStore, 'keySpend'>,
  span: Pick<KeySpendQuery, 'accountId' | 'fromMs' | 'toMs' | 'groupId' | 'model' | 'tag'>,
  how: { readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  const dearestFirst = { ...span, orderBy: 'cost', isDescending: true, limit: PAGE } as const
  const pages = pagesFrom<SpendRow, NonNullable<KeySpendQuery['after']>>(async (after) => {
    const { keys, costInAll, next } = await store.keySpend({ ...dearestFirst, after })
    const rows = keys.map((key) => ({
      ...rowOf(key, costInAll),
      change: nanoUsd(key.totals.cost - key.costBefore),
    }))
    return { rows, next }
  })
  return csvStream(COLUMNS, pages, how)
}
