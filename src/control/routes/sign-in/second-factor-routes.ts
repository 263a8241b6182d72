import { type BackupCodes, totpCodeBodySchema, type TotpStart } from '../../../contract/sign-in.ts'
import { tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Call, type Route, route, signedInOf } from '../../sign-in/call.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { methodsOf } from './method-routes.ts'

/** The second step: codes from an app, and backup codes for when it is lost. */
export const SECOND_FACTOR_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/totp/start', access: 'fresh', body: null, answer: start },
  route({
    method: 'POST',
    path: '/totp/finish',
    access: 'signed_in',
    body: totpCodeBodySchema,
    async answer(call) {
      const { account } = signedInOf(call)
      const { code } = call.body
      const asked = await guarded(call, { email: account.email }, () =>
        call.ask({ method: 'POST', path: '/two-factor/verify-totp', body: { code } }),
      )
      tell(call, { kind: 'second_factor_on', accountId: account.id })
      return { status: 200, body: await methodsOf(call), cookies: asked.cookies }
    },
  }),
  { method: 'POST', path: '/totp/stop', access: 'fresh', body: null, answer: stop },
  { method: 'POST', path: '/totp/backup-codes', access: 'fresh', body: null, answer: newBackupCodes },
]

async function start(call: Call): Promise<Answer> {
  const { body } = await call.ask({ method: 'POST', path: '/two-factor/enable', body: { method: 'totp' } })
  const uri = String(body['totpURI'])
  const answer: TotpStart = {
    uri,
    secret: new URL(uri).searchParams.get('secret') ?? '',
    backup_codes: codesOf(body['backupCodes']),
  }
  return { status: 200, body: answer }
}

async function stop(call: Call): Promise<Answer> {
  const { account } = signedInOf(call)
  const asked = await call.ask({ method: 'POST', path: '/two-factor/disable', body: {} })
  tell(call, { kind: 'second_factor_off', accountId: account.id })
  return { status: 200, body: await methodsOf(call), cookies: asked.cookies }
}

async function newBackupCodes(call: Call): Promise<Answer> {
  const { body } = await call.ask({ method: 'POST', path: '/two-factor/generate-backup-codes', body: {} })
  tell(call, { kind: 'backup_codes_made', accountId: signedInOf(call).account.id })
  const answer: BackupCodes = { backup_codes: codesOf(body['backupCodes']) }
  return { status: 200, body: answer }
}

function codesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
