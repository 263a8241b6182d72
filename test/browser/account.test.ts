import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGE_NAMES } from '../../console/language.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type Place, signIn, sharedPlace } from './place.ts'
import { arrives, content, eventually, fill, hears, press, reads } from './reading.ts'
import { totpCode } from '../support/totp-code.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

describe.each(walkedIn('en'))('in $language', ({ language, account, outside, problems, shared }) => {
  const other = LANGUAGES.find((texts) => texts.language !== language) ?? LANGUAGES[0]

  test('name, language and theme are kept in the account', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account')
    await fill(page, account.profile.name, 'Ada Lovelace')
    await press(page, account.profile.save)
    await hears(page, shared.saved)
    await reads(page.getByRole('complementary'), 'Ada Lovelace')
    await page.getByRole('radio', { name: shared.themes.dark }).click()
    await page.getByRole('radio', { name: LANGUAGE_NAMES[other.language] }).click()
    await arrives(page, other.shared.pages.account)
    await eventually(async () => (await ada.ask('GET', '/api/me')).body).toMatchObject({
      name: 'Ada Lovelace',
      language: other.language,
      theme: 'dark',
    })
    // Another browser of the same person, which speaks the first language by itself.
    const elsewhere = await visit(place, { language, as: ada })
    await elsewhere.open('/account')
    await arrives(elsewhere.page, other.shared.pages.account)
    await eventually(() => elsewhere.page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  longTest('the account menu changes language and theme, too', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/billing')
    await page.getByRole('button', { name: shared.accountMenu(ada.email) }).click()
    await page.getByRole('menuitemradio', { name: shared.themes.dark }).click()
    await eventually(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.getByRole('menuitemradio', { name: LANGUAGE_NAMES[other.language] }).click()
    await page.keyboard.press('Escape')
    await arrives(page, other.shared.pages.billing)
  })

  longTest('a new password takes the old one, ends the other sessions and is in force', async () => {
    const ada = await place.person()
    await signIn(place.origin, ada)
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account?section=security')
    const sessions = page.getByRole('button', { name: account.sessions.endOf('node') })
    await sessions.waitFor()
    await fill(page, account.password.current, 'not this one')
    await fill(page, account.password.next, 'a quiet river under the bridge')
    await press(page, account.password.action)
    await reads(page.getByRole('form', { name: account.password.title }), problems.credentials_wrong)
    await fill(page, account.password.current, ada.password)
    await press(page, account.password.action)
    await hears(page, account.password.done)
    await sessions.waitFor({ state: 'detached' })
    await expect(signIn(place.origin, ada)).rejects.toThrow('401')
    await signIn(place.origin, { email: ada.email, password: 'a quiet river under the bridge' })
  })

  test('two-step sign-in is turned on with a code, gives backup codes, and is turned off', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account?section=security')
    await press(page, account.totp.turnOn)
    const dialog = page.getByRole('dialog', { name: account.totp.dialogTitle })
    await dialog.getByRole('img', { name: account.totp.qrLabel }).waitFor()
    const key = /\b[A-Z2-7 ]{16,}\b/.exec(await dialog.innerText())?.[0] ?? ''
    await fill(dialog, account.totp.code, totpCode(key, 40))
    await press(dialog, account.totp.check)
    await reads(dialog, problems.second_step_wrong)
    await fill(dialog, account.totp.code, totpCode(key))
    await press(dialog, account.totp.check)
    const codes = page.getByRole('dialog', { name: account.totp.codesTitle })
    const list = codes.getByRole('list', { name: account.totp.codesWhat })
    await eventually(() => list.getByRole('listitem').count()).toBe(10)
    const [first = '', second = ''] = await list.getByRole('listitem').allInnerTexts()
    await press(codes, account.totp.codesKept)
    await reads(content(page), account.totp.codesLeft(10))
    expect(await (await page.request.get('/api/me')).json()).toMatchObject({ two_factor_enabled: true })
    await press(content(page), account.totp.newCodes)
    const renewing = page.getByRole('dialog', { name: account.totp.newCodesTitle })
    await fill(renewing, account.totp.anyCode, 'abcde-fghij')
    await press(renewing, account.totp.newCodesAction)
    await reads(renewing, problems.second_step_wrong)
    await fill(renewing, account.totp.anyCode, first)
    await press(renewing, account.totp.newCodesAction)
    await eventually(() => list.getByRole('listitem').count()).toBe(10)
    const [renewed = ''] = await list.getByRole('listitem').allInnerTexts()
    expect([first, second]).not.toContain(renewed)
    await press(codes, account.totp.codesKept)
    await press(content(page), account.totp.turnOff)
    const stopping = page.getByRole('dialog', { name: account.totp.offTitle })
    await fill(stopping, account.totp.anyCode, renewed)
    await press(stopping, account.totp.offAction)
    await page.getByRole('button', { name: account.totp.turnOn, exact: true }).waitFor()
  })

  longTest(
    'a protected step asks for the password again when the last time is long ago, and then goes on',
    async () => {
      const ada = await place.person()
      const { page, open } = await visit(place, { language, as: ada })
      let refused = 0
      await page.route('**/api/auth/totp/start', async (route) => {
        if (refused > 0) return route.continue()
        refused += 1
        const problem = {
          type: '',
          title: '',
          status: 403,
          detail: '',
          code: 'confirmation_needed',
          request_id: 'req_1',
        }
        return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) })
      })
      await open('/account?section=security')
      await press(page, account.totp.turnOn)
      const dialog = page.getByRole('dialog', { name: shared.confirmIdentity.title })
      await fill(dialog, shared.confirmIdentity.password, 'wrong')
      await press(dialog, shared.confirmIdentity.action)
      await reads(dialog, problems.credentials_wrong)
      await fill(dialog, shared.confirmIdentity.password, ada.password)
      await press(dialog, shared.confirmIdentity.action)
      await page.getByRole('dialog', { name: account.totp.dialogTitle }).waitFor()
    },
  )

  longTest('one session is ended, then all others, and this one stays', async () => {
    const ada = await place.person()
    const phone = await visit(place, { language })
    await phone.open('/sign-in')
    await fill(phone.page, outside.email, ada.email)
    await fill(phone.page, outside.password, ada.password)
    await press(phone.page, outside.signIn.action)
    await arrives(phone.page, shared.pages.overview)
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account?section=security')
    await page.getByRole('button', { name: account.sessions.end }).click()
    await hears(page, account.sessions.ended)
    await phone.open('/account')
    await arrives(phone.page, outside.signIn.title)
    await signIn(place.origin, ada)
    await signIn(place.origin, ada)
    const token = { name: 'nightly report', scope: 'read', expires_at: null }
    const tokens = async () => (await ada.ask('GET', '/api/tokens')).body.data.length
    await ada.ask('POST', '/api/tokens', token)
    await page.reload()
    await press(page, account.sessions.everywhere)
    const asking = page.getByRole('alertdialog')
    await asking.getByRole('checkbox', { name: account.sessions.keepTokens }).check()
    await press(asking, account.sessions.everywhere)
    await hears(page, account.sessions.everywhereDone)
    expect(await tokens()).toBe(1)
    await page.reload()
    await press(page, account.sessions.everywhere)
    await reads(asking, account.sessions.everywhereText)
    await press(asking, account.sessions.everywhere)
    await eventually(tokens).toBe(0)
    await eventually(async () => (await ada.ask('GET', '/api/auth/sessions')).body.data.length).toBe(1)
    await page.reload()
    await arrives(page, shared.pages.account)
  })

  test('an access token is shown once, reads and does not write, and is deleted', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account?section=tokens')
    await press(page, account.tokens.create)
    const dialog = page.getByRole('dialog', { name: account.tokens.create })
    await press(dialog, account.tokens.createAction)
    await reads(dialog, shared.required)
    await fill(dialog, account.tokens.name, 'report')
    await press(dialog, account.tokens.createAction)
    const shown = page.getByRole('dialog', { name: account.tokens.shownTitle })
    const secret = /tg-pat-\w+/.exec(await shown.innerText())?.[0] ?? ''
    const by = (method: string) =>
      fetch(`${place.origin}/api/keys`, { method, headers: { authorization: `Bearer ${secret}` } })
    expect([(await by('GET')).status, (await by('POST')).status]).toEqual([200, 403])
    await press(shown, account.tokens.saved)
    await page.getByRole('button', { name: account.tokens.remove('report') }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await press(page, account.tokens.remove('report'))
    await press(page.getByRole('alertdialog'), account.tokens.removeAction)
    await reads(content(page), account.tokens.none.title)
    expect((await by('GET')).status).toBe(401)
  })

  longTest('alerts say that no mail is sent here', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/account?section=notifications')
    await reads(content(page), account.notifications.noMail)
    await eventually(() => page.getByRole('switch', { name: account.notifications.mail }).isDisabled()).toBe(true)
  })
})
