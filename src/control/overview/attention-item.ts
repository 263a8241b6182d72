import { attentionItem, type AttentionItemView } from '../../contract/attention.ts'

/** An item as it was found, before it is judged. What it leaves out it is not about. */
export type RawItem = Partial<Omit<AttentionItemView, 'id' | 'severity'>> & Pick<AttentionItemView, 'kind' | 'detail'>

/** An item that is judged, before it is known when it was first listed. */
export type FoundItem = Omit<AttentionItemView, 'id'>

/** What an item has beside its kind and words: no field of those that may be null. */
const ABOUT_NOTHING = Object.fromEntries(
  Object.entries(attentionItem.shape).flatMap(([field, type]) => (type.isNullable() ? [[field, null]] : [])),
) as Omit<AttentionItemView, 'id' | 'severity' | 'kind' | 'detail'>

export function wholeItem(item: RawItem): Omit<AttentionItemView, 'id' | 'severity'> {
  return { ...ABOUT_NOTHING, ...item }
}
