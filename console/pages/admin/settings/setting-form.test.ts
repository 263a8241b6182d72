import { expect, test } from 'vitest'
import type { SettingsView } from '../../../../src/contract/administration.ts'
import { SETTING_NAMES, valueOf, toForm } from './setting-form.ts'

const SETTINGS: SettingsView = {
  site_name: 'Tollgate',
  registration: 'invitation',
  imports: [{ name: 'Chat', template: 'chat://import?key={key}' }],
  hidden_imports: ['cursor', 'zed'],
  top_up_url: null,
  public_models: true,
  public_status: false,
  public_key_check: false,
  capture_requests: false,
  check_models: false,
  device_sign_in: true,
  max_devices: 20,
  device_idle_days: 30,
  device_max_days: 180,
  support_address: 'help@example.test',
  alert_template: { text: '{{title}}' },
  account_limits: { concurrency: 5, spend: [{ window: '1d', usd: '2.5' }], max_keys: 10 },
}

test('what is opened and not touched is sent as it was', () => {
  for (const name of SETTING_NAMES)
    expect(valueOf(name, toForm(name, SETTINGS)), name).toEqual({ value: SETTINGS[name] })
})

test('an empty editor unsets what can be unset, and the name cannot', () => {
  const empty = { text: ' ', limits: { concurrency: ' ' }, imports: [] }
  const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, valueOf(name, empty)]))
  expect(values).toMatchObject({
    site_name: { field: 'site_name', problem: 'required' },
    support_address: { value: null },
    top_up_url: { value: null },
    account_limits: { value: null },
    alert_template: { value: null },
    imports: { value: [] },
    hidden_imports: { value: [] },
    max_devices: { field: 'max_devices', problem: 'wholeForm' },
  })
})

test('what is wrong is said by its field', () => {
  const form = { text: '[1]', limits: { max_keys: 'many' }, imports: [] }
  expect(valueOf('alert_template', form)).toEqual({ field: 'alert_template', problem: 'jsonForm' })
  expect(valueOf('account_limits', form)).toEqual({ field: 'max_keys', problem: 'countForm' })
  expect(valueOf('account_limits', { ...form, limits: { '7d': '-1' } })).toEqual({
    field: '7d',
    problem: 'amountForm',
  })
})
