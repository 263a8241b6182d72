import type { AttentionItemView } from '../../../../src/contract/attention.ts'

const BAD: readonly string[] = [
  'credential_held',
  'model_failing',
  'no_target',
  'no_margin',
  'no_credential',
  'backup_old',
  'payment_held',
  'refund_held',
]
/** A disk with less than this part left. */
const VERY_LITTLE = 0.05

/** Whether it stops requests or loses something, rather than being a warning only. */
export function isBad({ kind, disk }: Pick<AttentionItemView, 'kind' | 'disk'>): boolean {
  return BAD.includes(kind) || (disk !== null && disk.free_bytes <= disk.bytes * VERY_LITTLE)
}

/** Those first; among equals in the order of the API. */
export function worstFirst<Item extends Pick<AttentionItemView, 'kind' | 'disk'>>(
  items: readonly Item[],
): readonly Item[] {
  return [...items.filter(isBad), ...items.filter((item) => !isBad(item))]
}
