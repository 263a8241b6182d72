import { expect } from 'vitest'
import { NO_GIFT } from '../../src/access/sign-in-link.ts'
import type { OidcSettings } from '../../src/control/sign-in.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type Manner, type MannerlyProvider, startMannerlyProvider } from './oidc-manners.ts'
import { type Browser, type SignInUnderTest, startSignIn } from './sign-in-under-test.ts'

/** The name under which the place is reached. */
export const ORIGIN = 'http://tollgate.test'

/** A place with a provider of these manners, and a person in a browser. */
export interface ProviderUnderTest {
  readonly place: SignInUnderTest
  readonly provider: MannerlyProvider
  /** Goes from the button to the page where the browser ends. */
  signIn(browser: Browser, body?: object): Promise<string>
  /** Signs in with the password, from the page of the console. */
  signInByPassword(browser: Browser, account: { email: string; password: string }): Promise<void>
  /** `credit`: what the account begins with. */
  invite(email: string | null, role?: 'admin' | 'user', credit?: string): Promise<string>
  close(): Promise<void>
}

export async function startWithProvider(
  manner: Manner,
  settings: Partial<OidcSettings> = {},
): Promise<ProviderUnderTest> {
  const provider = await startMannerlyProvider(manner)
  // What it is set up as is read when it is asked.
  const oidc = Object.defineProperty({ ...provider.settings, ...settings }, 'issuer', {
    enumerable: true,
    get: () => settings.issuer ?? provider.settings.issuer,
  })
  const place = await startSignIn({ oidc })
  place.shownOrigin = ORIGIN
  place.registration = 'open'
  const headers = { origin: ORIGIN }
  return {
    place,
    provider,
    async signIn(browser, body = {}) {
      const started = await browser.send('POST', '/oidc/start', { body, headers })
      if (started.status !== 200) return started.body.code
      const back = await provider.visit(started.body.url)
      const answer = await browser.get(back.slice(`${ORIGIN}/api/auth`.length))
      expect(answer.status).toBe(302)
      return answer.headers.get('location') ?? ''
    },
    async signInByPassword(browser, body) {
      const { status } = await browser.send('POST', '/sign-in', { body, headers })
      expect(status).toBe(200)
    },
    async invite(email, role = 'user', credit) {
      const gift = credit === undefined ? NO_GIFT : { ...NO_GIFT, credit: parseUsd(credit) }
      const order = { email, role, byAccountId: null, origin: ORIGIN, gift } as const
      const { deliver } = await place.signIn.createInvitation(order, place.store)
      return (await deliver()).url.split('#')[1] ?? ''
    },
    async close() {
      await place.close()
      await provider.close()
    },
  }
}

export const failure = (code: string) => `/console/sign-in#error=${code}`

export const accountOf = async (browser: Browser) => (await browser.get('/session')).body.account
