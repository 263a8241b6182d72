import { addressKey } from '../../../access/address-key.ts'
import type { Account } from '../../../access/account.ts'
import { hashPassword, verifyPassword } from '../../../access/password.ts'
import { tell } from '../session/begin-session.ts'
import type { Call } from '../call.ts'
import type { SignInParts } from '../parts.ts'
import { SignInRefusal } from '../refusal.ts'

/**
 * The account that has this address and password. Throws `credentials_wrong` alike, and after the same work, for an address
 * that nobody has and for a wrong password.
 */
export function checkedPassword(call: Call, given: { email: string; password: string }): Promise<CheckedPassword> {
  return guarded(call, { email: given.email }, async () => {
    const account = await call.parts.accounts.findByEmail(given.email)
    const hash = account === null ? null : await call.parts.accounts.passwordHash(account.id)
    const isRight = await checkAtOnce(call, given.password, hash)
    if (account !== null && hash !== null && isRight) return { account, passwordHash: hash }
    tell(call, { kind: 'sign_in_refused', accountId: account?.id ?? null })
    throw credentialsWrong()
  })
}

/** `passwordHash`: what the password was compared with. */
export interface CheckedPassword {
  readonly account: Account
  readonly passwordHash: string
}

async function checkAtOnce({ parts }: Call, password: string, hash: string | null): Promise<boolean> {
  const isRight = await parts.throttles.checking.hold(async () => {
    if (hash !== null) return verifyPassword(password, hash)
    await hashPassword(password)
    return false
  })
  if (isRight === null) throw throttled(SOON_S, 'Many people sign in right now')
  return isRight
}

/**
 * Runs a check of credentials under the throttles. A try counts from its start, so that a thousand at once count a thousand;
 * a good one is given back. `email` null: of an account that is not known yet.
 */
export async function guarded<Result>(
  call: Call,
  about: { email: string | null },
  check: () => Promise<Result>,
): Promise<Result> {
  const { throttles } = call.parts
  const address = addressKey(call.from.address)
  const account = about.email?.toLowerCase() ?? null
  const byAddress = throttles.byAddress.take(address)
  if (byAddress !== 'taken') throw throttled(byAddress.retryAfterSeconds, 'Too many wrong tries from this address')
  const byAccount = account === null ? 'taken' : throttles.byAccount.take(account)
  if (byAccount !== 'taken' && !(await isUsualAddress(call.parts, account, call.from.address))) {
    throttles.byAddress.giveBack(address)
    throw throttled(byAccount.retryAfterSeconds, 'Too many wrong tries for this account')
  }
  const result = await check()
  throttles.byAddress.giveBack(address)
  if (account !== null) throttles.byAccount.forget(account)
  return result
}

/** An owner is not locked out by others' guessing: where they are signed in, they may still try. */
async function isUsualAddress(parts: SignInParts, email: string | null, address: string): Promise<boolean> {
  const account = email === null ? null : await parts.accounts.findByEmail(email)
  if (account === null) return false
  const sessions = await parts.records.count('session', [
    { field: 'accountId', is: '=', value: account.id },
    { field: 'address', is: '=', value: address },
  ])
  return sessions > 0
}

export function credentialsWrong(): SignInRefusal {
  return new SignInRefusal(
    'credentials_wrong',
    'Address or password is wrong. Check both; a new password can be had by "Forgot the password".',
  )
}

const SOON_S = 2

export function throttled(retryAfterSeconds: number, why: string): SignInRefusal {
  const wait = retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  return new SignInRefusal('sign_in_throttled', `${why}: wait ${wait}, then try again.`, { retryAfterSeconds })
}
