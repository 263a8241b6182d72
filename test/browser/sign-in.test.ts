import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/kept-process.ts'
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { totpCode } from '../support/totp-code.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

const NEW_PASSWORD = 'a quiet river under the bridge'

let place: OwnPlace
let provider: OidcServer
beforeAll(async () => {
  const port = await freePort()
  provider = await startOidcServer(`http://localhost:${port}/api/auth/callback/oidc`)
  place = await startPlace({
    PORT: String(port),
    TOLLGATE_OIDC_ISSUER: provider.issuer,
    TOLLGATE_OIDC_CLIENT_ID: provider.clientId,
    TOLLGATE_OIDC_CLIENT_SECRET: provider.clientSecret,
    TOLLGATE_OIDC_NAME: 'Example',
  })
})
afterAll(async () => {
  await place.stop()
  await provider.close()
})

describe.each(walkedIn('zh-CN'))('in $language', ({ language, account, outside, problems, shared }) => {
  test('email and password lead to where one wanted to go; wrong ones are answered in words', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language })
    await open('/account?section=security')
    await arrives(page, outside.signIn.title)
    await press(page, outside.signIn.action)
    await reads(content(page), shared.required)
    await fill(page, outside.email, ada.email)
    await fill(page, outside.password, 'not the password')
    await press(page, outside.signIn.action)
    await reads(content(page), problems.credentials_wrong)
    await fill(page, outside.password, ada.password)
    await press(page, outside.signIn.action)
    await arrives(page, shared.pages.account)
    await eventually(() => new URL(page.url()).search).toBe('?section=security')
    await page.getByRole('button', { name: shared.accountMenu(ada.email) }).click()
    await page.getByRole('menuitem', { name: shared.signOut }).click()
    await arrives(page, outside.signIn.title)
    await open('/keys')
    await arrives(page, outside.signIn.title)
  })

  longTest('the gate opens before the page changes, for those who want to see something move', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, more: { reducedMotion: 'no-preference' } })
    await open('/sign-in')
    await fill(page, outside.email, ada.email)
    await fill(page, outside.password, ada.password)
    await page.evaluate(`{
      const seen = []
      globalThis.seen = seen
      let arm = null
      new MutationObserver((changes) => {
        arm ??= changes.find(({ target }) => target.style?.transform.startsWith('rotate('))?.target ?? null
        if (arm !== null) seen.push(arm.isConnected ? arm.style.transform : 'gone')
      }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] })
    }`)
    await press(page, outside.signIn.action)
    await arrives(page, shared.pages.overview)
    const seen = await page.evaluate<string[]>('[...new Set(globalThis.seen)]')
    expect(seen.findIndex((each) => each.startsWith('rotate('))).toBeGreaterThanOrEqual(0)
    expect(seen.findIndex((each) => each.startsWith('rotate('))).toBeLessThan(seen.indexOf('gone'))
  })

  test('an invitation makes an account, once', async () => {
    const { body: invitation } = await place.admin('POST', '/api/invitations', { email: null })
    const { page } = await visit(place, { language })
    await page.goto(onPlace(invitation.url))
    await arrives(page, outside.invitation.title)
    await fill(page, outside.email, `new-${language}@example.test`)
    await fill(page, outside.password, 'short')
    await press(page, outside.invitation.action)
    await reads(content(page), shared.newPassword.tooShort(8))
    await fill(page, outside.password, NEW_PASSWORD)
    await press(page, outside.invitation.action)
    await arrives(page, shared.pages.overview)
    expect(page.url()).not.toContain(new URL(invitation.url).hash.slice(1))
    const again = await visit(place, { language })
    await again.page.goto(onPlace(invitation.url))
    await reads(content(again.page), problems.link_invalid)
  })

  longTest('a reset link that an admin made sets a new password and ends all sessions', async () => {
    const ada = await place.person()
    const { body: link } = await place.admin('POST', `/api/accounts/${ada.id}/reset-link`)
    const other = await visit(place, { language, as: ada })
    const { page } = await visit(place, { language })
    await page.goto(onPlace(link.url))
    await arrives(page, outside.reset.title)
    await fill(page, outside.newPassword, NEW_PASSWORD)
    await press(page, outside.reset.action)
    await reads(content(page), outside.reset.done.title)
    await page.getByRole('link', { name: outside.backToSignIn }).click()
    await fill(page, outside.email, ada.email)
    await fill(page, outside.password, NEW_PASSWORD)
    await press(page, outside.signIn.action)
    await arrives(page, shared.pages.overview)
    await other.open('/account')
    await arrives(other.page, outside.signIn.title)
  })

  longTest('a forgotten password leads to the way back, also where no mail is sent', async () => {
    const { page, open } = await visit(place, { language })
    await open('/sign-in')
    await page.getByRole('link', { name: outside.signIn.forgot }).click()
    await arrives(page, outside.reset.askTitle)
    await reads(content(page), outside.reset.byAdmin.text)
    // It is said before an address is asked for.
    expect(await page.getByRole('textbox', { name: outside.email }).count()).toBe(0)
  })

  test('the second step takes the code of the app or a backup code', async () => {
    const ada = await place.person()
    const { body: started } = await ada.ask('POST', '/api/auth/totp/start')
    await ada.ask('POST', '/api/auth/totp/finish', { code: totpCode(started.secret) })
    const { page, open, context } = await visit(place, { language })
    const firstStep = async (): Promise<void> => {
      await context.clearCookies()
      await open('/sign-in')
      await fill(page, outside.email, ada.email)
      await fill(page, outside.password, ada.password)
      await press(page, outside.signIn.action)
      await arrives(page, outside.secondStep.title)
    }
    await firstStep()
    await fill(page, outside.secondStep.code, '000000')
    await press(page, outside.secondStep.action)
    await reads(content(page), problems.second_step_wrong)
    // Each code works once, and that of this moment has turned the second step on.
    await fill(page, outside.secondStep.code, totpCode(started.secret, 1))
    await press(page, outside.secondStep.action)
    await arrives(page, shared.pages.overview)
    await firstStep()
    await press(page, outside.secondStep.useBackup)
    await fill(page, outside.secondStep.backupCode, started.backup_codes[0])
    await press(page, outside.secondStep.action)
    await arrives(page, shared.pages.overview)
  })

  longTest('a passkey is made, signs in and is removed', async () => {
    const ada = await place.person()
    const { page, open, context } = await visit(place, { language, as: ada })
    const debug = await context.newCDPSession(page)
    await debug.send('WebAuthn.enable')
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await open('/account?section=security')
    await press(page, account.passkeys.add)
    const dialog = page.getByRole('dialog', { name: account.passkeys.nameTitle })
    await fill(dialog, account.passkeys.name, 'laptop')
    await press(dialog, account.passkeys.create)
    await page.getByRole('button', { name: account.passkeys.remove('laptop') }).waitFor()
    await context.clearCookies()
    await open('/sign-in')
    await press(page, outside.signIn.passkey)
    await arrives(page, shared.pages.overview)
    await open('/account?section=security')
    await press(page, account.passkeys.remove('laptop'))
    await press(page.getByRole('alertdialog'), account.passkeys.removeAction)
    await reads(content(page), account.passkeys.none)
  })

  longTest('the provider of the organisation signs in who has an invitation, and is remembered', async () => {
    provider.person = {
      sub: `person-${language}`,
      email: `grace-${language}@example.test`,
      email_verified: true,
      name: 'Grace',
    }
    const friends = [provider.issuer]
    const uninvited = await visit(place, { language, friends })
    await uninvited.open('/sign-in')
    await press(uninvited.page, outside.signIn.oidc('Example'))
    await reads(content(uninvited.page), problems.invitation_needed)
    const { body: invitation } = await place.admin('POST', '/api/invitations', { email: provider.person.email })
    const { page, open, context } = await visit(place, { language, friends })
    await page.goto(onPlace(invitation.url))
    await press(page, outside.signIn.oidc('Example'))
    await arrives(page, shared.pages.overview)
    await context.clearCookies({ domain: 'localhost' })
    await open('/sign-in?return_to=%2Fusage')
    await press(page, outside.signIn.oidc('Example'))
    await arrives(page, shared.pages.usage)
    await page.getByRole('button', { name: shared.accountMenu(provider.person.email) }).waitFor()
  })
})

/** Links name the address under which the admin asked for them. */
function onPlace(link: string): string {
  return link.replace(new URL(link).origin, place.origin)
}
