import {
  backupCodesSchema,
  secondFactorCodeBodySchema,
  signInMethodsSchema,
  totpCodeBodySchema,
  totpStartSchema,
} from '../../../contract/sign-in.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { requireSecondFactor, spendTotp } from '../../sign-in/credentials/second-factor.ts'
import { methodsOf } from '../../sign-in/methods/methods-of.ts'
import { FRESH_SESSION, OWN_SESSION, ownRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const start = route('post /api/auth/totp/start', {
  summary: 'Set up two-step sign-in',
  description: 'The secret and the backup codes are shown this once. Nothing is on until POST /api/auth/totp/finish.',
  who: 'account',
  limits: FRESH_SESSION,
  answer: totpStartSchema,
  problems: ['totp_already_on'],
  async handle(call, parts) {
    const { body } = await ownRequest(call, parts).ask({
      method: 'POST',
      path: '/two-factor/enable',
      body: { method: 'totp' },
    })
    const uri = String(body['totpURI'])
    return {
      uri,
      secret: new URL(uri).searchParams.get('secret') ?? '',
      backup_codes: codesOf(body['backupCodes']),
    }
  },
})

const finish = route('post /api/auth/totp/finish', {
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
      const taken = await request.ask({ method: 'POST', path: '/two-factor/verify-totp', body: { code } })
      await spendTotp(request, { accountId: account.id, code })
      return taken
    })
    request.setCookies(asked.cookies)
    return methodsOf(request)
  },
})

const stop = route('post /api/auth/totp/stop', {
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
    const asked = await request.ask({ method: 'POST', path: '/two-factor/disable', body: {} })
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
    const { body } = await request.ask({ method: 'POST', path: '/two-factor/generate-backup-codes', body: {} })
    return { backup_codes: codesOf(body['backupCodes']) }
  },
})

/** The second step: codes from an app, and backup codes for when it is lost. */
export const secondFactorRoutes: readonly ApiRoute[] = [start, finish, stop, renewBackupCodes]

function codesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
