import type { LinkMade } from '../contract/sign-in.ts'
import type { ChangeableStores } from './changeable-stores.ts'
import { askAuthenticator } from './sign-in/authenticator/ask-authenticator.ts'
import { Authenticators } from './sign-in/authenticator/authenticators.ts'
import { newThrottles } from './sign-in/throttles.ts'
import { linkOnWire, type LinkOrder, mailLink, makeLink } from './sign-in/links/make-link.ts'
import { OidcProvider } from './sign-in/oidc/oidc-provider.ts'
import type { SignedIn, SignInDependencies, SignInParts } from './sign-in/parts.ts'
import { endSessions } from './sign-in/session/sessions.ts'
import type { SignInRequest } from './sign-in/sign-in-request.ts'
import { equal } from '../access/sign-in-records.ts'
import { isSecureOrigin, sessionCookie } from './sign-in/authenticator/inner-names.ts'

export { tryProvider } from './sign-in/oidc/try-provider.ts'
export type { OidcSettings } from './sign-in/oidc/oidc-settings.ts'
export type { SignInEvent, SignInMail, SignInDependencies, SignInStores } from './sign-in/parts.ts'

/** Sign-in as the rest of the control plane uses it. */
export type SignIn = ReturnType<typeof createSignIn>

const INVITATIONS_SHOWN = 200

/** Opens no connection and loads no sign-in library until a request has a cookie or signs in. */
export function createSignIn(options: SignInDependencies) {
  const parts: SignInParts = { ...options, throttles: newThrottles(options.clock) }
  const authenticators = new Authenticators(parts)
  const { oidc } = options
  const oidcProvider = oidc === null ? null : new OidcProvider({ ...options, oidc })
  return {
    /** What the routes under /api/auth/ work with. */
    open(request: Pick<SignInRequest, 'headers' | 'address' | 'origin' | 'signedIn' | 'setCookies'>): SignInRequest {
      const about = { ...request, parts, authenticators, oidcProvider }
      return { ...about, ask: (path, body, beganBy) => askAuthenticator(about, { path, body, beganBy }) }
    },
    /** The session of the cookie in these headers; null: there is none, it has ended, or the account is disabled. */
    sessionOf: (request: Pick<SignInRequest, 'headers' | 'origin'>) =>
      whoIsSignedIn(request, { parts, authenticators }),
    /** Milliseconds by which the clock here is ahead of the OIDC provider's at the least; null: not known. */
    clockAheadMs: () => options.network.clockAheadMs(),
    /** Ends all sessions of an account (disabled, password changed by an admin). */
    endSessions: (accountId: string, stores: ChangeableStores) =>
      endSessions({ records: stores.signInRecords }, accountId),
    /**
     * An invitation. `email` null: anyone who has the link may use it. `deliver` mails it where that is possible; to be called
     * once it is stored.
     */
    async createInvitation(order: Omit<LinkOrder, 'purpose' | 'accountId'>, stores: ChangeableStores) {
      const making = { ...parts, links: stores.signInLinks }
      const made = await makeLink(making, { ...order, purpose: 'invitation', accountId: null })
      const deliver = async () => linkOnWire(made, await mailLink(parts, made, { email: order.email, language: null }))
      return { invitation: made.link, deliver }
    },
    /** Invitations, newest first. */
    listInvitations: () => parts.links.list('invitation', INVITATIONS_SHOWN),
    /** False: there is no such invitation that could still be used. */
    withdrawInvitation: (id: string, stores: ChangeableStores) => stores.signInLinks.withdraw(id, 'invitation'),
    /**
     * A link for the owner of an account, to be passed on by hand: to choose a new password (`reset`), or by which the address
     * counts as verified (`verify`). null: there is no such account.
     */
    async createLink(
      order: Pick<LinkOrder, 'byAccountId' | 'origin'> & {
        readonly purpose: 'reset' | 'verify'
        readonly accountId: string
      },
      stores: ChangeableStores,
    ): Promise<LinkMade | null> {
      const account = await stores.accounts.findById(order.accountId)
      if (account === null) return null
      // A link that is passed on by hand proves nothing about a mailbox; that it verifies an address is the admin's decision.
      const email = order.purpose === 'verify' ? account.email : null
      return linkOnWire(await makeLink({ ...parts, links: stores.signInLinks }, { ...order, email }), false)
    },
  }
}

/** Whom the session cookie belongs to; null: no session, one that ended, or an account that is disabled. */
async function whoIsSignedIn(
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
    canConfirm:
      hasPassword ||
      profile.hasSecondFactor ||
      (await parts.records.count('passkey', equal({ accountId: session.userId }))) > 0,
    beganBy: session.beganBy ?? '',
  }
}
