import { equal } from '../../../access/sign-in-records.ts'
import {
  passkeyBodySchema,
  passkeyChallengeSchema,
  passkeyRegistrationBodySchema,
  signInAnswerSchema,
  signInMethodsSchema,
} from '../../../contract/sign-in.ts'
import { PASSKEYS_OF_AN_ACCOUNT_LIMIT } from '../../../core/limits.ts'
import { Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { sessionTokenOf } from '../../sign-in/credentials/confirmation.ts'
import { addressKey } from '../../../access/address-key.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { methodsOf } from '../../sign-in/methods/methods-of.ts'
import { requirePasskeys } from '../../sign-in/methods/why-no-passkeys.ts'
import { answerSignedIn } from '../../sign-in/session/sessions.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { ownAccount } from '../../who/actor.ts'
import { FRESH_SESSION, OWN_SESSION, beginningRequest, ownRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const startRegistration = route('post /api/auth/passkeys/register/start', {
  summary: 'Begin adding a passkey',
  description: 'Returns `PublicKeyCredentialCreationOptionsJSON` (WebAuthn). The challenge holds for five minutes.',
  who: 'account',
  limits: FRESH_SESSION,
  answer: passkeyChallengeSchema,
  problems: ['passkeys_impossible', 'conflict', 'too_many_requests'],
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const own = equal({ accountId: ownAccount(call.actor).id })
    if ((await parts.store.signInRecords.count('passkey', own)) >= PASSKEYS_OF_AN_ACCOUNT_LIMIT) {
      throw new Problem(
        'conflict',
        `This account has ${PASSKEYS_OF_AN_ACCOUNT_LIMIT} passkeys, the maximum: remove an unused one first.`,
      )
    }
    return challenge(request, '/passkey/generate-register-options')
  },
})

const finishRegistration = route('post /api/auth/passkeys/register/finish', {
  summary: 'Add the passkey that the browser made',
  who: 'account',
  limits: OWN_SESSION,
  body: passkeyRegistrationBodySchema,
  answer: signInMethodsSchema,
  problems: ['passkey_refused'],
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { name, credential } = call.body
    const asked = await request.ask('/passkey/verify-registration', { name, response: credential })
    request.setCookies(asked.cookies)
    return methodsOf(request)
  },
})

const startSignIn = route('post /api/auth/passkeys/sign-in/start', {
  summary: 'Begin signing in with a passkey',
  description: 'Returns `PublicKeyCredentialRequestOptionsJSON` (WebAuthn). The challenge holds for five minutes.',
  who: 'anyone',
  answer: passkeyChallengeSchema,
  problems: ['passkeys_impossible', 'too_many_requests', 'sign_in_address'],
  handle: async (call, parts) =>
    challenge(await beginningRequest(call, parts), '/passkey/generate-authenticate-options'),
})

const finishSignIn = route('post /api/auth/passkeys/sign-in/finish', {
  summary: 'Sign in with a passkey',
  who: 'anyone',
  body: passkeyBodySchema,
  answer: signInAnswerSchema,
  problems: ['passkey_refused', 'account_disabled', 'credential_throttled', 'sign_in_address'],
  async handle(call, parts) {
    const request = await beginningRequest(call, parts)
    const asked = await guarded(request, { email: null }, () =>
      request.ask('/passkey/verify-authentication', { response: call.body.credential }, 'passkey'),
    )
    return answerSignedIn(request, { ...asked, body: { token: sessionTokenOf(asked.body) } })
  },
})

/** Passkeys: adding one, and signing in by one. A challenge is kept in a cookie between the two steps. */
export const passkeyRoutes: readonly ApiRoute[] = [startRegistration, finishRegistration, startSignIn, finishSignIn]

async function challenge(request: SignInRequest, path: string): Promise<Record<string, unknown>> {
  requirePasskeys(request.origin)
  const { parts } = request
  const { challengeByAddress } = parts.throttles
  challengeByAddress.spend(addressKey(request.address), 'Too many passkey prompts were started from this address')
  // Those that were never finished. better-auth would look for them only when one is finished.
  await parts.records.delete('verification', [{ field: 'expiresAt', is: '<', value: parts.clock.now() }])
  const asked = await request.ask(path)
  request.setCookies(asked.cookies)
  return asked.body
}
