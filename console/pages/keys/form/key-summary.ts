import type { GroupView } from '../../../../src/contract/groups.ts'
import type { KeySummaryFacts } from '../../../dictionaries/keys-en.ts'
import type { Format } from '../../../format/use-format.ts'
import type { CountField } from '../../../dictionaries/limit-fields.ts'
import { amountOf, countOf } from '../../../forms/typed-numbers.ts'
import { scaled } from '../../../format/money.ts'
import { COUNT_FIELDS, KEY_COUNT, linesOf, type QuotaReset, SPEND_WINDOWS, type KeyDraft } from './key-draft.ts'
import { validate } from './key-draft-check.ts'
import { expiryOf } from './validity.ts'

/**
 * What the sentence about a draft is made of. A quota or an end that cannot be read yet is a dash, so that the sentence
 * promises nothing; other limits that cannot be read are left out.
 */
export function summaryFacts(
  draft: KeyDraft,
  groups: readonly GroupView[],
  how: { readonly nowMs: number; readonly format: Format },
): KeySummaryFacts {
  const { format, nowMs } = how
  const problems = validate(draft, nowMs)
  const group = groups.find((each) => each.name === draft.group)
  const money = (text: string): string | null => {
    const amount = amountOf(text)
    return amount === null ? null : format.money(amount)
  }
  const count = (field: CountField): KeySummaryFacts['counts'][number] | null => {
    const typed = countOf(draft.counts[field], KEY_COUNT)
    return typed === null ? null : { field, count: format.number(typed) }
  }
  const quota = problems.quota_limit === undefined ? amountOf(draft.quotaLimit) : null
  const until = problems.expires_at === undefined ? (expiryOf(draft.validity, nowMs) ?? null) : null
  const periods = until === null ? 1 : periodsUntil(draft.quotaReset, nowMs, Date.parse(until))
  return {
    name: draft.name.trim(),
    group: draft.group,
    multiplier: group?.multiplier ?? null,
    models:
      draft.allowedModels.length > 0
        ? { kind: 'chosen', names: draft.allowedModels }
        : { kind: 'all', count: group?.model_count ?? null },
    fallbackGroups: draft.fallbackGroups.filter((name) => name !== draft.group),
    until: problems.expires_at !== undefined ? UNKNOWN : until === null ? null : format.date(until),
    quota:
      problems.quota_limit !== undefined
        ? { amount: UNKNOWN, reset: draft.quotaReset, inAll: null }
        : quota === null
          ? null
          : {
              amount: format.money(quota),
              reset: draft.quotaReset,
              inAll: periods === 1 ? null : format.money(scaled(quota, String(periods), '1')),
            },
    counts: COUNT_FIELDS.flatMap((field) => count(field) ?? []),
    spend:
      problems['rate_limit.spend'] === undefined
        ? SPEND_WINDOWS.flatMap((window) => {
            const amount = money(draft.spend[window])
            return amount === null ? [] : [{ window, amount }]
          })
        : [],
    addresses: linesOf(draft.allowedIps).length,
    isCustom: draft.isCustom,
  }
}

const UNKNOWN = '–'
const DAY_MS = 86_400_000

/** The number of periods of its quota, calendar days, weeks and months in UTC, in which a key that ends then can spend. */
function periodsUntil(reset: QuotaReset, nowMs: number, endMs: number): number {
  const [first, last] = [new Date(nowMs), new Date(endMs)]
  const days = Math.floor(endMs / DAY_MS) - Math.floor(nowMs / DAY_MS)
  switch (reset) {
    case 'never':
      return 1
    case 'daily':
      return days + 1
    case 'weekly':
      // Weeks begin on Monday; in JavaScript, on Sunday.
      return Math.floor((((first.getUTCDay() + 6) % 7) + days) / 7) + 1
    case 'monthly':
      return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  }
}
