import { equal } from '../../../access/sign-in-records.ts'
import {
  confirmBodySchema,
  secondStepBodySchema,
  sessionListSchema,
  sessionStateSchema,
  signInAnswerSchema,
  type SignInAnswer,
  signInBodySchema,
  signOutEverywhereBodySchema,
} from '../../../contract/sign-in.ts'
import { noteInPassing } from '../../note-in-passing.ts'
import { notFound, Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { checkConfirmation } from '../../sign-in/credentials/confirmation.ts'
import { type CheckedPassword, checkedPassword, guarded } from '../../sign-in/credentials/credentials.ts'
import { spendTotp } from '../../sign-in/credentials/second-factor.ts'
import { credentialsWrong } from '../../sign-in/problems.ts'
import {
  answerSignedIn,
  endAccessTokens,
  endSession,
  endSessions,
  runningSessions,
  signedInBy,
} from '../../sign-in/session/sessions.ts'
import { changing } from '../../sign-in/changing.ts'
import { NO_SESSION, sessionView, stateOf } from '../../sign-in/session/session-view.ts'
import type { AuthenticatorAnswer } from '../../sign-in/authenticator/ask-authenticator.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { OWN_SESSION, beginningRequest, ownRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const readSession = route('get /api/auth/session', {
  summary: 'Read the current session',
  description: 'Both fields are `null` without a session. A session that is in use is prolonged here.',
  who: 'anyone',
  answer: sessionStateSchema,
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const prolonged = request.ask('/get-session', {})
    await noteInPassing(
      prolonged.then(({ cookies }) => request.setCookies(cookies)),
      parts.log,
    )
    return request.signedIn === null ? NO_SESSION : stateOf(request.parts, request.signedIn)
  },
})

const signIn = route('post /api/auth/sign-in', {
  summary: 'Sign in with email and password',
  description:
    'With two-step sign-in the answer is `second_step`: continue with POST /api/auth/second-step within ten minutes.',
  who: 'anyone',
  body: signInBodySchema,
  answer: signInAnswerSchema,
  problems: ['credentials_wrong', 'account_disabled', 'credential_throttled', 'too_many_requests', 'sign_in_address'],
  example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
  async handle(call, parts) {
    const request = await beginningRequest(call, parts)
    const { email, password, keep = true } = call.body
    const checked = await checkedPassword(request, { email, password })
    const asked = await request.ask('/sign-in/username', { accountId: checked.account.id, keep }, 'password')
    await requireUnchanged(request, asked, checked)
    if (asked.body['twoFactorRedirect'] !== true) return answerSignedIn(request, asked)
    request.setCookies(asked.cookies)
    return { state: 'second_step', ways: ['totp', 'backup_code'] } satisfies SignInAnswer
  },
})

const secondStep = route('post /api/auth/second-step', {
  summary: 'Finish signing in with a code',
  who: 'anyone',
  body: secondStepBodySchema,
  answer: signInAnswerSchema,
  problems: ['second_step_wrong', 'second_step_expired', 'account_disabled', 'credential_throttled', 'sign_in_address'],
  example: { body: { way: 'totp', code: '123456' } },
  async handle(call, parts) {
    const request = await beginningRequest(call, parts)
    const { way, code, trust_browser: trustDevice = false } = call.body
    const path = way === 'totp' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
    // With a session it would count as a confirmation.
    if (request.signedIn !== null) throw new Problem('second_step_expired', 'You are already signed in.')
    const asked = await guarded(request, { email: null }, async () => {
      const begun = await request.ask(path, { code, trustDevice }, `password and ${way}`)
      if (way === 'totp') await requireUnused(request, begun, code)
      return begun
    })
    return answerSignedIn(request, asked)
  },
})

const signOut = route('post /api/auth/sign-out', {
  summary: 'Sign out',
  description: 'Also succeeds without a session.',
  who: 'anyone',
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const { signedIn } = request
    if (signedIn !== null) {
      await changing(request, async (inside, record) => {
        await endSession(inside, signedIn.sessionId)
        await record({ kind: 'signed_out', accountId: signedIn.account.id })
      })
    }
    const asked = await request.ask('/sign-out', {})
    request.setCookies(asked.cookies)
  },
})

