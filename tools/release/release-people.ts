import type { MannerlyProvider } from '../../test/support/oidc-manners.ts'
import { PasskeyAuthenticator } from '../../test/support/passkey-authenticator.ts'
import { totpCode } from '../../test/support/totp-code.ts'
import { HOLDER_EMAIL, PASSKEY, RELEASE_ORIGIN, RELEASE_PASSWORD } from './release-plan.ts'
import { Caller, type SteppedGateway } from './stepped-gateway.ts'

/** Accounts of every kind; resolves with the ID of the one that holds the keys. */
export async function makePeople(admin: Caller): Promise<string> {
  const password = RELEASE_PASSWORD
  const { id } = await admin.ask<{ id: string }>('POST', '/api/accounts', { email: HOLDER_EMAIL, password })
  await admin.ask('PATCH', `/api/accounts/${id}`, {
    limits: { concurrency: 20, requests_per_minute: 600, spend: [{ window: '7d', usd: '100' }], max_keys: 50 },
    open_groups: ['pro'],
    multipliers: [{ group: 'pro', multiplier: '1.1' }],
  })
  await admin.ask('POST', `/api/accounts/${id}/ledger`, { amount: '50', reason: 'Invoice 1', kind: 'credit' })
  await admin.ask('POST', '/api/accounts', { email: 'lin@example.test', password, role: 'finance' })
  const gone = await admin.ask<{ id: string }>('POST', '/api/accounts', { email: 'gone@example.test', password })
  await admin.ask('POST', `/api/accounts/${gone.id}/close`)
  await admin.ask('POST', '/api/invitations', { email: 'grace@example.test' })
  await admin.ask('POST', `/api/accounts/${id}/reset-link`)
  return id
}

/** Signs an account in by its password. */
export async function signIn(gateway: SteppedGateway, email: string): Promise<Caller> {
  const caller = new Caller(gateway)
  await caller.ask('POST', '/api/auth/sign-in', { email, password: RELEASE_PASSWORD })
  return caller
}

/** A passkey, a second step, an access token, an identity at a provider, and a guess at a redeem code. */
export async function makeWaysIn(gateway: SteppedGateway, { provider }: { provider: MannerlyProvider }): Promise<void> {
  const holder = await signIn(gateway, HOLDER_EMAIL)
  const authenticator = new PasskeyAuthenticator(RELEASE_ORIGIN, PASSKEY)
  type Registration = Parameters<PasskeyAuthenticator['create']>[0]
  const options = await holder.ask<Registration>('POST', '/api/auth/passkeys/register/start')
  const credential = authenticator.create(options)
  await holder.ask('POST', '/api/auth/passkeys/register/finish', { name: 'Laptop', credential })
  await holder.ask('POST', '/api/tokens', { name: 'Nightly report' })
  await holder.ask('PATCH', '/api/me', { name: 'Ada', language: 'en', favourite_models: ['demo/echo'] })
  // Begun and never finished.
  await new Caller(gateway).ask('POST', '/api/auth/passkeys/sign-in/start')

  const lin = await signIn(gateway, 'lin@example.test')
  const { secret } = await lin.ask<{ secret: string }>('POST', '/api/auth/totp/start')
  await lin.ask('POST', '/api/auth/totp/finish', { code: totpCode(secret, 0, gateway.nowMs) })

  // Its clock goes with the gateway's: an ID token of another time is refused.
  provider.manner = {
    aheadMs: gateway.nowMs - Date.now(),
    idToken: () => ({ email: 'oidc@example.test', email_verified: true, name: 'Olga' }),
  }
  const olga = new Caller(gateway)
  const { url } = await olga.ask<{ url: string }>('POST', '/api/auth/oidc/start', {})
  const back = await provider.visit(url)
  const { headers } = await olga.send({ method: 'GET', path: back.slice(RELEASE_ORIGIN.length) })
  if (headers.get('location')?.includes('error') !== false) throw new Error(`OIDC: ${headers.get('location')}`)
  const guess = { code: 'ABCD-EFGH-JKMN-PQRS' }
  await holder.send({ method: 'POST', path: '/api/redeem', body: guess, expected: 422 })
}
