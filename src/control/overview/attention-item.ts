import type { AttentionItemView } from '../../contract/attention.ts'

/** What an item has beside its kind and words. */
export const ABOUT_NOTHING = {
  model: null,
  group: null,
  upstream: null,
  credential: null,
  account: null,
  because: null,
  nearest: null,
  used: null,
  limit: null,
  since: null,
  requests: null,
} satisfies Partial<AttentionItemView>
