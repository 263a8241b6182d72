import { equal } from '../../../access/sign-in-records.ts'
import { addressKey } from '../../../access/address-key.ts'
import type { Account } from '../../../access/account.ts'
import { hashPassword, isBroughtHash, verifyPassword } from '../../../access/password.ts'
import type { SignInParts } from '../parts.ts'
import { credentialsWrong, throttled } from '../problems.ts'
import { noteEvent } from '../changing.ts'
import type { SignInRequest } from '../sign-in-request.ts'

/**
 * The account that has this address and password. Throws `credentials_wrong` alike, and after the same work, for an unknown
 * address and for a wrong password.
 */
export function checkedPassword(
  request: SignInRequest,
  given: { email: string; password: string },
): Promise<CheckedPassword> {
  return guarded(request, { email: given.email }, async () => {
    const account = await request.parts.accounts.findByEmail(given.email)
    const hash = account === null ? null : await request.parts.accounts.passwordHash(account.id)
    const isRight = await checkAtOnce(request, given.password, hash)
    if (account !== null && hash !== null && isRight) {
      return { account, passwordHash: isBroughtHash(hash) ? await rehashed(request, account, given.password) : hash }
    }
    noteEvent(request, { kind: 'sign_in_refused', accountId: account?.id ?? null })
    throw credentialsWrong()
  })
}

/** `passwordHash`: what the password was compared with. */
export interface CheckedPassword {
  readonly account: Account
  readonly passwordHash: string
}

/** Another gateway's hash gives way to one of ours, now that the password is known. */
async function rehashed({ parts }: SignInRequest, { id }: Account, password: string): Promise<string> {
  const passwordHash = await hashPassword(password)
  await parts.accounts.updateCredentials(id, { passwordHash })
  return passwordHash
}

async function checkAtOnce({ parts }: SignInRequest, password: string, hash: string | null): Promise<boolean> {
  const isRight = await parts.throttles.checking.hold(async () => {
    if (hash !== null) return verifyPassword(password, hash)
    await hashPassword(password)
    return false
  })
  if (isRight === null)
    throw throttled('too_many_requests', { retryAfterSeconds: SOON_S, why: 'Many people are signing in right now' })
  return isRight
}

/**
 * Runs a check of credentials under the throttles. A try counts from its start, so that a thousand at once count a thousand;
 * a good one is given back. `email` null: of an account that is not known yet.
 */
export async function guarded<Result>(
  request: SignInRequest,
  about: { email: string | null },
  check: () => Promise<Result>,
): Promise<Result> {
  const { throttles } = request.parts
  const address = addressKey(request.address)
  const account = about.email?.toLowerCase() ?? null
  const byAddress = throttles.byAddress.take(address)
  if (byAddress !== 'taken')
    throw throttled('credential_throttled', { ...byAddress, why: 'Too many wrong attempts from this address' })
  const byAccount = account === null ? 'taken' : throttles.byAccount.take(account)
  if (byAccount !== 'taken' && !(await isUsualAddress(request.parts, account, request.address))) {
    throttles.byAddress.giveBack(address)
    throw throttled('credential_throttled', { ...byAccount, why: 'Too many wrong attempts for this account' })
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
  return (await parts.records.count('session', equal({ accountId: account.id, address }))) > 0
}

const SOON_S = 2
