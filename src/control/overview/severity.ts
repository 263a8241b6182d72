import type { AttentionItemView } from '../../contract/attention.ts'

const BAD: ReadonlySet<AttentionItemView['kind']> = new Set([
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

type JudgedItem = Pick<AttentionItemView, 'kind' | 'disk'>

/** Whether an item stops requests or loses something, or is a warning only. */
function severityOf({ kind, disk }: JudgedItem): AttentionItemView['severity'] {
  const isBad = BAD.has(kind) || (disk !== null && disk.free_bytes <= disk.bytes * VERY_LITTLE)
  return isBad ? 'bad' : 'warning'
}

/** Judges each item. The bad ones come first, and equals in the order in which they came. */
export function worstFirst<Item extends JudgedItem>(
  items: readonly Item[],
): readonly (Item & Pick<AttentionItemView, 'severity'>)[] {
  const judged = items.map((item) => ({ ...item, severity: severityOf(item) }))
  return [
    ...judged.filter(({ severity }) => severity === 'bad'),
    ...judged.filter(({ severity }) => severity !== 'bad'),
  ]
}
