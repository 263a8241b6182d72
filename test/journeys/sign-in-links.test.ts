import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

const HOUR = 3_600_000
const NEW = 'a new good password'

let place: SignInUnderTest
afterEach(() => place.close())

const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? ''

async function signedInAdmin() {
  const admin = await place.account({ role: 'admin' })
  const browser = place.browser()
  await browser.post('/sign-in', admin)
  return { admin, browser }
}

describe('the one-time setup link', () => {
  test('in demo mode signs in at once, once, and the admin may set a password without an old one', async () => {
    place = await startSignIn({ wantsDemo: true })
    const token = await place.printSetUpLink()
    const browser = place.browser()
    expect((await browser.post('/set-up/preview', { token })).body).toEqual({
      email: 'admin@localhost',
      must_choose: false,
    })
    const browsers = [browser, place.browser()]
    const uses = await Promise.all(browsers.map((one) => one.post('/set-up', { token })))
    expect(uses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410])
    const used = uses.find(({ status }) => status === 200)
    expect(used?.body).toMatchObject({ state: 'signed_in', account: { role: 'admin', has_password: false } })
    expect((await browser.post('/set-up/preview', { token })).body.code).toBe('link_invalid')
    const winner = browsers[uses.findIndex(({ status }) => status === 200)] ?? browser
    place.advance(24 * HOUR)
    expect((await winner.post('/password/change', { new_password: NEW })).status).toBe(204)
    expect((await place.browser().post('/sign-in', { email: 'admin@localhost', password: NEW })).status).toBe(200)
    place.advance(HOUR)
    expect((await winner.post('/totp/start')).body.code).toBe('confirmation_needed')
  })

  test('without demo asks for address and password, and both work from then on', async () => {
    place = await startSignIn({ wantsDemo: false })
    const token = await place.printSetUpLink()
    const browser = place.browser()
    expect((await browser.post('/set-up', { token })).body).toMatchObject({ code: 'field_invalid', field: 'email' })
    expect((await browser.post('/set-up', { token, email: 'ada@example.test' })).body.field).toBe('password')
    expect((await browser.post('/set-up', { token, password: 'short' })).body.code).toBe('field_invalid')
    await place.account({ email: 'taken@example.test' })
    const taken = await browser.post('/set-up', { token, email: 'Taken@example.test', password: NEW })
    expect(taken.body).toMatchObject({ code: 'email_taken', field: 'email' })
    const chosen = { token, email: 'ada@example.test', password: NEW, name: 'Ada' }
    expect((await browser.post('/set-up', chosen)).body.account).toMatchObject({
      email: 'ada@example.test',
      name: 'Ada',
      role: 'admin',
      has_password: true,
    })
    expect((await place.browser().post('/sign-in', chosen)).status).toBe(200)
    expect((await place.browser().post('/set-up', chosen)).body.code).toBe('link_invalid')
  })

  test('is worth nothing once its admin has a password, and another token never was', async () => {
    place = await startSignIn()
    const token = await place.printSetUpLink()
    expect((await place.browser().post('/set-up', { token: 'x'.repeat(43) })).body.code).toBe('link_invalid')
    const admin = await place.store.accounts.findByEmail('admin@localhost')
    if (admin !== null) await place.store.accounts.update(admin, 'a hash')
    expect((await place.browser().post('/set-up', { token })).body.code).toBe('link_invalid')
  })
})

