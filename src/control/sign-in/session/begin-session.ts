import { notSignedIn } from '../../problem.ts'
import type { SignInAnswer } from '../../../contract/sign-in.ts'
import type { SignedIn, SignInParts } from '../parts.ts'
import type { AuthenticatorAnswer } from '../authenticator/ask-authenticator.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { changing } from './changing.ts'
import { stateOf } from './session-view.ts'

/** Begins a session for an account that a route has recognised, without a second step. */
export async function beginSession(
  request: SignInRequest,
  by: { readonly accountId: string; readonly beganBy: string },
): Promise<SignInAnswer> {
  const asked = await request.ask({
    method: 'POST',
    path: '/tollgate/begin',
    body: { accountId: by.accountId, keep: true },
    beganBy: by.beganBy,
  })
  return answerSignedIn(request, asked)
}

/** Returns the session that has just begun, and ends the one that this browser had before. */
export async function answerSignedIn(request: SignInRequest, asked: AuthenticatorAnswer): Promise<SignInAnswer> {
  const signedIn = await signedInBy(request, String(asked.body['token']))
  try {
    await changing(request, async (inside, record) => {
      await endSession(inside, request.signedIn?.sessionId ?? null)
      await record({ kind: 'signed_in', accountId: signedIn.account.id, detail: signedIn.beganBy })
    })
  } catch (error) {
    // better-auth has made it by now. Its token was not handed out, and a session without its entry must not stay.
    await endSession(request.parts, signedIn.sessionId)
    throw error
  }
  const state = await stateOf(request.parts, signedIn)
  request.setCookies(asked.cookies)
  return { state: 'signed_in', ...state }
}

/** The session that this token opens. Throws Problem. */
export async function signedInBy({ parts }: SignInRequest, token: string): Promise<SignedIn> {
  const [record] = await parts.records.select('session', {
    where: [{ field: 'tokenHash', is: '=', value: parts.hashes.session(token) }],
    limit: 1,
  })
  const own = record === undefined ? null : await parts.accounts.findOwn(String(record['accountId']))
  if (record === undefined || own === null) throw notSignedIn()
  return {
    sessionId: String(record['id']),
    account: own.account,
    signedInAt: Number(record['signedInAt']),
    canConfirm: own.hasPassword || own.profile.hasSecondFactor || record['beganBy'] === 'passkey',
    beganBy: String(record['beganBy']),
  }
}

export async function endSession({ records }: Pick<SignInParts, 'records'>, sessionId: string | null): Promise<void> {
  if (sessionId !== null) await records.delete('session', [{ field: 'id', is: '=', value: sessionId }])
}
