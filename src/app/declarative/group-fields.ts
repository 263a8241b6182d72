import { z } from 'zod'
import { GROUP } from '../../contract/objects/group.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { type ClaudeSettings, objectionToClaudeSettings } from '../../core/claude-settings.ts'
import { type DeviceRule, isPresetWithin } from '../../core/device-rule.ts'
import { QUOTA_RESETS } from '../../core/quota-period.ts'
import { RESPONSE_CACHE_PRICE, readResponseCache } from '../../core/response-cache-rule.ts'
import { Beyond, field, oneOf, usd, wholeNumber, yesOrNo } from './fields.ts'
import { fileShape } from './file-shape.ts'

/** The fields of a group's response cache, as the contract writes them. */
export const cacheFields = {
  ttl_seconds: wholeNumber(BOUNDS.group.cache_ttl_seconds),
  price: field('a factor in quotes from "0" to "1" with up to six places, such as "0.1"', (value) =>
    typeof value === 'string' && RESPONSE_CACHE_PRICE.test(value) ? value : undefined,
  ).nullish(),
  shared: yesOrNo().nullish(),
}

/** The fields of what a group says of devices, as the contract writes them. */
export const deviceRuleFields = {
  quota: usd(BOUNDS.group.device_quota).nullish(),
  max_quota: usd(BOUNDS.group.device_quota).nullish(),
  quota_reset: oneOf(...QUOTA_RESETS).nullish(),
  max_days: wholeNumber(BOUNDS.group.device_max_days).nullish(),
}

/** The fields of a group in the file. */
export const groupFields = fileShape(GROUP, {
  cache: responseCache(),
  claude_settings: claudeSettings(),
  devices: deviceRule(),
})

/** The rule by which a group keeps answers. */
function responseCache() {
  return z
    .strictObject(cacheFields, `a map with ${Object.keys(cacheFields).join(', ')}`)
    .transform(({ ttl_seconds, price: factor, shared }) =>
      readResponseCache({ ttl_seconds, price: factor ?? '1', shared: shared ?? false }, 0),
    )
}

/** What people may choose for devices that they approve in a group. */
function deviceRule() {
  return z
    .strictObject(deviceRuleFields, `a map with ${Object.keys(deviceRuleFields).join(', ')}`)
    .transform(({ quota, max_quota: maxQuota, quota_reset: quotaReset, max_days: maxDays }): DeviceRule => {
      return {
        quota: quota ?? null,
        maxQuota: maxQuota ?? null,
        quotaReset: quotaReset ?? 'monthly',
        maxDays: maxDays ?? null,
      }
    })
    .refine(isPresetWithin, { message: 'must be at most max_quota', path: ['quota'] })
}

/** What Claude Code on the devices of a group is given: the client's own words, so nothing in it is read here. */
function claudeSettings() {
  return field('a map of settings of Claude Code', (value): ClaudeSettings | Beyond | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    // As it is stored: YAML has objects and numbers that JSON has not.
    const settings = JSON.parse(JSON.stringify(value)) as ClaudeSettings
    const objection = objectionToClaudeSettings(settings)
    return objection === null ? settings : new Beyond(objection)
  })
}