const signOutEverywhere = route('post /api/auth/sign-out-everywhere', {
  summary: 'End your other sessions, or all of them',
  description: 'Deletes your access tokens as well, unless `end_access_tokens` is false.',
  who: 'account',
  limits: OWN_SESSION,
  body: signOutEverywhereBodySchema,
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { sessionId, account } = request.signedIn
    const { keep_this: keepThis = true, end_access_tokens: endTokens } = call.body
    await changing(request, async (inside, record) => {
      await endSessions(inside, account.id, keepThis ? sessionId : undefined)
      await record({ kind: 'sessions_ended', accountId: account.id })
      if (endTokens) await endAccessTokens(inside, account.id, record)
    })
  },
})

const confirm = route('post /api/auth/confirm', {
  summary: 'Confirm your credentials again',
  description:
    'For requests that were refused with `confirmation_needed`. The session stays, and may take such steps for the next 15 minutes. A passkey is shown by POST /api/auth/passkeys/sign-in/start first.',
  who: 'account',
  limits: OWN_SESSION,
  body: confirmBodySchema,
  answer: sessionStateSchema,
  problems: ['credentials_wrong', 'second_step_wrong', 'passkey_refused', 'totp_not_on'],
  example: { body: { password: 'correct horse battery' } },
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { signedIn } = request
    await guarded(request, { email: signedIn.account.email }, () => checkConfirmation(request, call.body))
    const signedInAt = request.parts.clock.now()
    await request.parts.records.update('session', {
      where: equal({ id: signedIn.sessionId }),
      set: { signedInAt },
    })
    return stateOf(request.parts, { ...signedIn, signedInAt })
  },
})

const listSessions = route('get /api/auth/sessions', {
  summary: 'List your sessions, the last used first',
  who: 'account',
  limits: OWN_SESSION,
  answer: sessionListSchema,
  async handle(call, parts) {
    const { signedIn, parts: using } = ownRequest(call, parts)
    const records = await runningSessions(using.records, signedIn.account.id, using.clock.now())
    return { data: records.map((record) => sessionView(record, signedIn)) }
  },
})

const endOneSession = route('delete /api/auth/sessions/{id}', {
  summary: 'End one of your sessions',
  who: 'account',
  limits: OWN_SESSION,
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    const { account } = request.signedIn
    await changing(request, async (inside, record) => {
      const ended = await inside.records.delete('session', equal({ id: call.params.id, accountId: account.id }))
      if (ended.length === 0) throw notFound('session')
      await record({ kind: 'sessions_ended', accountId: account.id })
    })
  },
})

/** Signing in and out, and the sessions of an account. */
export const sessionRoutes: readonly ApiRoute[] = [
  readSession,
  signIn,
  secondStep,
  signOut,
  signOutEverywhere,
  confirm,
  listSessions,
  endOneSession,
]

/** Ends the session that a code began which was used before. Throws Problem. */
async function requireUnused(request: SignInRequest, begun: AuthenticatorAnswer, code: string): Promise<void> {
  const { sessionId, account } = await signedInBy(request, String(begun.body['token']))
  try {
    await spendTotp(request, { accountId: account.id, code })
  } catch (error) {
    await endSession(request.parts, sessionId)
    throw error
  }
}

/**
 * A new password ends all sessions, and must not miss one that began with the old password at the same instant: what begins
 * after that end finds the new one here.
 */
async function requireUnchanged(
  { parts }: SignInRequest,
  asked: AuthenticatorAnswer,
  checked: CheckedPassword,
): Promise<void> {
  const { account, passwordHash } = checked
  if ((await parts.accounts.passwordHash(account.id)) === passwordHash) return
  const tokenHash = parts.hashes.session(String(asked.body['token']))
  await parts.records.delete('session', equal({ tokenHash }))
  await parts.records.delete('verification', equal({ content: account.id }))
  throw credentialsWrong()
}
