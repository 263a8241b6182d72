import { equal } from '../../../access/sign-in-records.ts'
import type { SecondFactorCodeBody } from '../../../contract/sign-in.ts'
import { Problem } from '../../problem.ts'
import type { OwnRequest, SignInRequest } from '../sign-in-request.ts'
import { guarded } from './credentials.ts'

/**
 * Uses a code of the app up, after better-auth took it: each works once, and none that is older than one that was used. Of
 * several requests with one code, one gets through. Throws Problem.
 */
export async function spendTotp(
  { parts, authenticators }: Pick<SignInRequest, 'parts' | 'authenticators'>,
  { accountId, code }: { readonly accountId: string; readonly code: string },
): Promise<void> {
  const own = equal({ accountId })
  const [factor] = await parts.records.select('secondFactor', { where: own, limit: 1 })
  const counter = factor === undefined ? null : await authenticators.totpCounter(String(factor['secret']), code)
  if (counter !== null) {
    const isLater = { field: 'lastCounter', is: '<', value: counter } as const
    const spent = await parts.records.update('secondFactor', {
      where: [...own, isLater],
      set: { lastCounter: counter },
    })
    if (spent.length > 0) return
  }
  throw new Problem('second_step_wrong', 'This code is wrong, or was already used: enter the one shown next.')
}

/** Checks a code of the app in a session. Throws Problem. */
export async function checkTotp(request: OwnRequest, code: string): Promise<void> {
  await request.ask('/two-factor/verify-totp', { code })
  await spendTotp(request, { accountId: request.signedIn.account.id, code })
}

/**
 * Asks the owner of a session for the second factor, where it is on: a password alone must neither turn it off nor replace
 * what stands for it. Throws Problem.
 */
export async function requireSecondFactor(request: OwnRequest, { way, code }: SecondFactorCodeBody): Promise<void> {
  const { account } = request.signedIn
  const own = await request.parts.accounts.findOwn(account.id)
  if (own?.profile.hasSecondFactor !== true)
    throw new Problem('totp_not_on', 'Two-step sign-in is off: start it first.')
  await guarded(request, { email: account.email }, async () => {
    if (way === 'totp') await checkTotp(request, code)
    else await request.ask('/two-factor/verify-backup-code', { code })
  })
}
