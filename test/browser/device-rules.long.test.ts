import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../console/admin-pages.ts'
import { accessibilityFindings, sidewaysPx } from './accessibility.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { chooseFrom, content, eventually, field, fill, press, reads, readsNoMore, unfold } from './reading.ts'
import { visit } from './visit.ts'

// What admins set for devices in the form of a group, and what a person is shown of it who approves one.

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

async function asks(): Promise<string> {
  const fields = { client_name: 'tollgate 1.0', device_name: 'laptop' }
  const request = { method: 'POST', body: new URLSearchParams(fields) }
  const response = await fetch(`${place.origin}/oauth/device_authorization`, request)
  const body = (await response.json()) as { verification_uri: string; verification_uri_complete: string }
  return body.verification_uri_complete.replace(new URL(body.verification_uri).origin, place.origin)
}

test.each(walkedIn('zh-CN'))(
  'a group’s form marks what its Claude Code settings do, and presets what a person approves, in $language',
  async ({ language, shared, groups: t, devices, keys }) => {
    const look = language === 'en' ? ({ width: 1280 } as const) : ({ theme: 'dark', width: 360 } as const)
    const name = `bounded ${language}`
    await place.admin('POST', '/api/groups', { name })
    const [operator, ada] = [await place.person({ role: 'operator' }), await place.person({ balance: '5' })]
    const { page, open } = await visit(place, { language, as: operator, ...look })
    await open(ADMIN_PATHS.groups)
    await chooseFrom(page, t.actionsOf(name), t.edit)
    const form = page.getByRole('dialog', { name: t.form.editTitle(name) })
    await unfold(form, t.form.devices)
    await fill(form, t.form.deviceMaxQuota, '50')
    await fill(form, t.form.deviceDays, '0')
    await fill(form, t.form.claude, '{')
    await press(form, shared.save)
    await reads(form, t.form.claudeForm)
    await reads(form, t.form.daysForm)
    await fill(form, t.form.deviceDays, '7')
    const settings = { hooks: {}, env: { CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1' }, model: 'demo/echo' }
    await fill(form, t.form.claude, JSON.stringify(settings, null, 2))
    await reads(form, t.form.marks.runs('hooks'))
    await reads(form, 'env.CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await sidewaysPx(page)).toBeLessThanOrEqual(0)
    await press(form, shared.save)
    await reads(form, 'hooks')
    await fill(form, t.form.claude, '{"model": "demo/echo"}')
    await readsNoMore(form, t.form.marks.runs('hooks'))
    await press(form, shared.save)
    await page.getByText(t.saved(name)).first().waitFor()

    const link = await asks()
    const approval = await visit(place, { language, as: ada, ...look })
    await approval.page.goto(link)
    await approval.page.getByRole('radio', { name: new RegExp(name) }).check()
    await eventually(() => field(approval.page, keys.form.quota).inputValue()).toBe('50')
    const resets = await field(approval.page, keys.form.quotaReset).getByRole('option').allTextContents()
    expect(resets).toEqual([keys.form.resets.never, keys.form.resets.monthly])
    await fill(approval.page, keys.form.quota, '51')
    await press(content(approval.page), devices.request.approve)
    await eventually(() => field(approval.page, keys.form.quota).getAttribute('aria-invalid')).toBe('true')
    await fill(approval.page, keys.form.quota, '20')
    await press(content(approval.page), devices.request.approve)
    await reads(content(approval.page), devices.request.approved.title('tollgate 1.0'))
    const [device] = (await ada.ask('GET', '/api/devices')).body.data
    expect(device.key).toMatchObject({ group: name, quota_limit: '20', quota_reset: 'monthly' })
  },
)

test.each(walkedIn('en'))(
  'where programs may not sign in, Devices says so and offers no code, in $language',
  async ({ language, devices: t }) => {
    const ada = await place.person()
    await place.admin('PATCH', '/api/settings', { device_sign_in: false })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys/devices')
    await reads(content(page), t.ways.off)
    await readsNoMore(content(page), t.empty.text)
    await eventually(() => page.getByRole('link', { name: t.enterCode }).count()).toBe(0)
    await place.admin('PATCH', '/api/settings', { device_sign_in: true })
  },
)
