import { formatUsd, type NanoUsd, parseUsd } from './money.ts'
import type { QuotaReset } from './quota-period.ts'

/** What a group says of the devices that are approved in it. */
export interface DeviceRule {
  /** The quota that is preset; null: the highest, where there is one. */
  readonly quota: NanoUsd | null
  /** The highest quota that may be chosen; null: any, and none. */
  readonly maxQuota: NanoUsd | null
  /** The period of both. A quota that never resets is within one that does. */
  readonly quotaReset: QuotaReset
  /** Days from the approval until the latest end that may be chosen; null: any, and none. */
  readonly maxDays: number | null
}

/** The rule as the API and the declarative file write it. */
export interface DeviceRuleOnWire {
  readonly quota: string | null
  readonly max_quota: string | null
  readonly quota_reset: QuotaReset
  readonly max_days: number | null
}

export function readDeviceRule(written: DeviceRuleOnWire): DeviceRule {
  const amount = (usd: string | null): NanoUsd | null => (usd === null ? null : parseUsd(usd))
  const { quota, max_quota: most, quota_reset: quotaReset, max_days: maxDays } = written
  return { quota: amount(quota), maxQuota: amount(most), quotaReset, maxDays }
}

export function writtenDeviceRule({ quota, maxQuota, quotaReset, maxDays }: DeviceRule): DeviceRuleOnWire {
  const amount = (usd: NanoUsd | null): string | null => (usd === null ? null : formatUsd(usd))
  return { quota: amount(quota), max_quota: amount(maxQuota), quota_reset: quotaReset, max_days: maxDays }
}

/** Whether what is preset may be chosen. */
export function isPresetWithin({ quota, maxQuota }: Pick<DeviceRule, 'quota' | 'maxQuota'>): boolean {
  return quota === null || maxQuota === null || quota <= maxQuota
}