describe('opening an account', () => {
  beforeEach(async () => {
    place = await startSignIn()
  })
  const ada = { email: 'ada@example.test', password: NEW, name: 'Ada', language: 'zh-CN' }

  test('takes an invitation, which works once, for its address alone', async () => {
    const { browser } = await signedInAdmin()
    expect((await place.browser().post('/sign-up', ada)).body.code).toBe('invitation_needed')
    const made = await browser.post('/api/invitations', { email: ada.email, role: 'admin' })
    expect(made).toMatchObject({ status: 201, body: { was_mailed: false, invitation: { used_by: null } } })
    const invitation = tokenIn(made.body.url)
    expect(made.body.url).toBe(`${place.origin}/console/invitation#${invitation}`)
    expect((await place.browser().post('/invitation/preview', { token: invitation })).body).toMatchObject({
      email: ada.email,
      role: 'admin',
    })
    const other = await place.browser().post('/sign-up', { ...ada, email: 'eve@example.test', invitation })
    expect(other.body).toMatchObject({ code: 'link_invalid', field: 'email' })
    const named = await place.browser().post('/sign-up', { ...ada, name: 'Ada\nAdmin', invitation })
    expect(named.body).toMatchObject({ code: 'field_invalid', field: 'name' })
    const answer = await place.browser().post('/sign-up', { ...ada, invitation })
    expect(answer.body).toMatchObject({
      state: 'signed_in',
      account: { email: ada.email, name: 'Ada', role: 'admin', is_email_verified: true, language: 'zh-CN' },
    })
    expect((await place.browser().post('/sign-up', { ...ada, email: 'b@example.test', invitation })).status).toBe(410)
    const [listed] = (await browser.get('/api/invitations')).body.data
    expect(listed).toMatchObject({ email: ada.email, used_by: answer.body.account.id })
    expect(JSON.stringify(listed)).not.toContain(invitation)
    const stored = JSON.stringify(await place.store.signInLinks.list('invitation', 10))
    expect(stored).not.toContain(invitation)
  })

  test('one invitation of many uses at once makes one account', async () => {
    const { deliver } = await place.signIn.createInvitation(
      {
        email: null,
        role: 'user',
        byAccountId: null,
        origin: place.origin,
      },
      place.store,
    )
    const invitation = tokenIn((await deliver()).url)
    const answers = await Promise.all(
      [1, 2, 3].map((i) => place.browser().post('/sign-up', { ...ada, email: `p${i}@example.test`, invitation })),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410])
    expect((await place.store.accounts.list(10)).length).toBe(1)
  })

  test('by an invitation that was taken back, has expired, or when registration was closed meanwhile, fails', async () => {
    const { browser } = await signedInAdmin()
    const order = { email: null, role: 'user', expires_in_hours: 1 }
    const make = async () => (await browser.post('/api/invitations', order)).body
    const [withdrawn, late, closed] = [await make(), await make(), await make()]
    expect((await browser.delete(`/api/invitations/${withdrawn.invitation.id}`)).status).toBe(204)
    expect((await browser.delete(`/api/invitations/${withdrawn.invitation.id}`)).status).toBe(404)
    const use = (made: { url: string }) => place.browser().post('/sign-up', { ...ada, invitation: tokenIn(made.url) })
    expect((await use(withdrawn)).body.code).toBe('link_invalid')
    place.registration = 'closed'
    expect((await use(closed)).body.code).toBe('registration_closed')
    place.registration = 'invitation'
    place.advance(HOUR)
    expect((await use(late)).body.code).toBe('link_invalid')
  })

  test('needs nothing where registration is open, and never makes an admin', async () => {
    place.registration = 'open'
    const answer = await place.browser().post('/sign-up', { ...ada, role: 'admin' })
    expect(answer.body.account).toMatchObject({ role: 'user', is_email_verified: false })
    const again = await place.browser().post('/sign-up', { ...ada, email: 'ADA@example.test' })
    expect(again.body).toMatchObject({ code: 'email_taken', field: 'email' })
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
    for (let i = 0; i < 18; i++) await place.browser().post('/sign-up', ada)
    expect((await place.browser().post('/sign-up', { ...ada, email: 'z@example.test' })).status).toBe(429)
  })

  test('invitations are for admins who showed their credentials lately', async () => {
    const person = await place.account()
    const user = place.browser()
    await user.post('/sign-in', person)
    const order = { email: null, role: 'admin' }
    expect((await user.post('/api/invitations', order)).body.code).toBe('admin_needed')
    expect((await user.get('/api/invitations')).body.code).toBe('role_insufficient')
    expect((await user.post(`/api/accounts/${person.id}/reset-link`)).body.code).toBe('admin_needed')
    const { browser } = await signedInAdmin()
    place.advance(HOUR)
    expect((await browser.post('/api/invitations', order)).body.code).toBe('confirmation_needed')
  })

  test.for([{ role: 'user' }, { status: 'disabled' }] as const)(
    'is worth nothing when the admin who made it is %j, and neither are links for others',
    async (lowered) => {
      place = await startSignIn()
      const grace = await place.account()
      const { admin, browser } = await signedInAdmin()
      const order = { email: null, role: 'admin' }
      const invitation = tokenIn((await browser.post('/api/invitations', order)).body.url)
      const reset = tokenIn((await browser.post(`/api/accounts/${grace.id}/reset-link`)).body.url)
      await place.store.accounts.update({ ...admin, ...lowered }, null)
      const stranger = place.browser()
      expect((await stranger.post('/invitation/preview', { token: invitation })).body.code).toBe('link_invalid')
      const signUp = { email: 'back@example.test', password: NEW, invitation }
      expect((await stranger.post('/sign-up', signUp)).body.code).toBe('link_invalid')
      expect((await stranger.post('/password/reset', { token: reset, password: NEW })).body.code).toBe('link_invalid')
    },
  )
})

