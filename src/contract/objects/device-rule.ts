import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import {
  type DeviceRule,
  type DeviceRuleOnWire,
  isPresetWithin,
  readDeviceRule,
  writtenDeviceRule,
} from '../../core/device-rule.ts'
import { QUOTA_RESETS } from '../../core/quota-period.ts'
import { usd, usdAmount, wholeNumber } from '../wire-values.ts'
import type { FieldType } from './field-types.ts'

const maxDays = wholeNumber(BOUNDS.group.device_max_days)

/** What people may choose when they approve a device in a group, and what is preset. */
export const DEVICE_RULE: FieldType<DeviceRuleOnWire, DeviceRule> = {
  shown: z
    .object({
      quota: usd.nullable().describe('preset; null: `max_quota`, where there is one'),
      max_quota: usd.nullable().describe('the highest that may be chosen; null: any, and none'),
      quota_reset: z.enum(QUOTA_RESETS).describe('of both; a quota that never resets may be chosen as well'),
      max_days: maxDays.nullable().describe('from the approval until the latest end; null: any, and none'),
    })
    .openapi('DeviceRule'),
  sent: z
    .object({
      quota: usdAmount.nullable().default(null),
      max_quota: usdAmount.nullable().default(null),
      quota_reset: z.enum(QUOTA_RESETS).default('monthly'),
      max_days: maxDays.nullable().default(null),
    })
    .strict()
    .refine((written) => isPresetWithin(readDeviceRule(written)), {
      message: 'must be at most max_quota',
      path: ['quota'],
      // Amounts that are none have been refused by then.
      when: ({ issues }) => issues.length === 0,
    })
    .openapi('DeviceRuleWritten'),
  read: readDeviceRule,
  write: writtenDeviceRule,
}
