import { expect, test } from 'vitest'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { changeOf, effectOf, type GroupForm, NEW_GROUP, validate, settingsOf, toForm } from './group-form.ts'

const GROUP: GroupView = {
  version: 'v1',
  id: 'grp_1',
  name: 'default',
  multiplier: '1',
  models: ['*'],
  model_count: 3,
  upstreams: ['main'],
  protocols: [],
  enabled: true,
  open: true,
  open_to_roles: [],
  cache: { ttl_seconds: 60, price: '0.1', shared: false },
  devices: { quota: null, max_quota: '50', quota_reset: 'weekly', max_days: 30 },
  claude_settings: { model: 'a' },
  usable: true,
  managed: false,
}
const EVERY = ['a', 'b', 'c']

const effectAt = (form: Partial<GroupForm>, charged = '126', group = GROUP) =>
  effectOf(group, { ...toForm(group), ...form }, { use: { charged, own_multipliers: [] }, everyModel: EVERY })

test('only what differs is sent, and a duplicate takes the rule for kept answers along', () => {
  expect(changeOf(GROUP, toForm(GROUP))).toEqual({})
  expect(changeOf(GROUP, { ...toForm(GROUP), multiplier: ' 1.0 ', name: 'default ' })).toEqual({})
  expect(changeOf(GROUP, { ...toForm(GROUP), hasAllModels: false, models: ['a'] })).toEqual({ models: ['a'] })
  const roles = { ...GROUP, open_to_roles: ['operator', 'admin'] } as const satisfies Partial<GroupView>
  expect(changeOf(roles, { ...toForm(roles), roles: ['admin', 'operator'] })).toEqual({})
  expect(changeOf(roles, { ...toForm(roles), roles: ['admin'] })).toEqual({ open_to_roles: ['admin'] })
  expect(settingsOf({ ...toForm(GROUP), name: 'two' }, GROUP.cache)).toMatchObject({ name: 'two', cache: GROUP.cache })
})

test('settings of Claude Code are sent as an object only where they differ, and null takes them away', () => {
  const typed = (claude: string) => changeOf(GROUP, { ...toForm(GROUP), claude })
  expect(typed('{"model":"a"}')).toEqual({})
  expect(typed('{"model":"b"}')).toEqual({ claude_settings: { model: 'b' } })
  expect(typed(' ')).toEqual({ claude_settings: null })
  const wrong = (claude: string) => validate({ ...toForm(GROUP), claude }).claude_settings
  expect(['', '{"model":"b"}', '{', '[]', '{}', `{"a":"${'x'.repeat(65_536)}"}`].map(wrong)).toEqual([
    undefined,
    undefined,
    'claudeForm',
    'claudeForm',
    'claudeForm',
    'claudeLong',
  ])
})

test('what is said of devices is sent as a whole where any of it differs, and null where nothing is said', () => {
  const typed = (part: Partial<GroupForm>) => changeOf(GROUP, { ...toForm(GROUP), ...part })
  expect(typed({ deviceMaxQuota: '50.0' })).toEqual({})
  expect(typed({ deviceQuota: '20' })).toEqual({ devices: { ...GROUP.devices, quota: '20' } })
  expect(typed({ deviceMaxQuota: '', deviceDays: ' ' })).toEqual({ devices: null })
  expect(validate({ ...toForm(GROUP), deviceQuota: 'x', deviceMaxQuota: '-1', deviceDays: '0' })).toEqual({
    'devices.quota': 'amountForm',
    'devices.max_quota': 'amountForm',
    'devices.max_days': 'daysForm',
  })
})

test('what is wrong is said by its field', () => {
  expect(validate(NEW_GROUP)).toEqual({ name: 'required' })
  const wrong = { ...NEW_GROUP, name: 'x', multiplier: '-1', hasAllModels: false }
  expect(validate(wrong)).toEqual({ multiplier: 'multiplierForm', models: 'noModels' })
})

test('a multiplier’s effect is a seventh of what last week’s charges would have been more or less', () => {
  expect(effectAt({})).toBeNull()
  expect(effectAt({ name: 'renamed' })).toBeNull()
  expect(effectAt({ multiplier: '0.8' })?.price).toEqual({ kind: 'usd', usd: '-3.6' })
  expect(effectAt({ multiplier: '1.5' })?.price).toEqual({ kind: 'usd', usd: '9' })
  expect(effectAt({ multiplier: '0' })?.price).toEqual({ kind: 'usd', usd: '-18' })
  expect(effectAt({ multiplier: '2' }, '0')?.price).toEqual({ kind: 'no_use' })
  expect(effectAt({ multiplier: '2' }, '0', { ...GROUP, multiplier: '0' })?.price).toEqual({ kind: 'from_free' })
})

test('what accounts with a lower multiplier of their own are charged changes only where the group’s becomes the lower one', () => {
  const use = {
    charged: '210',
    own_multipliers: [
      { multiplier: '0.5', charged: '70' },
      { multiplier: '1.2', charged: '70' },
      { multiplier: '0', charged: '0' },
    ],
  }
  const at = (multiplier: string) =>
    effectOf(GROUP, { ...toForm(GROUP), multiplier }, { use, everyModel: EVERY })?.price
  // 140 of 210 at the group's multiplier.
  expect(at('0.8')).toEqual({ kind: 'usd', usd: '-4' })
  // 70 to a half of it, 70 to 0.25 of 0.5, and 70 as others are.
  expect(at('0.25')).toEqual({ kind: 'usd', usd: '-20' })
  // The others double, and one stops at 1.2.
  expect(at('2')).toEqual({ kind: 'usd', usd: '12' })
  expect(effectOf(GROUP, { ...toForm(GROUP), multiplier: '2' }, { use: null, everyModel: EVERY })?.price).toEqual({
    kind: 'no_use',
  })
})

test('models that go, disabling and closing are effects too', () => {
  expect(effectAt({ hasAllModels: false, models: ['b'] })).toMatchObject({ lostModels: ['a', 'c'], price: null })
  const listed = { ...GROUP, models: ['a', 'b'] }
  expect(effectAt({ models: ['b'] }, '0', listed)?.lostModels).toEqual(['a'])
  expect(effectAt({ hasAllModels: true }, '0', listed)).toBeNull()
  expect(effectAt({ enabled: false, open: false })).toMatchObject({ isDisabled: true, isClosed: true })
})
