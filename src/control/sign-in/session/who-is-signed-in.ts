import type { Authenticators } from '../authenticator/authenticators.ts'
import { isSecureOrigin, sessionCookie } from '../authenticator/inner-names.ts'
import type { SignedIn, SignInParts } from '../parts.ts'

/** Whom the session cookie belongs to; null: no session, one that ended, or an account that is disabled. */
export async function whoIsSignedIn(
  { headers, origin }: { headers: Headers; origin: string },
  { parts, authenticators }: { parts: SignInParts; authenticators: Authenticators },
): Promise<SignedIn | null> {
  const cookie = headers.get('cookie')
  const isSecure = isSecureOrigin(origin)
  // Most requests bring none, and are spared the rest.
  if (cookie === null || !cookie.includes(`${sessionCookie(isSecure)}=`)) return null
  const authenticator = await authenticators.of({ isSecure })
  const found = await authenticator.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true },
  })
  if (found === null) return null
  const { session } = found
  const own = await parts.accounts.findOwn(session.userId)
  if (own === null || own.account.status !== 'active') return null
  const { hasPassword, profile } = own
  return {
    sessionId: session.id,
    account: own.account,
    signedInAt: session.signedInAt?.getTime() ?? session.createdAt.getTime(),
    canConfirm: hasPassword || profile.hasSecondFactor || (await hasPasskey(parts, session.userId)),
    beganBy: session.beganBy ?? '',
  }
}

async function hasPasskey(parts: SignInParts, accountId: string): Promise<boolean> {
  return (await parts.records.count('passkey', [{ field: 'accountId', is: '=', value: accountId }])) > 0
}
