import type { GroupView } from '../../../../src/contract/groups.ts'
import { type KeyDraft, QUOTA_RESETS, type QuotaReset } from './key-draft.ts'

/** What a group says of the devices that are approved in it. */
export type DeviceRule = NonNullable<GroupView['devices']>

/** The draft of a device with what its group presets, where its person has not written a quota; null: it says nothing. */
export function withPreset(draft: KeyDraft, rule: DeviceRule | null, isQuotaWritten: boolean): KeyDraft {
  if (rule === null) return draft
  const preset = rule.quota ?? rule.max_quota
  if (preset !== null && !isQuotaWritten) return { ...draft, quotaLimit: preset, quotaReset: rule.quota_reset }
  return resetsWithin(rule).includes(draft.quotaReset) ? draft : { ...draft, quotaReset: rule.quota_reset }
}

/** The periods that may be chosen for a quota: where there is a highest, its own or none. */
export function resetsWithin(rule: DeviceRule | null): readonly QuotaReset[] {
  if (rule === null || rule.max_quota === null) return QUOTA_RESETS
  return QUOTA_RESETS.filter((reset) => reset === 'never' || reset === rule.quota_reset)
}

/** The fewest of some days; null: any number. */
export function fewestDays(...days: readonly (number | null | undefined)[]): number | null {
  const given = days.filter((each) => each != null)
  return given.length === 0 ? null : Math.min(...given)
}
