import { describe, expect, test } from 'vitest'
import type { GroupView } from '../../src/contract/groups.ts'
import { creditLines } from '../pages/admin/accounts/credit-lines.ts'
import {
  limitsOf,
  validate as validateLimits,
  toForm as toLimitsForm,
} from '../pages/admin/accounts/one/limits-form.ts'
import { multiplierProblem } from '../pages/admin/accounts/one/multiplier-problem.ts'
import { NEW_GROUP, validate as validateGroup, settingsOf as groupOf } from '../pages/admin/groups/group-form.ts'
import { validate as validatePlan, settingsOf as planOf, toForm as toPlanForm } from '../pages/admin/plans/plan-form.ts'
import { numberOf } from '../pages/admin/prices/facts/rule-change.ts'
import { validate as validatePrice, priceOf, toForm as toPriceForm } from '../pages/admin/prices/price-form.ts'
import { newTarget, validateTarget, targetOf } from '../pages/admin/prices/target-form.ts'
import { amountsIn } from '../pages/admin/settings/payments/typed-amounts.ts'
import { valueOf } from '../pages/admin/settings/setting-form.ts'
import { validate as validateKey } from '../pages/keys/form/key-draft-check.ts'
import { creationOf, newDraft } from '../pages/keys/form/key-draft.ts'
import { amountOf, countOf, factorOf, sumAboveZero } from './typed-numbers.ts'

/** Texts with the number that a person means; null: it can mean two, or is not what the field takes. */
const AMOUNTS = [
  ['5', '5'],
  ['5,00', '5'],
  ['1,234.50', '1234.5'],
  ['1.234,50', '1234.5'],
  ['1 234,50', '1234.5'],
  ['12,5', '12.5'],
  ['１２', '12'],
  ['$ 12.50', '12.5'],
  ['.5', '0.5'],
  ['1.234', '1.234'],
  ['1,234', null],
  ['12,34.5', null],
  ['￥5', null],
  ['5e3', null],
  ['-5', null],
  ['5k', null],
  ['99999999999', null],
] as const
const COUNTS = [
  ['60', 60],
  ['1,234', 1234],
  ['１２', 12],
  ['1.234', null],
  ['5,00', null],
  ['12.5', null],
  ['-5', null],
  ['1e3', null],
  ['99999999999999', null],
] as const
const FACTORS = [
  ['0,85', '0.85'],
  ['×0.8', '0.8'],
  ['１．５', '1.5'],
  ['1,125', null],
  ['$2', null],
  ['-1', null],
  ['1000000', null],
] as const

type Sent = string | number | null | undefined

/** What is sent for a text, unless the form objects to it. */
function unless(objections: object, field: string, sent: () => Sent): Sent {
  return Object.hasOwn(objections, field) ? null : (sent() ?? null)
}

const NOW_MS = 1_800_000_000_000
const key = newDraft('k', 'default')
const target = { ...newTarget('u', 'm'), factor: '1' }
const settings = (limits: object): Sent => {
  const wished = valueOf('account_limits', { text: '', limits, imports: [] })
  if (!('value' in wished)) return null
  const { spend, ...counts } = wished.value as { spend?: { usd: string }[]; [count: string]: unknown }
  return spend?.[0]?.usd ?? (Object.values(counts)[0] as Sent)
}

const AMOUNT_FIELDS: Readonly<Record<string, (text: string) => Sent>> = {
  'quota of a key': (text) => {
    const draft = { ...key, quotaLimit: text }
    return unless(validateKey(draft, NOW_MS), 'quota_limit', () => creationOf(draft, NOW_MS).quota_limit)
  },
  'cap of a key': (text) => {
    const draft = { ...key, spend: { ...key.spend, '1d': text } }
    return unless(
      validateKey(draft, NOW_MS),
      'rate_limit.spend',
      () => creationOf(draft, NOW_MS).rate_limit?.spend?.[0]?.usd,
    )
  },
  'price of a plan': (text) => {
    const form = { ...toPlanForm(null), price: text }
    return unless(validatePlan(form), 'price', () => planOf(form).price)
  },
  'quota of a plan': (text) => {
    const form = { ...toPlanForm(null), quotas: { ...toPlanForm(null).quotas, '7d': text } }
    return unless(validatePlan(form), '7d', () => planOf(form).quotas[0]?.usd)
  },
  'cap of an account': (text) => {
    const form = { ...toLimitsForm(null), '5h': text }
    return unless(validateLimits(form), '5h', () => limitsOf(form)?.spend?.[0]?.usd)
  },
  'cap of the settings': (text) => settings({ '1d': text }),
  'price of tokens': (text) => {
    const form = { ...toPriceForm(null), amounts: { ...toPriceForm(null).amounts, input: text } }
    return unless(validatePrice(form), 'price.input', () => priceOf(form)?.input)
  },
  'cap of a target': (text) => {
    const form = { ...target, spend_per_day: text }
    const sent = () => (targetOf(form) as { spend_per_day: string | null }).spend_per_day
    return unless(validateTarget(form), 'spend_per_day', sent)
  },
  'credit in bulk': (text) => {
    const [line] = creditLines(`ada@example.com;${text}`)
    return line?.objection === null ? line.amount : null
  },
  'credit in bulk, between commas': (text) => {
    const [line] = creditLines(`ada@example.com,"${text}"`)
    return line?.objection === null ? line.amount : null
  },
  'any other amount': amountOf,
}

