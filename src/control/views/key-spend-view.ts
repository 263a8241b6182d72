import type { KeySpendPageView, TagSpendsView } from '../../contract/usage.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { KeySpend, KeySpendPage, KeySpendQuery, TagSpends } from '../../metering/usage/key-spend.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { csvLine, csvText } from './csv.ts'

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

const HEADER = ['key_id', 'name', 'secret', 'requests', 'failed', 'input_tokens', 'output_tokens']
const MONEY = ['cost_usd', 'share_percent', 'cost_before_usd', 'change_usd', 'tags']
const PAGE = 200
/** More keys than one account is likely to have. */
const PAGES_LIMIT = 500

/** All keys of the span, the dearest first, as a CSV file (RFC 4180) that is made while it is read. */
export function keySpendCsv(
  store: Pick<UsageStore, 'keySpend'>,
  span: Pick<KeySpendQuery, 'accountId' | 'fromMs' | 'toMs' | 'groupId' | 'model' | 'tag'>,
  { startsWithMark }: { readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after: KeySpendQuery['after'] = null
  let pages = 0
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode((startsWithMark ? '\uFEFF' : '') + csvLine([...HEADER, ...MONEY])))
      },
      async pull(controller) {
        const page = await store.keySpend({ ...span, orderBy: 'cost', isDescending: true, after, limit: PAGE })
        after = page.next
        pages += 1
        const lines = page.keys.map((key) => csvLine(cellsOf(rowOf(key, page.costInAll), key)))
        if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
        if (after === null || pages === PAGES_LIMIT) controller.close()
      },
    },
    { highWaterMark: 1 },
  )
}

function cellsOf(row: ReturnType<typeof rowOf>, { totals, costBefore }: KeySpend): readonly string[] {
  const change = totals.cost - costBefore
  return [
    csvText(row.key_id),
    csvText(row.name),
    csvText(row.secret_start === null ? null : `${row.secret_start}…${row.secret_end}`),
    ...[row.requests, row.failed, row.input_tokens, row.output_tokens].map(String),
    row.cost,
    (row.share * 100).toFixed(4),
    row.cost_before,
    `${change < 0n ? '-' : ''}${formatUsd((change < 0n ? -change : change) as NanoUsd)}`,
    csvText(row.tags.join(', ')),
  ]
}
