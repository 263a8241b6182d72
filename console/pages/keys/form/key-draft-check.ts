import { amountOf, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import {
  COUNT_FIELDS,
  KEY_COUNT,
  linesOf,
  rateLimitField,
  SPEND_WINDOWS,
  tagsOf,
  type KeyDraft,
  type KeyField,
} from './key-draft.ts'
import { validateValidity } from './validity.ts'

export type KeyProblem =
  | 'required'
  | 'name_long'
  | 'date_missing'
  | 'date_past'
  | 'amount_unreadable'
  | 'count_unreadable'
  | 'address_unreadable'
  | 'tag_form'
  | 'tags_many'
  | 'custom_form'

/** What can be found wrong without the server; empty: nothing. The server has the last word. */
export function validate(draft: KeyDraft, nowMs: number): Partial<Record<KeyField, KeyProblem>> {
  const validity = validateValidity(draft.validity, nowMs)
  const isSpendReadable = SPEND_WINDOWS.every((window) => isAmount(draft.spend[window]))
  const found: Partial<Record<KeyField, KeyProblem | undefined>> = {
    name: draft.name.trim() === '' ? 'required' : draft.name.trim().length > 100 ? 'name_long' : undefined,
    group: draft.group === '' ? 'required' : undefined,
    expires_at: validity,
    quota_limit: isAmount(draft.quotaLimit) ? undefined : 'amount_unreadable',
    ...Object.fromEntries(
      COUNT_FIELDS.map((field) => [
        rateLimitField(field),
        isCount(draft.counts[field]) ? undefined : ('count_unreadable' as const),
      ]),
    ),
    'rate_limit.spend': isSpendReadable ? undefined : 'amount_unreadable',
    allowed_ips: linesOf(draft.allowedIps).every(looksLikeAddress) ? undefined : 'address_unreadable',
    tags: validateTags(tagsOf(draft.tags)),
    custom_key: draft.isCustom && !isCustomForm(draft.customKey.trim()) ? 'custom_form' : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

/** Whether it is empty, or an amount. */
function isAmount(text: string): boolean {
  return isEmptyOr(amountOf, text)
}

function isCount(text: string): boolean {
  return isEmptyOr((typed) => countOf(typed, KEY_COUNT), text)
}

function validateTags(tags: readonly string[]): KeyProblem | undefined {
  if (tags.length > MOST_TAGS) return 'tags_many'
  return tags.every((tag) => tag.length <= TAG_CHARACTERS && !/["\\]/.test(tag)) ? undefined : 'tag_form'
}

/** The most tags that the API takes. */
const MOST_TAGS = 20
const TAG_CHARACTERS = 40

/** Roughly: whether it is a real one is for the server to say. */
function looksLikeAddress(text: string): boolean {
  return /^[0-9a-f:.]{2,45}(\/\d{1,3})?$/i.test(text) && /[.:]/.test(text)
}

/** Whether the API takes this form of a key. Whether it is easy to guess is not said here: see the answer to `custom_key_unavailable`. */
function isCustomForm(text: string): boolean {
  return /^[A-Za-z0-9_-]{20,128}$/.test(text) && !/^sk-tg-/i.test(text)
}
