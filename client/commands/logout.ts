import type { Host } from '../host.ts'
import { revoke } from '../gateway/oauth.ts'
import { usedClients } from '../changes/change-record.ts'
import { underLock } from '../kept/lock.ts'
import {
  chosenSignIn,
  forgetSignIn,
  listSignIns,
  lockOf,
  readAccess,
  readRefreshToken,
  type SignIn,
} from '../kept/sign-in-store.ts'

/** Ends the sign-in at one gateway, or at all of them, there and here. */
export async function logout(
  host: Host,
  { gateway, isAll }: { gateway: string | null; isAll: boolean },
): Promise<number> {
  const signIns = isAll ? listSignIns(host) : [chosenSignIn(host, gateway)]
  if (signIns.length === 0) host.print('You are not signed in anywhere.\n')
  let areAllEnded = true
  for (const signIn of signIns) areAllEnded = (await end(host, signIn)) && areAllEnded
  return areAllEnded ? 0 : 1
}

async function end(host: Host, signIn: SignIn): Promise<boolean> {
  const { address } = signIn
  const isRevoked = await underLock(lockOf(host, address), host, () => revokeThere(host, signIn))
  await forgetSignIn(host, signIn)
  host.print(`Signed out at ${address}.\n`)
  const clients = usedClients(host, address)
  if (clients.length > 0) host.print(`Still set up for it: ${clients.join(', ')}. tollgate unuse takes that back.\n`)
  if (!isRevoked) {
    host.remark(
      `The gateway could not be asked to end the sign-in: end it on its page of devices, ${address}/console/keys\n`,
    )
  }
  return isRevoked
}

async function revokeThere(host: Host, signIn: SignIn): Promise<boolean> {
  const access = readAccess(host, signIn.address)
  if (access !== null && 'ended' in access) return true
  const secret = await readRefreshToken(host, signIn).catch(() => null)
  if (secret === null || signIn.revocationEndpoint === null) return false
  return revoke(signIn.revocationEndpoint, secret)
}
