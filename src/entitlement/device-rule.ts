import type { KeySettings, SentSettings } from '../access/key-settings.ts'
import { laterByDays } from '../access/subscription.ts'
import type { DeviceRule } from '../core/device-rule.ts'
import { formatUsd } from '../core/money.ts'
import { SettingsRefusal } from './settings-refusal.ts'

type Chosen = Pick<KeySettings, 'quotaLimit' | 'quotaReset' | 'expiresAt'>

/** What was sent for a device that is approved at `madeAt`, with what its group presets where nothing was sent. */
export function withPreset(sent: SentSettings, rule: DeviceRule | undefined, madeAt: number): SentSettings {
  if (rule === undefined) return sent
  const quota = rule.quota ?? rule.maxQuota
  const isQuotaPreset = sent.quota_limit === undefined && quota !== null
  const isEndPreset = sent.expires_at === undefined && rule.maxDays !== null
  return {
    ...sent,
    ...(isQuotaPreset ? { quota_limit: formatUsd(quota), quota_reset: rule.quotaReset } : {}),
    ...(isEndPreset ? { expires_at: new Date(laterByDays(madeAt, rule.maxDays)).toISOString() } : {}),
  }
}

/** Judges what was chosen for a device by the rule of its group. Throws SettingsRefusal. */
export function requireWithinRule(chosen: Chosen, rule: DeviceRule, madeAt: number): void {
  const { maxQuota, quotaReset, maxDays } = rule
  if (maxQuota !== null) {
    const most = formatUsd(maxQuota)
    if (chosen.quotaLimit === null || chosen.quotaLimit > maxQuota) {
      throw new SettingsRefusal(['quota_limit'], `at most ${most}: devices of this group may have no more`, {
        form: 'at_most',
        values: [most],
      })
    }
    const resets = [...new Set([quotaReset, 'never'])]
    if (!resets.includes(chosen.quotaReset)) {
      throw new SettingsRefusal(['quota_reset'], `${resets.join(' or ')} for devices of this group`, {
        form: 'one_of',
        values: resets,
      })
    }
  }
  if (maxDays === null) return
  const latest = laterByDays(madeAt, maxDays)
  if (chosen.expiresAt !== null && chosen.expiresAt <= latest) return
  throw new SettingsRefusal(
    ['expires_at'],
    `a time until ${new Date(latest).toISOString()}: devices of this group are valid for ${maxDays === 1 ? '1 day' : `${maxDays} days`} at most`,
    { form: 'time_until', values: [new Date(latest).toISOString(), String(maxDays)] },
  )
}
