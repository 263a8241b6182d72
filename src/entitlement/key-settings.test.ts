import { describe, expect, test } from 'vitest'
import type { Group } from '../access/group.ts'
import type { KeySettings, WantedSettings } from '../access/key-settings.ts'
import { nanoUsd, ONE_PPM } from '../core/money.ts'
import { NO_COUNTS } from '../core/counted-limits.ts'
import { judgeSettings, newKey, objectionToOwner, adminMayUse } from './key-settings.ts'
import { SettingsRefusal } from './settings-refusal.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

const GROUPS = (['default', 'second', 'off', 'closed'] as const).map((name): Group => ({
  id: `grp_${name}`,
  name,
  multiplier: ONE_PPM,
  models: name === 'closed' ? ['large'] : ['small'],
  isEnabled: name !== 'off',
  isOpen: name !== 'closed',
  isManaged: false,
}))

const context = {
  catalogue: {
    groupsById: new Map(GROUPS.map((group) => [group.id, group])),
    modelsByName: new Map(['small', 'large', 'unserved'].map((name) => [name, null])),
  },
  mayUse: (group: Group) => group.isEnabled && group.isOpen,
  nowMs: NOW,
  maxKeyValidityDays: null,
  madeAt: NOW,
}

const NEW: WantedSettings = { name: 'laptop', group: 'default' }

const BEFORE: KeySettings = newKey(
  {
    name: 'laptop',
    groupId: 'grp_off',
    fallbackGroupIds: ['grp_closed'],
    expiresAt: NOW - 1,
    allowedModels: ['retired'],
  },
  { id: 'key_1', accountId: 'acc_1', createdAt: 0, isManaged: false },
)

const LIMITLESS = { ...NO_COUNTS, spend: [] }

function refusalOf(wanted: WantedSettings, before: KeySettings | null = null): string {
  try {
    judgeSettings(wanted, before, context)
  } catch (error) {
    if (error instanceof SettingsRefusal) return error.field.join('.')
    throw error
  }
  return 'accepted'
}

describe('a key that is created', () => {
  test.for<[string, WantedSettings]>([
    ['group', { group: 'nowhere' }],
    ['group', { group: 'off' }],
    ['group', { group: 'closed' }],
    ['fallback_groups.1', { fallbackGroups: ['second', 'off'] }],
    ['fallback_groups.0', { fallbackGroups: ['default'] }],
    ['fallback_groups.1', { fallbackGroups: ['second', 'second'] }],
    ['expires_at', { expiresAt: NOW }],
    ['expires_at', { expiresAt: NOW - 1 }],
    ['allowed_models.0', { allowedModels: ['m*'] }],
    ['allowed_models.1', { allowedModels: ['small', 'unserved'] }],
    ['allowed_models.0', { allowedModels: ['large'] }],
    ['allowed_ips.1', { allowedIps: ['::1', '10.0.0.0/33'] }],
    [
      'rate_limit.spend.1.window',
      {
        rateLimit: {
          ...LIMITLESS,
          spend: [
            { window: '5h', usd: nanoUsd(1n) },
            { window: '5h', usd: nanoUsd(2n) },
          ],
        },
      },
    ],
  ])('is refused with a wrong %s', ([field, wanted]) => {
    expect(refusalOf({ ...NEW, ...wanted })).toBe(field)
  })

  test('gets ids for names, one form of an address, nothing twice, and no limit that limits nothing', () => {
    const wanted: WantedSettings = {
      ...NEW,
      fallbackGroups: ['second'],
      expiresAt: NOW + 1,
      rateLimit: LIMITLESS,
      allowedModels: ['small', 'small'],
      allowedIps: ['10.0.0.1', '10.0.0.1/32'],
    }
    expect(judgeSettings(wanted, null, context)).toEqual({
      name: 'laptop',
      groupId: 'grp_default',
      fallbackGroupIds: ['grp_second'],
      expiresAt: NOW + 1,
      rateLimit: null,
      allowedModels: ['small'],
      allowedIps: ['10.0.0.1/32'],
    })
  })
})

describe('a key that is changed', () => {
  test('keeps what it has, whatever became of it', () => {
    const same: WantedSettings = {
      name: 'desktop',
      group: 'off',
      fallbackGroups: ['closed'],
      expiresAt: NOW - 1,
      allowedModels: ['retired'],
    }
    expect(judgeSettings(same, BEFORE, context)).toMatchObject({ name: 'desktop', groupId: 'grp_off' })
    expect(judgeSettings({ name: 'desktop' }, BEFORE, context)).toEqual({ name: 'desktop' })
  })

  test('gets nothing new that a new key could not get', () => {
    expect(refusalOf({ group: 'closed' }, BEFORE)).toBe('group')
    expect(refusalOf({ fallbackGroups: ['off'] }, BEFORE)).toBe('fallback_groups.0')
    expect(refusalOf({ expiresAt: NOW - 2 }, BEFORE)).toBe('expires_at')
    expect(refusalOf({ fallbackGroups: ['default'] }, { ...BEFORE, groupId: 'grp_default' })).toBe('fallback_groups.0')
  })
})

test('an admin puts a key into a group before its account has the plan, and into no disabled one', () => {
  const byAdmin = { ...context, mayUse: adminMayUse }
  expect(judgeSettings({ ...NEW, group: 'closed' }, null, byAdmin)).toMatchObject({ groupId: 'grp_closed' })
  expect(() => judgeSettings({ ...NEW, group: 'off' }, null, byAdmin)).toThrow(
    'group must be the name of a group that is enabled and open to this account: there are "default", "second", "closed"',
  )
})

describe('where the account limits how long a key is valid', () => {
  const DAY_MS = 86_400_000
  const limited = { ...context, maxKeyValidityDays: 30 }
  const latest = NOW + 30 * DAY_MS

  test('a new key has an end, which is not later; the refusal says the latest one', () => {
    expect(judgeSettings({ ...NEW, expiresAt: latest }, null, limited)).toMatchObject({ expiresAt: latest })
    const refusal = `expires_at must be a time until ${new Date(latest).toISOString()}: keys of this account are valid for 30 days at most`
    for (const expiresAt of [latest + 1, null, undefined]) {
      expect(() => judgeSettings({ ...NEW, expiresAt }, null, limited)).toThrow(refusal)
    }
  })

  test('an end is counted from the creation of the key, so that no change prolongs it for ever', () => {
    const before = { ...BEFORE, groupId: 'grp_default', expiresAt: NOW + DAY_MS }
    const old = { ...limited, madeAt: NOW - 20 * DAY_MS }
    expect(judgeSettings({ expiresAt: NOW + 10 * DAY_MS }, before, old)).toMatchObject({ expiresAt: NOW + 10 * DAY_MS })
    expect(() => judgeSettings({ expiresAt: NOW + 10 * DAY_MS + 1 }, before, old)).toThrow(SettingsRefusal)
    expect(() => judgeSettings({ expiresAt: null }, before, old)).toThrow(SettingsRefusal)
  })

  test('a key keeps the end that it has, or has not', () => {
    const endless = { ...BEFORE, groupId: 'grp_default', expiresAt: null }
    expect(judgeSettings({ name: 'desktop', expiresAt: null }, endless, limited)).toMatchObject({ name: 'desktop' })
    expect(judgeSettings({ name: 'desktop' }, endless, limited)).toEqual({ name: 'desktop' })
  })
})

test('a disabled account gets no new key', () => {
  expect(objectionToOwner({ status: 'active' })).toBe(null)
  expect(objectionToOwner({ status: 'disabled' })).toMatch(/an account that is active/)
})
