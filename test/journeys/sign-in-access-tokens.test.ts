import { afterEach, describe, expect, test } from 'vitest'
import { type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

const NEW = 'a new good password'

let place: SignInUnderTest
afterEach(() => place.close())

const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? ''

describe('access tokens', () => {
  const asking = async () => {
    place = await startSignIn()
    const ada = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    const name = { name: 'nightly report', scope: 'write', expires_at: null }
    const made = await browser.send('POST', '/api/tokens', { body: name })
    expect(made.status).toBe(201)
    const works = async () => {
      const headers = { authorization: `Bearer ${made.body.secret}` }
      return (await fetch(`${place.origin}/api/me`, { headers })).status === 200
    }
    expect(await works()).toBe(true)
    return { ada, browser, works }
  }
  const kinds = () => place.events.map(({ kind }) => kind)

  test('end with a reset of the password by a link', async () => {
    const { ada, works } = await asking()
    const order = { purpose: 'reset', accountId: ada.id, byAccountId: null, origin: place.origin } as const
    const link = await place.signIn.createLink(order, place.store)
    await place.browser().post('/password/reset', { token: tokenIn(link?.url ?? ''), password: NEW })
    expect(await works()).toBe(false)
    expect(kinds().slice(-2)).toEqual(['password_changed', 'access_tokens_ended'])
  })

  // from: mastodon/mastodon#12928, whose tokens went on after a new password
  test('end with a change of the password, unless its owner keeps them', async () => {
    const { ada, browser, works } = await asking()
    const change = (current: string, next: string, more: object = {}) =>
      browser.post('/password/change', { current_password: current, new_password: next, ...more })
    expect((await change(ada.password, NEW, { end_access_tokens: false })).status).toBe(204)
    expect(await works()).toBe(true)
    expect((await change(NEW, ada.password)).status).toBe(204)
    expect(await works()).toBe(false)
    expect(kinds().slice(-2)).toEqual(['password_changed', 'access_tokens_ended'])
  })

  test('end with signing out everywhere, unless their owner keeps them', async () => {
    const { browser, works } = await asking()
    await browser.post('/sign-out-everywhere', { end_access_tokens: false })
    expect(await works()).toBe(true)
    await browser.post('/sign-out-everywhere', {})
    expect(await works()).toBe(false)
    expect(kinds().slice(-2)).toEqual(['sessions_ended', 'access_tokens_ended'])
  })

  test('do not outlive the session of a stranger who makes them while the owner signs out everywhere', async () => {
    const { ada, browser } = await asking()
    const stranger = place.browser()
    await stranger.post('/sign-in', ada)
    const make = (name: string) =>
      stranger.send('POST', '/api/tokens', { body: { name, scope: 'read', expires_at: null } })
    const names = Array.from({ length: 12 }, (_, i) => `token ${i}`)
    const [ended, ...made] = await Promise.all([
      browser.post('/sign-out-everywhere', {}),
      ...names.map((name) => make(name)),
    ])
    expect(ended?.status).toBe(204)
    for (const { status } of made) expect([201, 401]).toContain(status)
    const left = await place.store.accessTokens.list(ada.id, { after: null, limit: 20 })
    expect(left).toEqual([])
  })

  test('end with a password that an admin sets', async () => {
    const { ada, works } = await asking()
    const admin = place.browser()
    await admin.post('/sign-in', await place.account({ role: 'admin' }))
    const set = await admin.send('PATCH', `/api/accounts/${ada.id}`, { body: { password: NEW } })
    expect(set.status).toBe(200)
    expect(await works()).toBe(false)
  })
})
