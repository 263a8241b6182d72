import type { SignInAnswer } from '../../../contract/sign-in.ts'
import type { Answer, Asked, Call } from '../call.ts'
import type { SignedIn, SignInEvent } from '../parts.ts'
import { notSignedIn } from '../refusal.ts'
import { stateOf } from './session-view.ts'

/** Begins a session for somebody whom a route has recognised, without asking for a second step. */
export async function beginSession(call: Call, who: { accountId: string; beganBy: string }): Promise<Answer> {
  const asked = await call.ask({
    method: 'POST',
    path: '/tollgate/begin',
    body: { accountId: who.accountId, keep: true },
    beganBy: who.beganBy,
  })
  return answerSignedIn(call, asked)
}

/** Answers a session that has just begun, and ends the one that this browser had before. */
export async function answerSignedIn(call: Call, asked: Asked): Promise<Answer> {
  const signedIn = await signedInBy(call, String(asked.body['token']))
  await endSession(call, call.signedIn?.sessionId ?? null)
  tell(call, { kind: 'signed_in', accountId: signedIn.account.id, detail: signedIn.beganBy })
  const body: SignInAnswer = { state: 'signed_in', ...(await stateOf(call.parts, signedIn)) }
  return { status: 200, body, cookies: asked.cookies }
}

/** Whose session this token opens. */
export async function signedInBy({ parts }: Call, token: string): Promise<SignedIn> {
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

export async function endSession({ parts }: Call, sessionId: string | null): Promise<void> {
  if (sessionId !== null) await parts.records.delete('session', [{ field: 'id', is: '=', value: sessionId }])
}

type EventKind = SignInEvent['kind']

/** For the audit. */
export function tell(
  { parts, from, signedIn }: Call,
  event: { kind: EventKind; accountId: string | null; detail?: string | null },
): void {
  const by = signedIn?.account.id ?? null
  parts.onEvent({
    kind: event.kind,
    accountId: event.accountId,
    byAccountId: by === event.accountId ? null : by,
    address: from.address,
    detail: event.detail ?? null,
  })
}
