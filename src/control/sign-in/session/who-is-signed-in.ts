import type { Authenticators } from '../authenticator/authenticators.ts'
import { COOKIE_PREFIX } from '../authenticator/inner-names.ts'
import type { SignedIn, SignInParts } from '../parts.ts'

const COOKIE = new RegExp(String.raw`(?:^|;\s*)(?:__Secure-)?${COOKIE_PREFIX}\.session_token=`)
/** Sent and taken over https alone. */
const SECURE_COOKIE = new RegExp(String.raw`(?:^|;\s*)__Secure-${COOKIE_PREFIX}\.session_token=`)

/** Whom the session cookie belongs to; null: no session, one that ended, or an account that is disabled. */
export async function whoIsSignedIn(
  headers: Headers,
  { parts, authenticators }: { parts: SignInParts; authenticators: Authenticators },
): Promise<SignedIn | null> {
  const cookie = headers.get('cookie')
  // Most requests bring none, and are spared the rest.
  if (cookie === null || !COOKIE.test(cookie)) return null
  const authenticator = await authenticators.of({ isSecure: SECURE_COOKIE.test(cookie) })
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
