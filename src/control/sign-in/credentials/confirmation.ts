import { verifyPassword } from '../../../access/password.ts'
import type { ConfirmBody } from '../../../contract/sign-in.ts'
import { Problem } from '../../problem.ts'
import { credentialsWrong } from '../problems.ts'
import { checkTotp } from './second-factor.ts'
import { endSession, signedInBy } from '../session/sessions.ts'
import type { OwnRequest } from '../sign-in-request.ts'

/** Checks the credentials that the owner of a session shows again. Throws Problem. */
export async function checkConfirmation(request: OwnRequest, given: ConfirmBody): Promise<void> {
  const { account } = request.signedIn
  if ('password' in given) {
    const hash = await request.parts.accounts.passwordHash(account.id)
    if (hash === null || !(await verifyPassword(given.password, hash))) throw credentialsWrong()
    return
  }
  if ('totp' in given) {
    const own = await request.parts.accounts.findOwn(account.id)
    if (own?.profile.hasSecondFactor !== true) {
      throw new Problem('totp_not_on', 'This account has no two-step sign-in: confirm with the password.')
    }
    return checkTotp(request, given.totp)
  }
  const asked = await request.ask('/passkey/verify-authentication', { response: given.passkey }, 'passkey')
  // It begins a session of its own, which is not needed.
  const begun = await signedInBy(request, sessionTokenOf(asked.body))
  await endSession(request.parts, begun.sessionId)
  if (begun.account.id !== account.id) throw credentialsWrong()
}

/** Where the answer to a passkey has the token of its session. */
export function sessionTokenOf(body: Readonly<Record<string, unknown>>): string {
  const { session: begun } = body
  return typeof begun === 'object' && begun !== null && 'token' in begun ? String(begun.token) : ''
}
