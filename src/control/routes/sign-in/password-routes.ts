import { equal } from '../../../access/sign-in-records.ts'
import { hashPassword, verifyPassword } from '../../../access/password.ts'
import {
  changePasswordBodySchema,
  forgotBodySchema,
  mailAnswerSchema,
  resetPasswordBodySchema,
} from '../../../contract/sign-in.ts'
import { confirmationNeeded } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { countMail, howMailed, mailOwnLink } from '../../sign-in/links/make-link.ts'
import { takeLink, usableLink } from '../../sign-in/links/open-link.ts'
import { credentialsWrong, linkInvalid } from '../../sign-in/problems.ts'
import { changing, noteEvent } from '../../sign-in/changing.ts'
import { endAccessTokens, endSessions } from '../../sign-in/session/sessions.ts'
import { isFresh } from '../../sign-in/session/freshness.ts'
import type { SignInStores } from '../../sign-in/parts.ts'
import type { OwnRequest, SignInRequest } from '../../sign-in/sign-in-request.ts'
import { OWN_SESSION, ownRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const forgot = route('post /api/auth/password/forgot', {
  summary: 'Ask for a link to choose a new password',
  description: 'The answer is the same whether the address is known or not.',
  who: 'anyone',
  body: forgotBodySchema,
  answer: mailAnswerSchema,
  status: 202,
  problems: ['too_many_requests'],
  example: { body: { email: 'ada@example.com' } },
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    countMail(request)
    // Not waited for: the answer takes as long for an unknown address.
    sendReset(request, call.body.email).catch((error: unknown) => request.parts.onError('a reset link', error))
    return howMailed(request.parts)
  },
})

const reset = route('post /api/auth/password/reset', {
  summary: 'Choose a new password by a link',
  description: 'Ends all sessions of the account, deletes its access tokens, and withdraws every other such link.',
  who: 'anyone',
  body: resetPasswordBodySchema,
  problems: ['link_invalid', 'credential_throttled'],
  async handle(call, controlParts) {
    const request = await signInRequest(call, controlParts)
    const { parts } = request
    const { token, password } = call.body
    const link = await guarded(request, { email: null }, () => usableLink(parts, 'reset', token))
    const account = link.accountId === null ? null : await parts.accounts.findById(link.accountId)
    if (account === null) throw linkInvalid()
    const passwordHash = await hashPassword(password)
    await changing(request, async (inside, record) => {
      const taken = await takeLink(inside, 'reset', token)
      await inside.accounts.updateCredentials(account.id, { passwordHash })
      // Opening a mailed link shows access to that mailbox.
      const wasMailedTo = taken.email?.toLowerCase() ?? null
      if (wasMailedTo === account.email.toLowerCase()) await addressShown(inside, account.id)
      await endSessions(inside, account.id)
      await record({ kind: 'password_changed', accountId: account.id, detail: 'by link' })
      await endAccessTokens(inside, account.id, record)
    })
    parts.throttles.byAccount.forget(account.email.toLowerCase())
  },
})

const change = route('post /api/auth/password/change', {
  summary: 'Change your password',
  description:
    'Ends your other sessions and deletes your access tokens; with `end_access_tokens: false` these keep working. An account without a password sets its first one in a fresh session.',
  who: 'account',
  limits: OWN_SESSION,
  body: changePasswordBodySchema,
  problems: ['credentials_wrong', 'confirmation_needed'],
  async handle(call, controlParts) {
    const request = ownRequest(call, controlParts)
    const { signedIn } = request
    const { current_password: current, new_password: chosen, end_access_tokens: endTokens } = call.body
    await guarded(request, { email: signedIn.account.email }, () => checkCurrent(request, current ?? null))
    const passwordHash = await hashPassword(chosen)
    const { id } = signedIn.account
    await changing(request, async (inside, record) => {
      await inside.accounts.updateCredentials(id, { passwordHash })
      await endSessions(inside, id, signedIn.sessionId)
      await inside.links.withdrawAllOf(id, 'reset')
      await record({ kind: 'password_changed', accountId: id })
      if (endTokens) await endAccessTokens(inside, id, record)
    })
  },
})

/** New passwords, by the old one or by a link. */
export const passwordRoutes: readonly ApiRoute[] = [forgot, reset, change]

async function checkCurrent({ signedIn, parts }: OwnRequest, current: string | null): Promise<void> {
  const hash = await parts.accounts.passwordHash(signedIn.account.id)
  if (hash === null) {
    if (isFresh(signedIn, parts.clock.now())) return
    throw confirmationNeeded()
  }
  if (current === null || !(await verifyPassword(current, hash))) throw credentialsWrong()
}

/**
 * The owner of the address has shown it. If it was never shown before, another person may have opened the account with it
 * and be waiting: no way to sign in that they left behind stays. The second step does, since reading the mailbox alone must
 * not get around it.
 */
async function addressShown({ accounts, records }: SignInStores, accountId: string): Promise<void> {
  const own = await accounts.findOwn(accountId)
  if (own?.profile.isEmailVerified !== false) return
  const theirs = equal({ accountId })
  await records.delete('passkey', theirs)
  await records.delete('identity', theirs)
  await accounts.updateProfile(accountId, { isEmailVerified: true })
}

/** An unknown address looks the same from outside as a known one. */
async function sendReset(request: SignInRequest, email: string): Promise<void> {
  const { parts } = request
  const account = await parts.accounts.findByEmail(email)
  if (account === null || account.status !== 'active') return
  if (parts.throttles.mailByAccount.take(account.id) !== 'taken') return
  noteEvent(request, { kind: 'reset_asked', accountId: account.id })
  if (parts.mail === null) return
  await mailOwnLink(request, 'reset', account)
}
