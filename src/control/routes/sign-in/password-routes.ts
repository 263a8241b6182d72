import { addressKey } from '../../../access/address-key.ts'
import { hashPassword, verifyPassword } from '../../../access/password.ts'
import {
  changePasswordBodySchema,
  type EmailAnswer,
  emailBodySchema,
  forgotBodySchema,
  linkBodySchema,
  type MailAnswer,
  resetPasswordBodySchema,
} from '../../../contract/sign-in.ts'
import { tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Call, done, type Route, route, signedInOf } from '../../sign-in/call.ts'
import { credentialsWrong, guarded, throttled } from '../../sign-in/credentials/credentials.ts'
import { endSessions } from '../../sign-in/session/end-sessions.ts'
import { isFresh } from '../../sign-in/session/freshness.ts'
import { mailLink, makeLink } from '../../sign-in/links/make-link.ts'
import { openLink } from '../../sign-in/links/open-link.ts'
import { confirmationNeeded, linkInvalid, SignInRefusal } from '../../sign-in/refusal.ts'

/** New passwords, by the old one or by a link, and the address that links go to. */
export const PASSWORD_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/password/forgot',
    access: 'anyone',
    body: forgotBodySchema,
    async answer(call) {
      countMail(call, call.from.address)
      // Not waited for: the answer takes as long for an address that nobody has.
      sendReset(call, call.body.email).catch((error: unknown) => call.parts.onError('a reset link', error))
      return mailAnswer(call)
    },
  }),
  route({
    method: 'POST',
    path: '/password/reset',
    access: 'anyone',
    body: resetPasswordBodySchema,
    async answer(call) {
      const link = await guarded(call, { email: null }, () => usableLink(call, 'reset', call.body.token))
      const account = link.accountId === null ? null : await call.parts.accounts.findById(link.accountId)
      if (account === null) throw linkInvalid()
      const hash = await hashPassword(call.body.password)
      const taken = await take(call, 'reset', call.body.token)
      await call.parts.accounts.updateCredentials(account.id, { passwordHash: hash })
      // Who could open a link that was mailed reads that mailbox.
      const wasMailedTo = taken.email?.toLowerCase() ?? null
      if (wasMailedTo === account.email.toLowerCase()) await addressShown(call.parts, account.id)
      await endSessions(call.parts, account.id)
      call.parts.throttles.byAccount.forget(account.email.toLowerCase())
      tell(call, { kind: 'password_changed', accountId: account.id, detail: 'by link' })
      return done()
    },
  }),
  route({
    method: 'POST',
    path: '/password/change',
    access: 'signed_in',
    body: changePasswordBodySchema,
    async answer(call) {
      const signedIn = signedInOf(call)
      const { current_password: current, new_password: chosen } = call.body
      await guarded(call, { email: signedIn.account.email }, () => checkCurrent(call, current ?? null))
      const passwordHash = await hashPassword(chosen)
      await call.parts.accounts.updateCredentials(signedIn.account.id, { passwordHash })
      await endSessions(call.parts, signedIn.account.id, signedIn.sessionId)
      await call.parts.links.withdrawAllOf(signedIn.account.id, 'reset')
      tell(call, { kind: 'password_changed', accountId: signedIn.account.id })
      return done()
    },
  }),
  route({ method: 'POST', path: '/email/verify', access: 'anyone', body: linkBodySchema, answer: verifyEmail }),
  { method: 'POST', path: '/email/send', access: 'signed_in', body: null, answer: sendVerification },
  route({ method: 'POST', path: '/email/change', access: 'fresh', body: emailBodySchema, answer: changeEmail }),
]

async function checkCurrent(call: Call, current: string | null): Promise<void> {
  const signedIn = signedInOf(call)
  const hash = await call.parts.accounts.passwordHash(signedIn.account.id)
  if (hash === null) {
    if (isFresh(signedIn, call.parts.clock.now())) return
    throw confirmationNeeded()
  }
  if (current === null || !(await verifyPassword(current, hash))) throw credentialsWrong()
}

async function usableLink({ parts }: Call, purpose: 'reset' | 'verify', token: string) {
  const link = await openLink(parts, purpose, token)
  if (link === null) throw linkInvalid()
  return link
}

async function take({ parts }: Call, purpose: 'reset' | 'verify', token: string) {
  const about = { purpose, nowMs: parts.clock.now(), usedBy: null }
  const taken = await parts.links.take(parts.hashes.link(token), about)
  if (taken === null) throw linkInvalid()
  return taken
}