const COUNT_FIELDS: Readonly<Record<string, (text: string) => Sent>> = {
  'requests of a key': (text) => {
    const draft = { ...key, counts: { ...key.counts, requests_per_minute: text } }
    return unless(
      validateKey(draft, NOW_MS),
      'rate_limit.requests_per_minute',
      () => creationOf(draft, NOW_MS).rate_limit?.requests_per_minute,
    )
  },
  'days of a plan': (text) => {
    const form = { ...toPlanForm(null), days: text }
    return unless(validatePlan(form), 'days', () => planOf(form).days)
  },
  'keys of an account': (text) => {
    const form = { ...toLimitsForm(null), max_keys: text }
    return unless(validateLimits(form), 'max_keys', () => limitsOf(form)?.max_keys)
  },
  'tokens of the settings': (text) => settings({ tokens_per_minute: text }),
  'weight of a target': (text) => {
    const form = { ...target, weight: text }
    return unless(validateTarget(form), 'weight', () => (targetOf(form) as { weight: number }).weight)
  },
  'tokens of a fact': (text) => {
    const number = numberOf(text, { least: 0 } as unknown as Parameters<typeof numberOf>[1])
    return typeof number === 'number' ? number : null
  },
  'any other count': (text) => countOf(text, { least: 1, most: 1_000_000 }),
}

const FACTOR_FIELDS: Readonly<Record<string, (text: string) => Sent>> = {
  'multiplier of a group': (text) => {
    const form = { ...NEW_GROUP, multiplier: text }
    const cache: GroupView['cache'] = null
    return unless(validateGroup(form), 'multiplier', () => groupOf(form, cache).multiplier)
  },
  'multiplier of an account': (text) => (multiplierProblem(text, '1000') === null ? factorOf(text) : null),
  'cost of a target': (text) => {
    const form = { ...target, factor: text }
    const sent = () => (targetOf(form) as { cost: { factor: string } | null }).cost?.factor
    return unless(validateTarget(form), 'factor', sent)
  },
  'factor of a class of service': (text) => {
    const form = { ...toPriceForm(null), services: [{ name: 'fast', factor: text }] }
    const sent = () => priceOf(form)?.service_tiers?.['fast']?.factor
    return unless(validatePrice(form), 'services.0.factor', sent)
  },
  'any other factor': factorOf,
}

describe.each(Object.entries(AMOUNT_FIELDS))('the %s', (_field, sent) => {
  test.each(AMOUNTS)('typed as %s is %s', (text, means) => expect(sent(text)).toBe(means))
})

describe.each(Object.entries(COUNT_FIELDS))('the %s', (_field, sent) => {
  test.each(COUNTS)('typed as %s is %s', (text, means) => expect(sent(text)).toBe(means))
})

describe.each(Object.entries(FACTOR_FIELDS))('the %s', (_field, sent) => {
  test.each(FACTORS)('typed as %s is %s', (text, means) => expect(sent(text)).toBe(means))
})

test('what cannot be read is never sent as no limit', () => {
  expect(creationOf({ ...key, quotaLimit: '1,234' }, NOW_MS).quota_limit).toBe('1,234')
})

test('a refund is an amount in the currency of its order, and a dollar sign is not', () => {
  expect(sumAboveZero('1.234,50')).toBe('1234.5')
  for (const text of ['$5', '0', '-1', '1,234']) expect(sumAboveZero(text)).toBeNull()
})

test.each([
  ['5 12.50 100', ['5', '12.5', '100']],
  ['5, 10, 20', ['5', '10', '20']],
  ['5；10、20', ['5', '10', '20']],
  ['1,234.50 $2', ['1234.5', '2']],
  ['', []],
  // Two amounts, or one.
  ['10,20', null],
  ['5,00 10,00', null],
  ['1,000', null],
  ['5 ten', null],
])('the amounts on offer, typed as %s, are %j', (text, amounts) => expect(amountsIn(text)).toEqual(amounts))
