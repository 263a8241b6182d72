import { equal, type SignInRecords } from '../../../access/sign-in-records.ts'
import { notSignedIn } from '../../problem.ts'
import type { SignInAnswer } from '../../../contract/sign-in.ts'
import type { SignedIn, SignInParts } from '../parts.ts'
import type { AuthenticatorAnswer } from '../authenticator/ask-authenticator.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { changing, type OwnEvent } from '../changing.ts'
import { stateOf } from './session-view.ts'

/** Begins a session for an account that a route has recognised, without a second step. */
export async function beginSession(
  request: SignInRequest,
  by: { readonly accountId: string; readonly beganBy: string },
): Promise<SignInAnswer> {
  return answerSignedIn(
    request,
    await request.ask('/tollgate/begin', { accountId: by.accountId, keep: true }, by.beganBy),
  )
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
  const where = equal({ tokenHash: parts.hashes.session(token) })
  const [record] = await parts.records.select('session', { where, limit: 1 })
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
  if (sessionId !== null) await records.delete('session', equal({ id: sessionId }))
}

/**
 * Ends all sessions of an account, but for `except`. Second steps that are under way end too, and browsers that were spared
 * the second step are asked for it again.
 */
export async function endSessions(
  parts: Pick<SignInParts, 'records'>,
  accountId: string,
  except?: string,
): Promise<void> {
  const own = equal({ accountId })
  const others = except === undefined ? own : [...own, { field: 'id', is: '!=', value: except } as const]
  await parts.records.delete('session', others)
  await parts.records.delete('verification', equal({ content: accountId }))
}

/** The sessions of an account that run, the last used first. */
export function runningSessions(records: SignInRecords, accountId: string, nowMs: number) {
  return records.select('session', {
    where: [...equal({ accountId }), { field: 'expiresAt', is: '>', value: nowMs }],
    limit: SESSIONS_SHOWN,
    sortBy: { field: 'updatedAt', direction: 'desc' },
  })
}

const SESSIONS_SHOWN = 100

/** Deletes all access tokens of an account, and writes down that it did. */
export async function endAccessTokens(
  parts: Pick<SignInParts, 'accessTokens'>,
  accountId: string,
  record: (event: OwnEvent) => Promise<void>,
): Promise<void> {
  const count = await parts.accessTokens.deleteAllOf(accountId)
  if (count > 0) await record({ kind: 'access_tokens_ended', accountId, detail: String(count) })
}
