import { verifyPassword } from '../../../access/password.ts'
import {
  confirmBodySchema,
  secondStepBodySchema,
  type SessionList,
  type SessionState,
  signInBodySchema,
  type SignInAnswer,
  signOutEverywhereBodySchema,
} from '../../../contract/sign-in.ts'
import { answerSignedIn, endSession, signedInBy, tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Asked, type Call, done, type Route, route, signedInOf } from '../../sign-in/call.ts'
import {
  type CheckedPassword,
  checkedPassword,
  credentialsWrong,
  guarded,
} from '../../sign-in/credentials/credentials.ts'
import { endSessions } from '../../sign-in/session/end-sessions.ts'
import { notFound, SignInRefusal } from '../../sign-in/refusal.ts'
import { NOBODY, sessionView, stateOf } from '../../sign-in/session/session-view.ts'

/** Signing in and out, and the sessions there are. */
export const SESSION_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/session', access: 'anyone', body: null, answer: session },
  route({
    method: 'POST',
    path: '/sign-in',
    access: 'anyone',
    body: signInBodySchema,
    async answer(call) {
      const { email, password, keep = true } = call.body
      const { account, passwordHash } = await checkedPassword(call, { email, password })
      const asked = await call.ask({
        method: 'POST',
        path: '/sign-in/username',
        body: { accountId: account.id, keep },
        beganBy: 'password',
      })
      await requireUnchanged(call, asked, { account, passwordHash })
      if (asked.body['twoFactorRedirect'] !== true) return answerSignedIn(call, asked)
      const body: SignInAnswer = { state: 'second_step', ways: ['totp', 'backup_code'] }
      return { status: 200, body, cookies: asked.cookies }
    },
  }),
  route({
    method: 'POST',
    path: '/second-step',
    access: 'anyone',
    body: secondStepBodySchema,
    async answer(call) {
      const { way, code, trust_browser: trustDevice = false } = call.body
      const path = way === 'totp' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
      // With a session it would be taken for a confirmation.
      const withoutSession = { ...call, signedIn: null }
      if (call.signedIn !== null) throw new SignInRefusal('second_step_expired', 'You are signed in already.')
      const asked = await guarded(withoutSession, { email: null }, () =>
        call.ask({ method: 'POST', path, body: { code, trustDevice }, beganBy: `password and ${way}` }),
      )
      return answerSignedIn(call, asked)
    },
  }),
  { method: 'POST', path: '/sign-out', access: 'anyone', body: null, answer: signOut },
  route({
    method: 'POST',
    path: '/sign-out-everywhere',
    access: 'signed_in',
    body: signOutEverywhereBodySchema,
    async answer(call) {
      const { sessionId, account } = signedInOf(call)
      const { keep_this: keepThis = true } = call.body
      await endSessions(call.parts, account.id, keepThis ? sessionId : undefined)
      tell(call, { kind: 'sessions_ended', accountId: account.id })
      return done()
    },
  }),
  route({
    method: 'POST',
    path: '/confirm',
    access: 'signed_in',
    body: confirmBodySchema,
    answer: confirm,
  }),
  { method: 'GET', path: '/sessions', access: 'signed_in', body: null, answer: list },
  { method: 'DELETE', path: '/sessions/{id}', access: 'signed_in', body: null, answer: endOne },
]

/**
 * A new password ends all sessions, and must not miss one that began with the old password at the same instant: what begins
 * after that end finds the new one here.
 */
async function requireUnchanged({ parts }: Call, asked: Asked, checked: CheckedPassword): Promise<void> {
  const { account, passwordHash } = checked
  if ((await parts.accounts.passwordHash(account.id)) === passwordHash) return
  const token = parts.hashes.session(String(asked.body['token']))
  await parts.records.delete('session', [{ field: 'tokenHash', is: '=', value: token }])
  await parts.records.delete('verification', [{ field: 'content', is: '=', value: account.id }])
  throw credentialsWrong()
}

const SESSIONS_SHOWN = 100

/** Asked when a page opens, so this is where a session that is in use is prolonged. */
async function session(call: Call): Promise<Answer> {
  const { signedIn } = call
  const asked = await call.ask({ method: 'GET', path: '/get-session' })
  const body: SessionState = signedIn === null ? NOBODY : await stateOf(call.parts, signedIn)
  return { status: 200, body, cookies: asked.cookies }
}

async function signOut(call: Call): Promise<Answer> {
  const asked = await call.ask({ method: 'POST', path: '/sign-out', body: {} })
  if (call.signedIn !== null) tell(call, { kind: 'signed_out', accountId: call.signedIn.account.id })
  return done(asked.cookies)
}

async function list(call: Call): Promise<Answer> {
  const signedIn = signedInOf(call)
  const records = await call.parts.records.select('session', {
    where: [
      { field: 'accountId', is: '=', value: signedIn.account.id },
      { field: 'expiresAt', is: '>', value: call.parts.clock.now() },
    ],
    limit: SESSIONS_SHOWN,
    sortBy: { field: 'updatedAt', direction: 'desc' },
  })
  const body: SessionList = { data: records.map((record) => sessionView(record, signedIn)) }
  return { status: 200, body }
}

async function endOne(call: Call): Promise<Answer> {
  const { account } = signedInOf(call)
  const ended = await call.parts.records.delete('session', [
    { field: 'id', is: '=', value: call.id },
    { field: 'accountId', is: '=', value: account.id },
  ])
  if (ended.length === 0) throw notFound('session')
  tell(call, { kind: 'sessions_ended', accountId: account.id })
  return done()
}

/** Shows credentials again. The session stays; the time at which they were shown moves. */
async function confirm(call: Call<Confirmation>): Promise<Answer> {
  const signedIn = signedInOf(call)
  const { account, sessionId } = signedIn
  await guarded(call, { email: account.email }, () => checkConfirmation(call, call.body))
  const signedInAt = call.parts.clock.now()
  await call.parts.records.update('session', {
    where: [{ field: 'id', is: '=', value: sessionId }],
    set: { signedInAt },
  })
  return { status: 200, body: await stateOf(call.parts, { ...signedIn, signedInAt }) }
}

type Confirmation = { password: string } | { totp: string } | { passkey: Record<string, unknown> }

async function checkConfirmation(call: Call, given: Confirmation): Promise<void> {
  const { account } = signedInOf(call)
  if ('password' in given) {
    const hash = await call.parts.accounts.passwordHash(account.id)
    if (hash === null || !(await verifyPassword(given.password, hash))) throw credentialsWrong()
    return
  }
  if ('totp' in given) {
    const own = await call.parts.accounts.findOwn(account.id)
    if (own?.profile.hasSecondFactor !== true) {
      throw new SignInRefusal('totp_not_on', 'This account has no second step: show the password.')
    }
    await call.ask({ method: 'POST', path: '/two-factor/verify-totp', body: { code: given.totp } })
    return
  }
  const asked = await call.ask({
    method: 'POST',
    path: '/passkey/verify-authentication',
    body: { response: given.passkey },
    beganBy: 'passkey',
  })
  // It begins a session of its own, which nobody needs.
  const begun = await signedInBy(call, tokenOf(asked.body))
  await endSession(call, begun.sessionId)
  if (begun.account.id !== account.id) throw credentialsWrong()
}

/** Where the passkey's answer has the token of its session. */
export function tokenOf(body: Readonly<Record<string, unknown>>): string {
  const { session: begun } = body
  return typeof begun === 'object' && begun !== null && 'token' in begun ? String(begun.token) : ''
}
