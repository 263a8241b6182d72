import type { AttentionItemView } from '../../contract/attention.ts'
import { parseUsd } from '../../core/money.ts'

type Kind = AttentionItemView['kind']

/**
 * Every kind, the one with the most at stake first: nothing is served at all; money is lost by each request, or held; requests
 * are refused; something will be lost; what may wait.
 */
const BY_STAKES = [
  ['store_failing'],
  ['below_cost'],
  ['price_differs'],
  ['payment_held', 'refund_held'],
  ['calls_unpriced'],
  ['no_balance'],
  ['model_failing', 'credential_held', 'no_credential', 'no_margin', 'no_target', 'unpriced'],
  ['spend_cap', 'renewal_failing'],
  ['disk_full', 'backup_old'],
  ['redis_down', 'node_behind', 'clock_off'],
  ['sign_ins_failing', 'alerts_failing'],
  ['model_unknown', 'models_gone'],
  ['no_weight', 'unreached', 'models_added'],
] as const satisfies readonly (readonly Kind[])[]

/** A price that is off by less is no more than a warning, and comes after what refuses requests. */
const FAR_OFF = 3n
const SLIGHTLY_OFF_RANK = BY_STAKES.findIndex((kinds) => kinds.some((kind) => kind === 'spend_cap'))

const RANKS: ReadonlyMap<Kind, number> = new Map(BY_STAKES.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank])))

const BAD: ReadonlySet<Kind> = new Set([
  'below_cost',
  'credential_held',
  'model_failing',
  'no_target',
  'no_margin',
  'no_credential',
  'backup_old',
  'payment_held',
  'refund_held',
  'store_failing',
])
/** A disk with less than this part left. */
const VERY_LITTLE = 0.05

type JudgedItem = Pick<AttentionItemView, 'kind' | 'disk' | 'price' | 'requests'>

/** Whether an item stops requests or loses something, or is a warning only. */
function severityOf({ kind, disk, price }: JudgedItem): AttentionItemView['severity'] {
  const isNearlyFull = disk !== null && disk.free_bytes <= disk.bytes * VERY_LITTLE
  return BAD.has(kind) || isNearlyFull || isFarOff(price) ? 'bad' : 'warning'
}

function isFarOff(price: AttentionItemView['price']): boolean {
  if (price === null) return false
  const [ours, listed] = [parseUsd(price.ours), parseUsd(price.listed)]
  return ours >= listed * FAR_OFF || listed >= ours * FAR_OFF
}

function rankOf({ kind, price }: JudgedItem): number {
  return price === null || isFarOff(price) ? (RANKS.get(kind) ?? BY_STAKES.length) : SLIGHTLY_OFF_RANK
}

/** Judges each item. The one with the most at stake comes first, of equals the one with the most requests. */
export function worstFirst<Item extends JudgedItem>(
  items: readonly Item[],
): readonly (Item & Pick<AttentionItemView, 'severity'>)[] {
  return items
    .map((item) => ({ ...item, severity: severityOf(item) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (b.requests ?? 0) - (a.requests ?? 0))
}
