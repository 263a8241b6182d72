import { z } from '@hono/zod-openapi'
import type { SetLimits } from '../../core/account-limits.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { formatUsd, type NanoUsd, parseUsd } from '../../core/money.ts'
import type { SubscriptionWindow } from '../../core/quota-window.ts'
import { usd, usdAmount } from '../wire-values.ts'
import { type SentLimits, setLimits, setLimitsOf, setLimitsOnWire } from './account-limits.ts'
import { type FieldType, FLAG, lineType, listType, nameType, usdType, wholeType } from './field-types.ts'
import { field, optional } from './object-fields.ts'

/** `term`: one quota for the whole life of a subscription. */
export const quotaWindow = z.enum(['5h', '1d', '7d', '30d', 'term']).openapi({ example: '5h' })

type QuotasOnWire = { window: SubscriptionWindow; usd: string }[]
type Quotas = readonly { readonly window: SubscriptionWindow; readonly usd: NanoUsd }[]

/** Each window at most once. */
const QUOTAS: FieldType<QuotasOnWire, Quotas> = {
  shown: z.array(z.object({ window: quotaWindow, usd })),
  sent: z.array(z.object({ window: quotaWindow, usd: usdAmount }).strict()).max(quotaWindow.options.length),
  read: (sent) => sent.map((each) => ({ window: each.window, usd: parseUsd(each.usd) })),
  write: (held) => held.map((each) => ({ window: each.window, usd: formatUsd(each.usd) })),
}

const LIMITS: FieldType<SentLimits, SetLimits> = {
  shown: setLimits,
  sent: setLimits,
  read: (sent) => setLimitsOf(sent) ?? {},
  write: (held) => setLimitsOnWire(held) ?? {},
}

/** The fields of a plan, which the API and the file write with the names of its groups. */
export const PLAN = {
  name: field('name', nameType(BOUNDS.plan.name)),
  groups: field('groupIds', listType(lineType(BOUNDS.group.name), 'group names', BOUNDS.plan.groups), {
    shown: z.array(z.string()).describe('whose requests it pays for'),
  }),
  opens_groups: field('opensGroups', FLAG, {
    default: true,
    isNewInFile: true,
    shown: z.boolean().describe('closed groups among them are open to accounts that have it'),
    madeText: 'false: it pays in its groups, and opens those that are closed to no account',
  }),
  days: field('days', wholeType(BOUNDS.plan.days), { shown: z.number().int() }),
  price: field('price', usdType(BOUNDS.plan.price), { shown: usd }),
  /** Quotas, each window at most once; a plan without any pays for everything. */
  quotas: field('quotas', QUOTAS, { default: [] }),
  limits: optional('limits', LIMITS, {
    isSparse: true,
    shown: setLimits
      .nullable()
      .describe('of an account while it runs, in place of those of the installation; null: none'),
  }),
}
