import type { ApiKeyView } from '../../src/contract/keys.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Keys in every state that the page has to show. */
export function mockApiKeys(nowMs: number): ApiKeyView[] {
  const at = (awayMs: number): string => new Date(nowMs + awayMs).toISOString()
  return [...usableKeys(at), ...otherKeys(at)]
}

/** A moment that is so many milliseconds away from now. */
type At = (awayMs: number) => string

function plain(id: string, name: string, at: At): ApiKeyView {
  return {
    id: `key_${id}`,
    account_id: 'acc_01kb3v5x2e',
    name,
    group: 'default',
    fallback_groups: [],
    quota_limit: null,
    quota_reset: 'never',
    rate_limit: null,
    expires_at: null,
    allowed_models: [],
    allowed_ips: [],
    status: 'active',
    secret_start: `sk-tg-${id.slice(0, 4).padEnd(4, 'x')}`,
    secret_end: id.slice(-4).padStart(4, '7'),
    created_at: at(-20 * DAY_MS),
    last_used_at: at(-3 * MINUTE_MS),
    spent: '0.042180354',
    quota_resets_at: null,
    managed: false,
    group_multiplier: '1',
    group_enabled: true,
    overlap: null,
  }
}

function usableKeys(at: At): ApiKeyView[] {
  return [
    {
      ...plain('laptop', 'laptop', at),
      quota_limit: '20',
      quota_reset: 'monthly',
      spent: '6.731204',
      quota_resets_at: at(9 * DAY_MS),
      rate_limit: {
        concurrency: 5,
        requests_per_minute: 60,
        tokens_per_minute: 400_000,
        spend: [{ window: '5h', usd: '5' }],
      },
      created_at: at(-2 * DAY_MS),
    },
    {
      ...plain('ci', 'continuous integration', at),
      expires_at: at(4 * DAY_MS + HOUR_MS),
      created_at: at(-3 * DAY_MS),
      overlap: { secret_end: 'p9Qz', ends_at: at(19 * HOUR_MS), last_used_at: at(-12 * MINUTE_MS) },
      last_used_at: at(-12 * MINUTE_MS),
    },
    {
      ...plain('team', 'team agents', at),
      group: 'pro',
      group_multiplier: '1.25',
      fallback_groups: ['default', 'saver'],
      quota_limit: '100',
      quota_reset: 'weekly',
      spent: '88.40219',
      quota_resets_at: at(2 * DAY_MS),
      created_at: at(-5 * DAY_MS),
    },
  ]
}

function otherKeys(at: At): ApiKeyView[] {
  return [
    {
      ...plain('night', 'nightly batch', at),
      group: 'saver',
      group_multiplier: '0.6',
      status: 'quota_exhausted',
      quota_limit: '5',
      quota_reset: 'daily',
      spent: '5',
      quota_resets_at: at(7 * HOUR_MS),
      last_used_at: at(-2 * HOUR_MS),
      created_at: at(-8 * DAY_MS),
    },
    { ...plain('file', 'kiosk', at), managed: true, allowed_ips: ['10.4.0.0/16'], created_at: at(-9 * DAY_MS) },
    {
      ...plain('search', 'search index', at),
      allowed_models: ['text-embedding-4-large'],
      last_used_at: null,
      spent: '0',
      created_at: at(-10 * DAY_MS),
    },
    { ...plain('demo', 'demo', at), status: 'disabled', last_used_at: at(-40 * DAY_MS), created_at: at(-50 * DAY_MS) },
    {
      ...plain('old', 'workshop in Lyon, first group', at),
      status: 'expired',
      group: 'research',
      group_enabled: false,
      expires_at: at(-6 * DAY_MS),
      last_used_at: at(-7 * DAY_MS),
      spent: '0.000420001',
      created_at: at(-60 * DAY_MS),
    },
  ]
}
