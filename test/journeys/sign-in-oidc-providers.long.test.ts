import { afterEach, describe, expect, test } from 'vitest'
import { PERSON } from '../support/oidc-manners.ts'
import { PROFILES } from '../support/oidc-profiles.ts'
import { accountOf, failure, type ProviderUnderTest, startWithProvider } from '../support/sign-in-by-provider.ts'

let here: ProviderUnderTest
afterEach(() => here.close())

describe.each(Object.entries(PROFILES))('%s', (_, profile) => {
  test('signs a person in, again after its keys have changed, and counts for an address as far as it says so', async () => {
    const isTrusted = profile.proof !== 'verified'
    here = await startWithProvider(profile)
    if (isTrusted) {
      expect(await here.signIn(here.place.browser())).toBe(failure('oidc_email_unverified'))
      await here.close()
      here = await startWithProvider(profile, { trustsEmail: true })
    }
    const browser = here.place.browser()
    expect(await here.signIn(browser, { return_to: '/console/keys' })).toBe('/console/keys')
    const account = await accountOf(browser)
    expect(account).toMatchObject({ email: PERSON.email, name: PERSON.name, is_email_verified: true, role: 'user' })
    await here.provider.rotate()
    const again = here.place.browser()
    expect(await here.signIn(again)).toBe('/console/')
    expect((await accountOf(again)).id).toBe(account.id)
    expect(here.place.refusals).toEqual([])
    expect(here.place.errors).toEqual([])
  })

  test('lets an invitation in for its own address, whatever it says of it', async () => {
    here = await startWithProvider(profile)
    here.place.registration = 'invitation'
    const invitation = await here.invite('Ada@Example.test', 'admin')
    const browser = here.place.browser()
    expect(await here.signIn(browser, { invitation })).toBe('/console/')
    expect(await accountOf(browser)).toMatchObject({ email: PERSON.email, role: 'admin', is_email_verified: true })
    expect(here.place.refusals).toEqual([])
  })

  test('is linked by the owner of an account of another address, which stays', async () => {
    here = await startWithProvider(profile)
    const owner = await here.place.account({ email: 'owner@elsewhere.test' })
    const browser = here.place.browser()
    await here.signInByPassword(browser, owner)
    const link = { purpose: 'link', return_to: '/console/account?section=security' }
    expect(await here.signIn(browser, link)).toBe('/console/account?section=security')
    // Once more changes nothing.
    expect(await here.signIn(browser, link)).toBe('/console/account?section=security')
    const anew = here.place.browser()
    expect(await here.signIn(anew)).toBe('/console/')
    expect(await accountOf(anew)).toMatchObject({ id: owner.id, email: 'owner@elsewhere.test' })
    const second = await here.place.account()
    const other = here.place.browser()
    await here.signInByPassword(other, second)
    expect(await here.signIn(other, link)).toBe('/console/account?section=security#error=oidc_linked_elsewhere')
    expect(here.place.events.filter(({ kind }) => kind === 'identity_linked')).toHaveLength(1)
  })
})
