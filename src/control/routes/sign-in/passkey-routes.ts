import { passkeyBodySchema, passkeyRegistrationBodySchema } from '../../../contract/sign-in.ts'
import { answerSignedIn, tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Call, type Route, route, signedInOf } from '../../sign-in/call.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { methodsOf, whyNoPasskeys } from './method-routes.ts'
import { SignInRefusal } from '../../sign-in/refusal.ts'
import { tokenOf } from './session-routes.ts'

/** Passkeys: adding one, and signing in by one. A challenge is kept in a cookie of five minutes between the two steps. */
export const PASSKEY_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/passkeys/register/start',
    access: 'fresh',
    body: null,
    answer: (call) => challenge(call, '/passkey/generate-register-options'),
  },
  route({
    method: 'POST',
    path: '/passkeys/register/finish',
    access: 'signed_in',
    body: passkeyRegistrationBodySchema,
    async answer(call) {
      const { name, credential } = call.body
      const path = '/passkey/verify-registration'
      const asked = await call.ask({ method: 'POST', path, body: { name, response: credential } })
      tell(call, { kind: 'passkey_added', accountId: signedInOf(call).account.id })
      return { status: 200, body: await methodsOf(call), cookies: asked.cookies }
    },
  }),
  {
    method: 'POST',
    path: '/passkeys/sign-in/start',
    access: 'anyone',
    body: null,
    answer: (call) => challenge(call, '/passkey/generate-authenticate-options'),
  },
  route({
    method: 'POST',
    path: '/passkeys/sign-in/finish',
    access: 'anyone',
    body: passkeyBodySchema,
    async answer(call) {
      const asked = await guarded(call, { email: null }, () =>
        call.ask({
          method: 'POST',
          path: '/passkey/verify-authentication',
          body: { response: call.body.credential },
          beganBy: 'passkey',
        }),
      )
      return answerSignedIn(call, { ...asked, body: { token: tokenOf(asked.body) } })
    },
  }),
]

const REASONS = {
  insecure_context:
    'Browsers offer passkeys over https alone, and this address is http: let the gateway be reached by https.',
  ip_address: 'Passkeys belong to a host name, and this is an IP address: open the console by its name.',
} as const

async function challenge(call: Call, path: string): Promise<Answer> {
  const reason = whyNoPasskeys(call.from.origin)
  if (reason !== null) throw new SignInRefusal('passkeys_impossible', REASONS[reason])
  const asked = await call.ask({ method: 'GET', path })
  return { status: 200, body: asked.body, cookies: asked.cookies }
}
