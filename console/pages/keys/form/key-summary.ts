import type { GroupView } from '../../../../src/contract/groups.ts'
import type { KeySummaryFacts } from '../../../dictionaries/keys-en.ts'
import type { Format } from '../../../format/use-format.ts'
import type { CountField } from '../../../dictionaries/limit-fields.ts'
import { amountOf, countOf } from '../../../forms/typed-numbers.ts'
import { COUNT_FIELDS, KEY_COUNT, linesOf, SPEND_WINDOWS, type KeyDraft } from './key-draft.ts'
import { validate } from './key-draft-check.ts'
import { expiryOf } from './validity.ts'

/**
 * What the sentence about a draft is made of. What cannot be read yet is left out: while the draft is typed, the sentence says
 * what would hold if they stopped here.
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
  const quota = problems.quota_limit === undefined ? money(draft.quotaLimit) : null
  const until = expiryOf(draft.validity, nowMs)
  return {
    name: draft.name.trim(),
    group: draft.group,
    multiplier: group?.multiplier ?? null,
    models:
      draft.allowedModels.length > 0
        ? { kind: 'chosen', names: draft.allowedModels }
        : { kind: 'all', count: group?.model_count ?? null },
    fallbackGroups: draft.fallbackGroups.filter((name) => name !== draft.group),
    until: until === undefined || until === null ? null : format.date(until),
    quota: quota === null ? null : { amount: quota, reset: draft.quotaReset },
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
