import type { AttentionItemView } from '../../contract/attention.ts'

/** An item as it was found, before it is judged. What it leaves out it is not about. */
export type RawItem = Partial<Omit<AttentionItemView, 'id' | 'severity'>> & Pick<AttentionItemView, 'kind' | 'detail'>

/** An item that is judged, before it is known when it was first listed. */
export type FoundItem = Omit<AttentionItemView, 'id'>

/** What an item has beside its kind and words. */
const ABOUT_NOTHING = {
  model: null,
  group: null,
  upstream: null,
  credential: null,
  account: null,
  order: null,
  because: null,
  said: null,
  nearest: null,
  why: null,
  disk: null,
  store: null,
  clock: null,
  node: null,
  way: null,
  backup: null,
  price: null,
  sign_ins: null,
  listed: null,
  lacks: null,
  used: null,
  limit: null,
  since: null,
  requests: null,
} satisfies Partial<AttentionItemView>

export function wholeItem(item: RawItem): Omit<AttentionItemView, 'id' | 'severity'> {
  return { ...ABOUT_NOTHING, ...item }
}