describe('a forgotten password', () => {
  test('with a mail server is reset by a mailed link, in its owner’s language, and the answer does not show who has an account', async () => {
    place = await startSignIn({ hasMail: true })
    const ada = await place.account()
    await place.store.accounts.updateProfile(ada.id, { language: 'zh-CN', isEmailVerified: false })
    const session = place.browser()
    await session.post('/sign-in', ada)
    const known = await place.browser().post('/password/forgot', { email: ada.email.toUpperCase() })
    const unknown = await place.browser().post('/password/forgot', { email: 'nobody@example.test' })
    expect(known).toMatchObject({ status: 202, body: { sent_by: 'mail' } })
    expect(unknown.body).toEqual(known.body)
    await expect.poll(() => place.mails.length).toBe(1)
    const [mail] = place.mails
    expect(mail).toMatchObject({ to: ada.email, subject: expect.stringContaining('密码') })
    const token = tokenIn(mail?.text ?? '')
    expect((await place.browser().post('/password/reset', { token, password: 'short' })).body.code).toBe(
      'field_invalid',
    )
    expect((await place.browser().post('/password/reset', { token, password: NEW })).status).toBe(204)
    expect((await session.get('/session')).body.session).toBeNull()
    expect((await place.browser().post('/password/reset', { token, password: NEW })).body.code).toBe('link_invalid')
    const again = await place.browser().post('/sign-in', { email: ada.email, password: NEW })
    expect(again.body.account.is_email_verified).toBe(true)
  })

  test.for([false, true])(
    'a mailed link leaves others no way in where the address was not shown before (shown: %s)',
    async (isShown) => {
      place = await startSignIn({ hasMail: true })
      const ada = await place.account()
      await place.store.accounts.updateProfile(ada.id, { isEmailVerified: isShown })
      const [at, { signInRecords: records }] = [Date.now(), place.store]
      const identity = {
        id: 'idn_1',
        provider: 'oidc',
        subject: 'eve',
        accountId: ada.id,
        createdAt: at,
        updatedAt: at,
      }
      const passkey = { id: 'psk_1', accountId: ada.id, credentialId: 'c', publicKey: 'p', counter: 0, deviceType: 'd' }
      await records.insert('identity', identity)
      await records.insert('passkey', { ...passkey, isSynced: false, createdAt: at })
      await place.browser().post('/password/forgot', ada)
      await expect.poll(() => place.mails.length).toBe(1)
      const token = tokenIn(place.mails[0]?.text ?? '')
      expect((await place.browser().post('/password/reset', { token, password: NEW })).status).toBe(204)
      const left = await Promise.all([records.count('identity', []), records.count('passkey', [])])
      expect(left).toEqual(isShown ? [1, 1] : [0, 0])
    },
  )

  test('a newer link takes the place of the older one, and an account is not flooded with mail', async () => {
    place = await startSignIn({ hasMail: true })
    const ada = await place.account()
    for (let i = 1; i <= 3; i++) {
      await place.browser().post('/password/forgot', ada)
      await expect.poll(() => place.mails.length).toBe(i)
    }
    const [first, , last] = place.mails.map(({ text }) => tokenIn(text))
    const reset = (token = '') => place.browser().post('/password/reset', { token, password: NEW })
    expect((await reset(first)).status).toBe(410)
    expect((await place.browser().post('/password/forgot', ada)).status).toBe(202)
    expect((await reset(last)).status).toBe(204)
    expect(place.mails).toHaveLength(3)
  })

  test('without a mail server an admin makes the link and passes it on', async () => {
    place = await startSignIn()
    const ada = await place.account({ password: null })
    expect((await place.browser().post('/password/forgot', { email: ada.email })).body).toEqual({ sent_by: 'admin' })
    const { browser } = await signedInAdmin()
    const made = await browser.post(`/api/accounts/${ada.id}/reset-link`)
    expect(made.status).toBe(201)
    expect(made.body.url).toContain(`${place.origin}/console/reset-password#`)
    const reset = { token: tokenIn(made.body.url), password: NEW }
    expect((await place.browser().post('/password/reset', reset)).status).toBe(204)
    expect((await place.browser().post('/sign-in', { email: ada.email, password: NEW })).status).toBe(200)
    expect((await browser.post('/api/accounts/acc_none/reset-link')).status).toBe(404)
    expect(place.events.map(({ kind }) => kind)).toContain('reset_asked')
    const secrets = JSON.stringify([place.events, place.errors])
    expect(secrets).not.toContain(reset.token)
  })

  test('a link that was handed over verifies no address', async () => {
    place = await startSignIn()
    const ada = await place.account()
    await place.store.accounts.updateProfile(ada.id, { isEmailVerified: false })
    const link = await place.signIn.createLink(
      {
        purpose: 'reset',
        accountId: ada.id,
        byAccountId: null,
        origin: place.origin,
      },
      place.store,
    )
    const reset = { token: tokenIn(link?.url ?? ''), password: NEW }
    expect((await place.browser().post('/password/reset', reset)).status).toBe(204)
    expect((await place.store.accounts.findOwn(ada.id))?.profile.isEmailVerified).toBe(false)
  })

  test('of several links that were asked for at one instant, one works, and the first use ends the others', async () => {
    place = await startSignIn()
    const ada = await place.account()
    const order = { purpose: 'reset', accountId: ada.id, byAccountId: null, origin: place.origin } as const
    const links = await Promise.all([1, 2, 3].map(() => place.signIn.createLink(order, place.store)))
    const use = (link: (typeof links)[number]) =>
      place.browser().post('/password/reset', { token: tokenIn(link?.url ?? ''), password: NEW })
    const statuses: number[] = []
    for (const link of links) statuses.push((await use(link)).status)
    expect(statuses.sort((a, b) => a - b)).toEqual([204, 410, 410])
  })

  test('a link is worth nothing after a day', async () => {
    place = await startSignIn()
    const ada = await place.account()
    const link = await place.signIn.createLink(
      {
        purpose: 'reset',
        accountId: ada.id,
        byAccountId: null,
        origin: place.origin,
      },
      place.store,
    )
    place.advance(24 * HOUR)
    const reset = await place.browser().post('/password/reset', { token: tokenIn(link?.url ?? ''), password: NEW })
    expect(reset.body.code).toBe('link_invalid')
  })
})

