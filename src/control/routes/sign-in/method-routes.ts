import { equal } from '../../../access/sign-in-records.ts'
import {
  backupCodesSchema,
  secondFactorCodeBodySchema,
  signInMethodsSchema,
  signInOptionsSchema,
  totpCodeBodySchema,
  totpStartSchema,
} from '../../../contract/sign-in.ts'
import { BOUNDS } from '../../../core/bounds.ts'
import { notFound, Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { methodsOf } from '../../sign-in/methods/methods-of.ts'
import { whyNoPasskeys } from '../../sign-in/methods/why-no-passkeys.ts'
import { changing } from '../../sign-in/changing.ts'
import type { OwnRequest } from '../../sign-in/sign-in-request.ts'
import { FRESH_SESSION, OWN_SESSION, ownRequest, signInRequest } from './sign-in-call.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { requireSecondFactor, spendTotp } from '../../sign-in/credentials/second-factor.ts'

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
    await changing(request, async (inside, record) => {
      const removed = await inside.records.delete('identity', equal({ accountId: account.id }))
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
      await inside.records.delete('passkey', equal({ id: call.params.id, accountId: account.id }))
      await record({ kind: 'passkey_removed', accountId: account.id })
    })
    return methodsOf(request)
  },
})

const startTotp = route('post /api/auth/totp/start', {
  summary: 'Set up two-step sign-in',
  description: 'The secret and the backup codes are shown this once. Nothing is on until POST /api/auth/totp/finish.',
  who: 'account',
  limits: FRESH_SESSION,
  answer: totpStartSchema,
  problems: ['totp_already_on'],
  async handle(call, parts) {
    const { body } = await ownRequest(call, parts).ask('/two-factor/enable', { method: 'totp' })
    const uri = String(body['totpURI'])
    return {
      uri,
      secret: new URL(uri).searchParams.get('secret') ?? '',
      backup_codes: codesOf(body['backupCodes']),
    }
  },
})

const finishTotp = route('post /api/auth/totp/finish', {
  summary: 'Turn two-step sign-in on with a code of the app',
  who: 'account',
  limits: OWN_SESSION,
  body: totpCodeBodySchema,
  answer: signInMethodsSchema,
  problems: ['second_step_wrong', 'totp_not_on'],
  example: { body: { code: '123456' } },
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { account } = request.signedIn
    const { code } = call.body
    const asked = await guarded(request, { email: account.email }, async () => {
      const taken = await request.ask('/two-factor/verify-totp', { code })
      await spendTotp(request, { accountId: account.id, code })
      return taken
    })
    request.setCookies(asked.cookies)
    return methodsOf(request)
  },
})

const stopTotp = route('post /api/auth/totp/stop', {
  summary: 'Turn two-step sign-in off',
  description: 'With a code of the app that was not used before, or a backup code.',
  who: 'account',
  limits: FRESH_SESSION,
  body: secondFactorCodeBodySchema,
  answer: signInMethodsSchema,
  problems: ['totp_not_on', 'second_step_wrong', 'credential_throttled'],
  example: { body: { way: 'totp', code: '123456' } },
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    await requireSecondFactor(request, call.body)
    const asked = await request.ask('/two-factor/disable', {})
    request.setCookies(asked.cookies)
    return methodsOf(request)
  },
})

const renewBackupCodes = route('post /api/auth/totp/backup-codes', {
  summary: 'Replace the backup codes',
  description:
    'The old ones stop working. The new ones are shown this once. With a code of the app that was not used before, or a backup code.',
  who: 'account',
  limits: FRESH_SESSION,
  body: secondFactorCodeBodySchema,
  answer: backupCodesSchema,
  problems: ['totp_not_on', 'second_step_wrong', 'credential_throttled'],
  example: { body: { way: 'totp', code: '123456' } },
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    await requireSecondFactor(request, call.body)
    const { body } = await request.ask('/two-factor/generate-backup-codes', {})
    return { backup_codes: codesOf(body['backupCodes']) }
  },
})

export const methodRoutes: readonly ApiRoute[] = [
  readOptions,
  readMethods,
  unlinkOidc,
  removePasskey,
  startTotp,
  finishTotp,
  stopTotp,
  renewBackupCodes,
]

/** Keeps people from locking themselves out. */
async function requireAnotherWayIn(request: OwnRequest, without: 'oidc' | 'passkey'): Promise<void> {
  const { has_password: hasPassword, passkeys, oidc } = await methodsOf(request)
  const hasOther = without === 'oidc' ? passkeys.length > 0 : oidc !== null
  if (hasPassword || hasOther) return
  throw new Problem('last_way_in', 'This is the only way to sign in to your account: set a password first.')
}

function codesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