/**
 * Whose address it is has shown it. Where nobody had before, somebody else may have opened the account with it and wait: no
 * way in that they left behind stays. The second step does, since whoever only reads the mailbox must not get around it.
 */
async function addressShown({ accounts, records }: Call['parts'], accountId: string): Promise<void> {
  const own = await accounts.findOwn(accountId)
  if (own?.profile.isEmailVerified !== false) return
  const theirs = [{ field: 'accountId', is: '=', value: accountId }] as const
  await records.delete('passkey', theirs)
  await records.delete('identity', theirs)
  await accounts.updateProfile(accountId, { isEmailVerified: true })
}

/** Everything about an address that nobody has looks the same from outside. */
async function sendReset(call: Call, email: string): Promise<void> {
  const { parts, from } = call
  const account = await parts.accounts.findByEmail(email)
  if (account === null || account.status !== 'active') return
  if (parts.throttles.mailByAccount.take(account.id) !== 'taken') return
  tell(call, { kind: 'reset_asked', accountId: account.id })
  if (parts.mail === null) return
  const own = await parts.accounts.findOwn(account.id)
  const made = await makeLink(parts, {
    purpose: 'reset',
    accountId: account.id,
    email: account.email,
    createdBy: null,
    origin: from.origin,
  })
  await mailLink(parts, made, { email: account.email, language: own?.profile.language ?? null })
}

async function verifyEmail(call: Call<{ token: string }>): Promise<Answer> {
  const { parts } = call
  const link = await guarded(call, { email: null }, () => usableLink(call, 'verify', call.body.token))
  const account = link.accountId === null ? null : await parts.accounts.findById(link.accountId)
  if (account === null || link.email === null) throw linkInvalid()
  const isChange = link.email.toLowerCase() !== account.email.toLowerCase()
  if (isChange) await refuseTaken(call, link.email)
  await take(call, 'verify', call.body.token)
  if (isChange) {
    await parts.accounts.updateCredentials(account.id, { email: link.email })
    await parts.links.withdrawAllOf(account.id, 'reset')
    tell(call, { kind: 'email_changed', accountId: account.id })
  }
  await parts.accounts.updateProfile(account.id, { isEmailVerified: true })
  tell(call, { kind: 'email_verified', accountId: account.id })
  const body: EmailAnswer = { email: link.email }
  return { status: 200, body }
}

async function sendVerification(call: Call): Promise<Answer> {
  const { account } = signedInOf(call)
  countMail(call, call.from.address)
  await sendVerifyLink(call, account.email)
  return mailAnswer(call)
}

async function changeEmail(call: Call<{ email: string }>): Promise<Answer> {
  const { account } = signedInOf(call)
  const { email } = call.body
  if (account.isManaged) {
    throw new SignInRefusal('managed_by_file', 'The address of this account stands in the declarative file.', {
      field: 'email',
    })
  }
  countMail(call, call.from.address)
  await refuseTaken(call, email)
  if (call.parts.mail !== null) {
    await sendVerifyLink(call, email)
    return mailAnswer(call)
  }
  // Nobody can prove an address without mail: it is taken as it is, and counts as not verified.
  await call.parts.accounts.updateCredentials(account.id, { email })
  await call.parts.accounts.updateProfile(account.id, { isEmailVerified: false })
  tell(call, { kind: 'email_changed', accountId: account.id })
  return mailAnswer(call)
}

async function sendVerifyLink(call: Call, email: string): Promise<void> {
  const { account } = signedInOf(call)
  if (call.parts.mail === null) return
  const mails = call.parts.throttles.mailByAccount.take(account.id)
  if (mails !== 'taken') throw throttled(mails.retryAfterSeconds, 'This account was sent many mails')
  const own = await call.parts.accounts.findOwn(account.id)
  const order = { purpose: 'verify', accountId: account.id, email, createdBy: null, origin: call.from.origin } as const
  await mailLink(call.parts, await makeLink(call.parts, order), { email, language: own?.profile.language ?? null })
}

async function refuseTaken({ parts }: Call, email: string): Promise<void> {
  const owner = await parts.accounts.findByEmail(email)
  if (owner === null) return
  throw new SignInRefusal('email_taken', 'An account has this address: choose another one.', { field: 'email' })
}

function countMail({ parts }: Call, address: string): void {
  const mails = parts.throttles.mailByAddress.take(addressKey(address))
  if (mails !== 'taken') throw throttled(mails.retryAfterSeconds, 'Too many mails were asked for from this address')
}

function mailAnswer({ parts }: Call): Answer {
  const body: MailAnswer = { sent_by: parts.mail === null ? 'admin' : 'mail' }
  return { status: 202, body }
}