describe('an address', () => {
  test('is verified by a mailed link, and changed only when the new one was opened', async () => {
    place = await startSignIn({ hasMail: true })
    place.registration = 'open'
    const browser = place.browser()
    await browser.post('/sign-up', { email: 'ada@example.test', password: NEW })
    await expect.poll(() => place.mails.length).toBe(1)
    const verify = (i: number) => place.browser().post('/email/verify', { token: tokenIn(place.mails[i]?.text ?? '') })
    expect((await verify(0)).body).toEqual({ email: 'ada@example.test' })
    expect((await browser.get('/session')).body.account.is_email_verified).toBe(true)
    expect((await verify(0)).body.code).toBe('link_invalid')
    expect((await browser.post('/email/change', { email: 'ada@new.test' })).body).toEqual({ sent_by: 'mail' })
    expect((await browser.get('/session')).body.account.email).toBe('ada@example.test')
    expect(place.mails[1]?.to).toBe('ada@new.test')
    expect((await verify(1)).body).toEqual({ email: 'ada@new.test' })
    expect((await place.browser().post('/sign-in', { email: 'ada@new.test', password: NEW })).status).toBe(200)
    expect((await place.browser().post('/sign-in', { email: 'ada@example.test', password: NEW })).status).toBe(401)
  })

  test('without a mail server is changed at once and counts as unverified until an admin’s link was opened', async () => {
    place = await startSignIn()
    const ada = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    const other = await place.account()
    expect((await browser.post('/email/change', { email: other.email })).body.code).toBe('email_taken')
    expect((await browser.post('/email/change', { email: 'ada@new.test' })).status).toBe(202)
    expect((await browser.get('/session')).body.account).toMatchObject({
      email: 'ada@new.test',
      is_email_verified: false,
    })
    const { browser: admin } = await signedInAdmin()
    const made = await admin.post(`/api/accounts/${ada.id}/verification-link`)
    const token = tokenIn(made.body.url)
    expect((await place.browser().post('/email/verify', { token })).status).toBe(200)
    expect((await browser.get('/session')).body.account.is_email_verified).toBe(true)
  })

  test('that stands in the declarative file is changed there', async () => {
    place = await startSignIn()
    const ada = await place.account({ isManaged: true })
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    expect((await browser.post('/email/change', { email: 'ada@new.test' })).body.code).toBe('managed')
  })
})
