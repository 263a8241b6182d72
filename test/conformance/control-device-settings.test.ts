import { afterAll, beforeAll, expect, test } from 'vitest'
import { endDueDevices } from '../../src/control/scheduled/due-devices.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

const DAY_MS = 86_400_000

let control: ControlUnderTest
beforeAll(async () => {
  control = await controlUnderTest()
  await control.group('default')
})
afterAll(() => control.close())

async function form(path: string, fields: Record<string, string>) {
  const response = await fetch(control.origin + path, { method: 'POST', body: new URLSearchParams(fields) })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}
const refreshed = (token: string) => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
const set = (settings: object) => control.adminToken.ask('PATCH', '/api/settings', settings)

async function approval(by: Asker, settings: object = {}) {
  const { body } = await form('/oauth/device_authorization', { surface: 'claude_code' })
  const path = `/api/device-requests/${body.user_code}`
  const approved = await by.ask('POST', `${path}/approve`, { name: 'laptop', group: 'default', ...settings })
  return { path, approved, code: body.device_code as string }
}

async function signedIn(by: Asker): Promise<{ readonly id: string; readonly token: string; readonly endsAt: string }> {
  const { approved, code } = await approval(by)
  expect(approved.status).toBe(200)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const { body: tokens } = await form('/oauth/token', { grant_type, device_code: code })
  return { id: approved.body.key.id, token: tokens.refresh_token, endsAt: approved.body.ends_at }
}

test('devices that are there stay where fewer are allowed, and one may come for one that goes', async () => {
  const ada = await control.account()
  const devices = [await signedIn(ada), await signedIn(ada)]
  await set({ max_devices: 2 })
  const { approved } = await approval(ada)
  expect(approved.status).toBe(409)
  expect(approved.body.detail).toContain('on 2 devices')
  await set({ max_devices: 1 })
  expect((await ada.ask('GET', '/api/devices')).body.data).toHaveLength(2)
  await ada.ask('DELETE', `/api/devices/${devices[0]?.id}`)
  expect((await approval(ada)).approved.status).toBe(409)
  await ada.ask('DELETE', `/api/devices/${devices[1]?.id}`)
  expect((await approval(ada)).approved.status).toBe(200)
  await set({ max_devices: 20 })
})

test('how long devices stay signed in holds for those that are, both ways and at their next use', async () => {
  const ada = await control.account()
  const device = await signedIn(ada)
  expect(Date.parse(device.endsAt) - control.clock.now()).toBe(180 * DAY_MS)
  control.clock.advance(3 * DAY_MS)
  await set({ device_idle_days: 2 })
  expect((await refreshed(device.token)).status).toBe(401)
  await set({ device_idle_days: 4, device_max_days: 3 })
  expect((await refreshed(device.token)).status).toBe(401)
  await set({ device_max_days: 5 })
  const next = await refreshed(device.token)
  expect([next.status, next.body.expires_in]).toEqual([200, 3600])
  const { body } = await ada.ask('GET', '/api/devices')
  expect(Date.parse(body.data[0].ends_at) - control.clock.now()).toBe(2 * DAY_MS)
  expect(await endDueDevices(control.store, control.clock.now())).not.toContain(device.id)
  await set({ device_max_days: 2 })
  expect(await endDueDevices(control.store, control.clock.now())).toContain(device.id)
  expect((await refreshed(next.body.refresh_token)).status).toBe(401)
  await set({ device_idle_days: 30, device_max_days: 180 })
})

test('the page of an approval is given what is set, within bounds', async () => {
  await set({ device_idle_days: 7, device_max_days: 14 })
  const ada = await control.account()
  const { body: asked } = await form('/oauth/device_authorization', {})
  const { body: request } = await ada.ask('GET', `/api/device-requests/${asked.user_code}`)
  expect(request).toMatchObject({ idle_days: 7, max_days: 14 })
  for (const name of ['max_devices', 'device_idle_days', 'device_max_days']) {
    for (const value of [0, 1.5, 3_651, null, '7']) expect((await set({ [name]: value })).status, name).toBe(422)
  }
  await set({ device_idle_days: 30, device_max_days: 180 })
})

test('what a group presets and bounds holds for the approval, and for its person’s changes of the device afterwards', async () => {
  const ada = await control.account()
  const { body: group } = await control.adminToken.ask('POST', '/api/groups', {
    name: 'bounded',
    devices: { quota: '20', max_quota: '50', quota_reset: 'weekly', max_days: 7 },
  })
  const rule = { quota: '20', max_quota: '50', quota_reset: 'weekly', max_days: 7 }
  expect([group.devices, (await ada.ask('GET', `/api/groups/${group.id}`)).body.devices]).toEqual([rule, rule])
  const latest = new Date(control.clock.now() + 7 * DAY_MS).toISOString()
  const late = new Date(control.clock.now() + 8 * DAY_MS).toISOString()
  const chosen = { group: 'bounded', quota_limit: '50', quota_reset: 'weekly', expires_at: latest }
  const refused: readonly [string, object][] = [
    ['quota_limit', { quota_limit: null }],
    ['quota_limit', { quota_limit: '50.000000001' }],
    ['quota_reset', { quota_reset: 'daily' }],
    ['quota_reset', { quota_reset: 'monthly' }],
    ['expires_at', { expires_at: null }],
    ['expires_at', { expires_at: late }],
  ]
  for (const [field, part] of refused) {
    const { approved } = await approval(ada, { ...chosen, ...part })
    expect(approved, JSON.stringify(part)).toMatchObject({ status: 422, body: { field } })
  }
  const { approved: preset } = await approval(ada, { group: 'bounded' })
  expect(preset.body.key).toMatchObject({ quota_limit: '20', quota_reset: 'weekly', expires_at: latest })
  const { approved } = await approval(ada, { ...chosen, quota_reset: 'never' })
  expect(approved.status).toBe(200)

  const path = `/api/keys/${approved.body.key.id}`
  for (const [field, part] of refused) {
    expect(await ada.ask('PATCH', path, part), JSON.stringify(part)).toMatchObject({ status: 422, body: { field } })
  }
  expect((await ada.ask('PATCH', path, { name: 'renamed', quota_limit: '10' })).status).toBe(200)
  expect((await control.adminToken.ask('PATCH', path, { quota_limit: '80' })).status).toBe(200)
  expect((await ada.ask('PATCH', path, { name: 'mine' })).status).toBe(200)
  const { body: key } = await ada.ask('POST', '/api/keys', { name: 'no device', group: 'bounded' })
  expect(key.key.quota_limit).toBeNull()
  const wrong = await control.adminToken.ask('PATCH', `/api/groups/${group.id}`, {
    devices: { quota: '60', max_quota: '50' },
  })
  expect(wrong).toMatchObject({ status: 422, body: { field: 'devices.quota' } })
})
