import type { AlertView } from '../../src/contract/administration.ts'
import type { LedgerEntryView, RedeemAnswerView, SubscriptionView } from '../../src/contract/billing.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { answer, problem, type MockRoutes } from './mock-route.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PAGE_SIZE = 12

/** Balance, subscriptions, codes, alerts. */
export const mockBilling: MockRoutes = {
  'GET /api/ledger': ({ query, state }) => {
    if (state.isEmpty) return answer<Page<LedgerEntryView>>({ data: [], next_cursor: null })
    const kind = query.get('kind')
    const fits = ledger().filter((entry) => kind === null || entry.kind === kind)
    const start = Number(query.get('cursor') ?? 0)
    const next = start + PAGE_SIZE
    return answer<Page<LedgerEntryView>>({
      data: fits.slice(start, next),
      next_cursor: next < fits.length ? String(next) : null,
    })
  },
  'GET /api/subscriptions': ({ state }) =>
    answer<Page<SubscriptionView>>({ data: state.isEmpty ? [] : subscriptions(), next_cursor: null }),
  'GET /api/alerts': ({ state }) => answer<Page<AlertView>>({ data: state.isEmpty ? [] : alerts(), next_cursor: null }),
  'POST /api/redeem': ({ body }) => {
    const { code } = body as { code: string }
    if (/used/i.test(code)) return problem(409, 'redeem_code_used', 'code')
    if (/wrong/i.test(code)) return problem(422, 'redeem_code_invalid', 'code')
    return answer<RedeemAnswerView>(
      /plan/i.test(code)
        ? { kind: 'plan', amount: null, balance: '42.180354', plan: 'pro', ends_at: from(30 * DAY_MS) }
        : { kind: 'balance', amount: '25', balance: '67.180354', plan: null, ends_at: null },
    )
  },
}

function from(awayMs: number): string {
  return new Date(Date.now() + awayMs).toISOString()
}

function ledger(): readonly LedgerEntryView[] {
  let nano = 42_180_354_000n
  const entries: LedgerEntryView[] = []
  for (let index = 0; index < 40; index += 1) {
    const isGiven = index % 11 === 5
    const change = isGiven ? 10_000_000_000n : -BigInt(1_245_312 + ((index * 7_919_113) % 38_000_000))
    entries.push({
      id: `led_${index}`,
      created_at: from(-(index * index + 4) * 61_000),
      kind: isGiven ? (index % 2 === 1 ? 'redeem' : 'credit') : 'usage',
      amount: text(change),
      balance_after: text(nano),
      request_id: isGiven ? null : `req_01kb${(1_000_000 - index * 37).toString(36)}x7q2m9v4h`,
      reason: isGiven ? 'Invoice 2026-1042' : '',
      actor: isGiven ? 'an admin' : 'gateway',
    })
    nano -= change
  }
  return entries
}

function text(nano: bigint): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, '0')
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}

function subscriptions(): SubscriptionView[] {
  const pro: SubscriptionView = {
    id: 'sub_pro',
    plan: 'pro',
    groups: ['default', 'pro'],
    status: 'running',
    starts_at: from(-12 * DAY_MS),
    ends_at: from(18 * DAY_MS),
    cancelled_at: null,
    quotas: [
      { window: '5h', limit: '5', used: '4.31207', resets_at: from(1.6 * HOUR_MS) },
      { window: '7d', limit: '40', used: '12.84', resets_at: from(3.2 * DAY_MS) },
      { window: '30d', limit: '120', used: '120', resets_at: from(18 * DAY_MS) },
    ],
  }
  return [
    pro,
    {
      ...pro,
      id: 'sub_night',
      plan: 'night shift',
      groups: ['saver'],
      status: 'upcoming',
      starts_at: from(2 * DAY_MS),
      ends_at: from(32 * DAY_MS),
      quotas: [{ window: '1d', limit: '2', used: '0', resets_at: null }],
    },
    { ...pro, id: 'sub_old', status: 'ended', starts_at: from(-60 * DAY_MS), ends_at: from(-30 * DAY_MS), quotas: [] },
  ]
}

function alerts(): AlertView[] {
  return [
    {
      id: 'alr_1',
      created_at: from(-2 * HOUR_MS),
      kind: 'subscription',
      subject_id: 'sub_pro',
      subject_name: 'pro',
      percent: 80,
      limit: '5',
      used: '4.02',
      resets_at: from(1.6 * HOUR_MS),
      deliveries: [{ way: 'mail', delivered_at: from(-2 * HOUR_MS), failed: false }],
    },
    {
      id: 'alr_2',
      created_at: from(-3 * DAY_MS),
      kind: 'key_quota',
      subject_id: 'key_night',
      subject_name: 'nightly batch',
      percent: 100,
      limit: '10',
      used: '10',
      resets_at: null,
      deliveries: [{ way: 'webhook', delivered_at: null, failed: true }],
    },
  ]
}
