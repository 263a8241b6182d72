import { settingsOnWire, UNSET } from '../../src/access/key-settings.ts'
import type { ApiKeyView } from '../../src/contract/keys.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Keys as the API returns them: without any settings, with every kind of limit, and in the states between. */
export function keyViews(nowMs: number): readonly ApiKeyView[] {
  const at = (awayMs: number): string => new Date(nowMs + awayMs).toISOString()
  return [
    {
      ...plain('laptop', at(-2 * DAY_MS)),
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
    },
    {
      ...plain('build server', at(-3 * DAY_MS)),
      expires_at: at(4 * DAY_MS + HOUR_MS),
      overlap: { secret_end: 'p9Qz', ends_at: at(19 * HOUR_MS), last_used_at: at(-HOUR_MS) },
    },
    {
      ...plain('team agents', at(-5 * DAY_MS)),
      group: 'pro',
      group_multiplier: '1.25',
      fallback_groups: ['default', 'saver'],
      quota_limit: '100',
      quota_reset: 'weekly',
      spent: '88.40219',
      quota_resets_at: at(2 * DAY_MS),
    },
    {
      ...plain('nightly batch', at(-8 * DAY_MS)),
      status: 'quota_exhausted',
      quota_limit: '5',
      quota_reset: 'daily',
      spent: '5',
      quota_resets_at: at(7 * HOUR_MS),
    },
    { ...plain('kiosk', at(-9 * DAY_MS)), managed: true, allowed_ips: ['10.4.0.0/16'] },
    { ...plain('search index', at(-10 * DAY_MS)), allowed_models: ['text-embedding-4-large'], last_used_at: null },
    { ...plain('demo', at(-50 * DAY_MS)), status: 'disabled' },
    {
      ...plain('workshop in Lyon, first group', at(-60 * DAY_MS)),
      status: 'expired',
      group: 'research',
      group_enabled: false,
      expires_at: at(-6 * DAY_MS),
    },
  ]
}

function plain(name: string, createdAt: string): ApiKeyView {
  return {
    id: `key_${name.replaceAll(/\W/g, '')}`,
    version: 'v1',
    account_id: 'acc_01kb3v5x2e',
    ...settingsOnWire({ ...UNSET, name, groupId: 'default', fallbackGroupIds: [] }, (id) => id),
    status: 'active',
    secret_start: 'sk-tg-Hq7R',
    secret_end: 'tN0r',
    created_at: createdAt,
    last_used_at: createdAt,
    spent: '0.042180354',
    quota_resets_at: null,
    managed: false,
    playground: false,
    group_multiplier: '1',
    group_enabled: true,
    overlap: null,
    captured_until: null,
    quota_raise: null,
  }
}
