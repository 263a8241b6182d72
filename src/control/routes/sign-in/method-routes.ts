import { signInMethodsSchema, signInOptionsSchema } from '../../../contract/sign-in.ts'
import { BOUNDS } from '../../../core/bounds.ts'
import { notFound, Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { methodsOf } from '../../sign-in/methods/methods-of.ts'
import { whyNoPasskeys } from '../../sign-in/methods/why-no-passkeys.ts'
import { changing } from '../../sign-in/session/changing.ts'
import type { OwnRequest } from '../../sign-in/sign-in-request.ts'
import { FRESH_SESSION, OWN_SESSION, ownRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const readOptions = route('get /api/auth/options', {
  summary: 'Read how one can sign in or register here',
  who: 'anyone',
  answer: signInOptionsSchema,
  async handle(call, controlParts) {
    const { parts, origin } = await signInRequest(call, controlParts)
    return {
      registration: await parts.registration(),
      has_mail_server: parts.mail !== null,
      oidc: parts.oidc === null ? null : { name: parts.oidc.name },
      passkeys: { unavailable_because: whyNoPasskeys(origin) },
      password: { shortest: BOUNDS.account.password.least, longest: BOUNDS.account.password.most },
    }
  },
})

const readMethods = route('get /api/auth/methods', {
  summary: 'Read how you can sign in',
  who: 'account',
  limits: OWN_SESSION,
  answer: signInMethodsSchema,
  handle: async (call, parts) => methodsOf(ownRequest(call, parts)),
})

const unlinkOidc = route('delete /api/auth/oidc', {
  summary: 'Unlink the OIDC provider',
  who: 'account',
  limits: FRESH_SESSION,
  answer: signInMethodsSchema,
  problems: ['not_found', 'last_way_in'],
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { account } = request.signedIn
    await requireAnotherWayIn(request, 'oidc')
    const own = [{ field: 'accountId', is: '=', value: account.id }] as const
    await changing(request, async (inside, record) => {
      const removed = await inside.records.delete('identity', own)
      if (removed.length === 0) throw notFound('link to the provider')
      await record({ kind: 'identity_unlinked', accountId: account.id })
    })
    return methodsOf(request)
  },
})

const removePasskey = route('delete /api/auth/passkeys/{id}', {
  summary: 'Remove a passkey',
  who: 'account',
  limits: FRESH_SESSION,
  answer: signInMethodsSchema,
  problems: ['last_way_in'],
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { account } = request.signedIn
    const { passkeys } = await methodsOf(request)
    if (passkeys.every(({ id }) => id !== call.params.id)) throw notFound('passkey')
    if (passkeys.length === 1) await requireAnotherWayIn(request, 'passkey')
    await changing(request, async (inside, record) => {
      await inside.records.delete('passkey', [
        { field: 'id', is: '=', value: call.params.id },
        { field: 'accountId', is: '=', value: account.id },
      ])
      await record({ kind: 'passkey_removed', accountId: account.id })
    })
    return methodsOf(request)
  },
})

/** The ways to sign in: here, and for one's own account. */
export const methodRoutes: readonly ApiRoute[] = [readOptions, readMethods, unlinkOidc, removePasskey]

/** Keeps people from locking themselves out. */
async function requireAnotherWayIn(request: OwnRequest, without: 'oidc' | 'passkey'): Promise<void> {
  const { has_password: hasPassword, passkeys, oidc } = await methodsOf(request)
  const hasOther = without === 'oidc' ? passkeys.length > 0 : oidc !== null
  if (hasPassword || hasOther) return
  throw new Problem('last_way_in', 'This is the only way to sign in to your account: set a password first.')
}
