/** Plans, and sources that answer as a test says, to compare the one with the other. */
import { nanoUsd, ONE_PPM, parseMultiplier } from '../../../src/core/money.ts'
import type { ModelPrices } from '../../../src/core/price-rules.ts'
import { modelPricesOf } from '../../../src/metering/prices/written-prices.ts'
import type { ImportPlan, PlannedKey, Product } from '../../../src/import/import-plan.ts'
import { type SourceAnswer, verifyPlan } from '../../../src/import/verify-import.ts'

/** USD for a million tokens, as nano-USD. */
export const usd = (amount: number) => nanoUsd(BigInt(Math.round(amount * 1e9)))
const prices = (input: number, output: number, more: object = {}): ModelPrices =>
  modelPricesOf({ input: usd(input), output: usd(output), ...more })

const CACHED = { cache_read: usd(0.25), cache_write: usd(3.125) }
export const SECRET = 'sk-secret-of-the-first-key-0123456789abcdef'

export function key(name: string, more: Partial<PlannedKey> = {}): PlannedKey {
  return {
    id: name,
    accountId: '1',
    secret: `sk-${name}-${'x'.repeat(40)}`,
    name,
    group: 'default',
    fallbackGroups: [],
    isActive: true,
    createdAt: null,
    expiresAt: null,
    quotaLimit: null,
    quotaUsed: nanoUsd(0n),
    rateLimit: null,
    spent: [],
    allowedModels: [],
    allowedIps: [],
    ...more,
  }
}

export function planOf(product: Product, more: Partial<ImportPlan> = {}): ImportPlan {
  const upstream = {
    protocol: 'openai-chat',
    baseUrl: 'http://10.0.0.1',
    proxyUrl: null,
    headers: {},
    maxConcurrency: null,
  } as const
  const target = { upstream: 'up', model: 'x', priority: 0, weight: 1, groups: ['default', 'vip'], costFactor: null }
  return {
    product,
    groups: [
      { name: 'default', multiplier: ONE_PPM, isOpen: true, isEnabled: true },
      { name: 'vip', multiplier: parseMultiplier('0.5'), isOpen: false, isEnabled: true },
    ],
    upstreams: [{ ...upstream, id: '1', name: 'up', credentials: [{ name: 'a', secret: 's', isDisabled: false }] }],
    models: [
      { name: 'gpt-4o', prices: prices(2.5, 10, CACHED), targets: [target] },
      {
        name: 'mini',
        prices: prices(0.15, 0.6, { cache_read: usd(0.015), cache_write: usd(0.1875) }),
        targets: [target],
      },
    ],
    accounts: [],
    keys: [key('first', { secret: SECRET }), key('second', { group: 'vip' })],
    plans: [],
    subscriptions: [],
    codes: [],
    notes: [],
    approximations: [],
    ...more,
  }
}

type Answers = Readonly<Record<string, unknown>>
export const LISTS = { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'mini' }] }

/** Answers by path; a function answers by the headers. */
export async function verified(
  plan: ImportPlan,
  answers: Answers,
  about: { adminKey?: string | null; over?: boolean; answer?: (path: string) => unknown } = {},
) {
  const asked: { path: string; headers: Readonly<Record<string, string>> }[] = []
  const { lines, isSame } = await verifyPlan(plan, {
    ask: (path, headers) => {
      asked.push({ path, headers })
      const given = about.answer?.(path) ?? answers[path.split('?')[0] ?? '']
      const body: unknown = typeof given === 'function' ? (given as (of: object) => unknown)(headers) : given
      if (isAnswer(body)) return Promise.resolve(body)
      return Promise.resolve({ kind: 'answered', status: body === undefined ? 404 : 200, body: body ?? null })
    },
    adminKey: about.adminKey ?? null,
    nowMs: 1_000,
    isOver: () => about.over === true,
    onKey: () => {},
  })
  return { text: lines.join('\n'), summary: lines[0], isSame, asked }
}

function isAnswer(value: unknown): value is SourceAnswer {
  return typeof value === 'object' && value !== null && 'kind' in value
}

export const status = (code: number, body: unknown = { error: 'no' }): SourceAnswer => ({
  kind: 'answered',
  status: code,
  body,
})
