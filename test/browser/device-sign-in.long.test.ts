import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFindings, sidewaysPx } from './accessibility.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads } from './reading.ts'
import { signInAs, visit } from './visit.ts'

// A program is signed in by its person in the browser, and signed out there.

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

// oxlint-disable-next-line typescript/no-explicit-any
async function form(path: string, fields: Record<string, string>): Promise<{ status: number; body: any }> {
  const response = await fetch(place.origin + path, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, body: await response.json() }
}

/** What a program does first: asks, and shows the code and the link that it gets. */
async function asks(named: Record<string, string> = { client_name: 'tollgate 1.0', device_name: 'laptop' }) {
  const { body } = await form('/oauth/device_authorization', named)
  return {
    code: body.user_code as string,
    link: body.verification_uri_complete.replace(new URL(body.verification_uri).origin, place.origin) as string,
    tokens: () => form('/oauth/token', { grant_type: DEVICE_GRANT, device_code: body.device_code }),
  }
}

async function signsIn(page: Page, person: Person, outside: { email: string; password: string; action: string }) {
  await fill(page, outside.email, person.email)
  await fill(page, outside.password, person.password)
  await press(page, outside.action)
}

test.each(walkedIn('en'))(
  'a program gets from its link to an answer without a key being copied, and is refused once it is signed out, in $language',
  async ({ language, shared, outside, devices: t, keys }) => {
    const ada = await place.person({ balance: '5' })
    const program = await asks()
    const { page, open } = await visit(place, { language })
    await page.goto(program.link)
    await arrives(page, outside.signIn.title)
    expect(page.url()).not.toContain(program.code)
    await signsIn(page, ada, { ...outside, action: outside.signIn.action })

    await arrives(page, shared.pages.device)
    await reads(content(page), program.code)
    await reads(content(page), t.request.warning)
    await reads(content(page), 'laptop')
    expect(page.url()).not.toContain(program.code)
    expect((await ada.ask('GET', '/api/devices')).body.data).toEqual([])
    const name = 'tollgate (laptop)'
    await eventually(() => field(page, keys.form.name).inputValue()).toBe(name)
    await fill(page, keys.form.quota, '2.50')
    expect(await accessibilityFindings(page)).toEqual([])
    await press(content(page), t.request.approve)
    await reads(content(page), t.request.approved.title('tollgate 1.0'))

    const { body: tokens } = await program.tokens()
    const hello = { model: 'demo/echo', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }
    const call = () => place.call(tokens.access_token, hello, '/v1/messages')
    expect((await call()).status).toBe(200)

    await open('/keys/devices')
    const card = page.getByRole('region', { name, exact: true })
    await reads(card, t.on('tollgate 1.0', 'laptop'))
    await reads(card, '$2.50')
    expect(await accessibilityFindings(page)).toEqual([])
    await press(card, t.editOf(name))
    const editor = page.getByRole('dialog', { name: keys.form.editTitle(name) })
    await fill(editor, keys.form.name, 'my laptop')
    await fill(editor, keys.form.quota, '7')
    await press(editor, shared.save)
    const renamed = page.getByRole('region', { name: 'my laptop', exact: true })
    await reads(renamed, '$7.00')
    expect((await call()).status).toBe(200)

    await press(renamed, t.signOutOf('my laptop'))
    await press(page.getByRole('alertdialog', { name: t.confirm.title('my laptop') }), t.confirm.action)
    await reads(content(page), t.empty.title)
    expect((await call()).status).toBe(401)
  },
)

test.each(walkedIn('zh-CN'))(
  'a code is typed, refused, and then waits no more; and one that none shows says what to do, in $language',
  async ({ language, shared, devices: t }) => {
    const ada = await place.person()
    const program = await asks({
      client_name: 'Some tool',
      device_name: 'a-build-server-with-a-long-name.example.internal',
    })
    const { page, open } = await visit(place, { language, as: ada, theme: 'dark', width: 360 })
    await open('/device')
    await arrives(page, shared.pages.device)
    await fill(page, t.request.enter, 'abc')
    await press(content(page), t.request.next)
    await reads(content(page), t.request.codeForm)
    await fill(page, t.request.enter, program.code.toLowerCase())
    await page.keyboard.press('Enter')
    await reads(content(page), program.code)
    await page.getByRole('button', { name: t.request.approve, exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await sidewaysPx(page)).toBeLessThanOrEqual(0)
    // The code is still there after a reload, which asks nothing twice of its person.
    await page.reload()
    await reads(content(page), program.code)
    await press(content(page), t.request.deny)
    await reads(content(page), t.request.denied.title('Some tool'))
    expect((await program.tokens()).body).toMatchObject({ error: 'access_denied' })

    await page.goto(program.link)
    await reads(content(page), t.request.unknown.title)
    await press(content(page), t.request.anotherCode)
    await field(page, t.request.enter).waitFor()
    expect((await ada.ask('GET', '/api/devices')).body.data).toEqual([])
  },
)

test.each(walkedIn('en'))(
  'where the program is in another network its code is typed, which the link does not show, in $language',
  async ({ language, devices: t }) => {
    const ada = await place.person()
    const program = await asks()
    const { page } = await visit(place, { language, as: ada })
    await page.route('**/api/device-requests/*', async (route) => {
      const answer = await route.fetch()
      const body = { ...(await answer.json()), same_network: false, asked_from: '203.0.113.9' }
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(program.link)
    await reads(content(page), t.request.otherNetwork)
    expect(await content(page).innerText()).not.toContain(program.code)
    await press(content(page), t.request.approve)
    await reads(content(page), t.request.codeDiffers)
    expect((await ada.ask('GET', '/api/devices')).body.data).toEqual([])
    await fill(page, t.request.typeCode, program.code.replace('-', '').toLowerCase())
    await press(content(page), t.request.approve)
    await reads(content(page), t.request.approved.title('tollgate 1.0'))
    expect((await ada.ask('GET', '/api/devices')).body.data).toHaveLength(1)
  },
)

test.each(walkedIn('en'))(
  'a person who signs in after another in the same tab finds no code of theirs, in $language',
  async ({ language, shared, outside, devices: t }) => {
    const [ada, eve] = [await place.person(), await place.person()]
    const program = await asks()
    const { page, context, open } = await visit(place, { language, as: ada })
    await page.goto(program.link)
    await reads(content(page), program.code)
    await press(page, shared.accountMenu(ada.email))
    await page.getByRole('menuitem', { name: shared.signOut, exact: true }).click()
    await arrives(page, outside.signIn.title)
    await signInAs(context, { person: eve, origin: place.origin })
    await open('/device')
    await field(page, t.request.enter).waitFor()
  },
)
