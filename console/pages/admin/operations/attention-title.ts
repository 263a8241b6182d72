import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { MANY_KINDS, type ThingToDo } from '../../../api/things-to-do.ts'
import type { PriceDiffers } from '../../../dictionaries/operations-en.ts'
import type { Format } from '../../../format/use-format.ts'
import type { PageTexts } from '../../../dictionaries/page-texts.ts'

/** What titles are written with. */
export interface TitleWords {
  readonly t: PageTexts['operations']
  readonly format: Format
  /** When the list was looked at, in epoch milliseconds. */
  readonly nowMs: number
}

/** What an item says, in the reader’s language. */
export function titleOf(item: ThingToDo, words: TitleWords): string {
  const { t, format } = words
  const model = item.model ?? ''
  const group = format.list(item.groups)
  const upstream = item.upstream?.name ?? ''
  const many = item.parts.length > 0 ? MANY_KINDS.find((kind) => kind === item.kind) : undefined
  if (many !== undefined) return t.many[many](item.parts.length, group, upstream)
  switch (item.kind) {
    case 'credential_held':
    case 'renewal_failing':
      return credentialTitle(item, words)
    case 'spend_cap':
      return t.items.spend_cap([upstream, item.credential ?? item.model].filter((name) => name !== null).join(' · '), {
        used: moneyOf(item.used, format),
        limit: moneyOf(item.limit, format),
      })
    case 'no_target':
    case 'no_margin':
    case 'no_credential':
      return t.items[item.kind](model, group)
    case 'below_cost':
      return t.items.below_cost(model, group, upstream)
    case 'unreached':
      return item.group === null ? t.items.never_reached(model, upstream) : t.items.unreached(model, group, upstream)
    case 'payment_held':
    case 'refund_held':
    case 'no_balance':
      return t.items[item.kind](item.account?.email ?? '')
    case 'redis_down':
      return t.items.redis_down
    case 'backup_old':
      return item.backup?.newest_at === null ? t.items.no_backup : t.items.backup_old
    case 'disk_full':
      return item.disk === null ? '' : t.items.disk_full(item.disk.of, usedShare(item.disk, format))
    case 'store_failing':
      return item.store === null ? '' : t.items.store_failing[item.store]
    case 'clock_off':
      return item.clock === null ? '' : clockTitle(item.clock, t, format)
    case 'node_behind':
      return item.node === null ? '' : t.items.node_behind(item.node.host, format.number(item.node.behind))
    case 'alerts_failing':
      return item.way === null ? '' : t.items.alerts_failing(item.way)
    case 'price_differs':
      return item.price === null ? '' : t.items.price_differs(model, priceWords(item.price, format))
    case 'sign_ins_failing':
      return t.items.sign_ins_failing(format.number(item.sign_ins?.count ?? 0))
    case 'models_added':
    case 'models_gone':
      return item.listed === null ? '' : listedTitle(item.kind, { upstream, listed: item.listed }, { t, format })
    case 'calls_unpriced':
      return t.items.calls_unpriced(model, format.list((item.lacks ?? []).map((kind) => t.calls[kind])))
    case 'model_failing':
      return failingTitle(item, words)
    case 'no_weight':
    case 'unpriced':
    case 'model_unknown':
      return t.items[item.kind](model)
  }
}

/** A credential that is held, or when it will be. */
function credentialTitle(
  { credential, upstream, held_at: heldAt }: ThingToDo,
  { t, format, nowMs }: TitleWords,
): string {
  const of = [credential ?? '', upstream?.name ?? ''] as const
  if (heldAt === null) return t.items.credential_held(...of)
  return t.items.renewal_failing(...of, format.minute(heldAt, nowMs))
}

/** An upstream with how much fails there, or the one model that does. */
function failingTitle(item: ThingToDo, { t, format, nowMs }: TitleWords): string {
  const { model, upstream, why, status, failed, listed, since } = item
  const because = why === null ? null : t.why[why]
  const of = {
    since: since === null ? '' : format.minute(since, nowMs),
    why: because ?? (status === null ? null : String(status)),
    isReachable: why === null || why === 'redirect',
    models: listed?.count ?? 1,
    refused: failed ?? 0,
    shownRefused: format.number(failed ?? 0),
  }
  if (model !== null) return t.items.model_failing(model, upstream?.name ?? '', of)
  return t.items.upstream_failing(upstream?.name ?? '', of)
}

const FEW_NAMES = 3

function listedTitle(
  kind: 'models_added' | 'models_gone',
  { upstream, listed }: { readonly upstream: string; readonly listed: NonNullable<AttentionItemView['listed']> },
  { t, format }: { readonly t: PageTexts['operations']; readonly format: Format },
): string {
  return t.items[kind](upstream, listed.count, format.few(listed.names, FEW_NAMES, listed.count))
}

function usedShare({ bytes, free_bytes: free }: NonNullable<AttentionItemView['disk']>, format: Format): string {
  return format.percent(bytes === 0 ? 1 : 1 - free / bytes)
}

function clockTitle(
  clock: NonNullable<AttentionItemView['clock']>,
  t: PageTexts['operations'],
  format: Format,
): string {
  const { host, ahead_ms: ahead, of } = clock
  return t.items.clock_off(host, { by: format.duration(Math.abs(ahead)), isAhead: ahead > 0, of })
}

function moneyOf(amount: string | null, format: Format): string {
  return amount === null ? '–' : format.money(amount)
}

function priceWords(price: NonNullable<AttentionItemView['price']>, format: Format): PriceDiffers {
  const { ours, listed, dated, ...words } = price
  return {
    ...words,
    ours: format.exactMoney(ours),
    listed: format.exactMoney(listed),
    dated: format.date(`${dated}T00:00:00Z`),
  }
}

/** What to do about an item, sentence by sentence: why it is so where that is known, the likely name, and what helps. */
export function adviceOf(
  { because, nearest, why, kind }: Pick<AttentionItemView, 'because' | 'nearest' | 'why' | 'kind'>,
  t: Pick<PageTexts['operations'], 'because' | 'nearest' | 'obstacle' | 'advice'>,
): readonly string[] {
  return [
    ...(because === 'credential' || because === 'no_credit' ? [t.because[because]] : []),
    ...(why === null ? [] : [t.obstacle(why, null)]),
    ...(nearest === null ? [] : [t.nearest(nearest)]),
    t.advice[kind],
  ]
}
