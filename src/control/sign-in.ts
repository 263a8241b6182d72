import type { Account } from '../access/account.ts'
import type { SignInLink } from '../access/sign-in-link.ts'
import type { LinkMade } from '../contract/sign-in.ts'
import type { ChangeableStores } from './changeable-stores.ts'
import { askAuthenticator } from './sign-in/authenticator/ask-authenticator.ts'
import { Authenticators } from './sign-in/authenticator/authenticators.ts'
import { newThrottles } from './sign-in/throttles.ts'
import { linkOnWire, mailLink, makeLink } from './sign-in/links/make-link.ts'
import { OidcProvider } from './sign-in/oidc/oidc-provider.ts'
import type { SignedIn, SignInDependencies, SignInParts } from './sign-in/parts.ts'
import { endSessions } from './sign-in/session/end-sessions.ts'
import { whoIsSignedIn } from './sign-in/session/who-is-signed-in.ts'
import type { SignInRequest } from './sign-in/sign-in-request.ts'

export { tryProvider } from './sign-in/oidc/try-provider.ts'
export type { OidcSettings } from './sign-in/oidc/oidc-settings.ts'
export type { SignInEvent, SignInMail, SignInDependencies, SignInStores } from './sign-in/parts.ts'

/** Sign-in as the rest of the control plane uses it. */
export interface SignIn {
  /** What the routes under /api/auth/ work with. */
  open(request: Pick<SignInRequest, 'headers' | 'address' | 'origin' | 'signedIn' | 'setCookies'>): SignInRequest
  /** The session of the cookie in these headers; null: there is none, it has ended, or the account is disabled. */
  sessionOf(request: { readonly headers: Headers; readonly origin: string }): Promise<SignedIn | null>
  /** Milliseconds by which the clock here is ahead of the OIDC provider's at the least; null: not known. */
  clockAheadMs(): number | null
  /** Ends all sessions of an account (disabled, password changed by an admin). */
  endSessions(accountId: string, stores: ChangeableStores): Promise<void>
  /** An invitation. `email` null: anyone who has the link may use it. */
  createInvitation(
    order: {
      readonly email: string | null
      readonly role: Account['role']
      readonly byAccountId: string | null
      readonly expiresInMs?: number
      readonly origin: string
    },
    stores: ChangeableStores,
  ): Promise<{
    readonly invitation: SignInLink
    /** Mails its link where that is possible. To be called once it is stored. */
    deliver(): Promise<LinkMade>
  }>
  /** Invitations, newest first. */
  listInvitations(): Promise<readonly SignInLink[]>
  /** False: there is no such invitation that could still be used. */
  withdrawInvitation(id: string, stores: ChangeableStores): Promise<boolean>
  /**
   * A link for the owner of an account, to be passed on by hand: to choose a new password (`reset`), or by which the address
   * counts as verified (`verify`). null: there is no such account.
   */
  createLink(
    order: {
      readonly purpose: 'reset' | 'verify'
      readonly accountId: string
      readonly byAccountId: string | null
      readonly origin: string
    },
    stores: ChangeableStores,
  ): Promise<LinkMade | null>
}

const INVITATIONS_SHOWN = 200

/** Opens no connection and loads no sign-in library until a request has a cookie or signs in. */
export function createSignIn(options: SignInDependencies): SignIn {
  const parts: SignInParts = { ...options, throttles: newThrottles(options.clock) }
  const authenticators = new Authenticators(parts)
  const { oidc } = options
  const oidcProvider = oidc === null ? null : new OidcProvider({ ...options, oidc })
  return {
    open(request) {
      const about = { ...request, parts, authenticators, oidcProvider }
      return { ...about, ask: (inner) => askAuthenticator(about, inner) }
    },
    sessionOf: (request) => whoIsSignedIn(request, { parts, authenticators }),
    clockAheadMs: () => options.network.clockAheadMs(),
    endSessions: (accountId, stores) => endSessions({ records: stores.signInRecords }, accountId),
    async createInvitation({ byAccountId, ...order }, stores) {
      const making = { ...parts, links: stores.signInLinks }
      const made = await makeLink(making, { ...order, purpose: 'invitation', accountId: null, createdBy: byAccountId })
      return {
        invitation: made.link,
        deliver: async () => linkOnWire(made, await mailLink(parts, made, { email: order.email, language: null })),
      }
    },
    listInvitations: () => parts.links.list('invitation', INVITATIONS_SHOWN),
    withdrawInvitation: (id, stores) => stores.signInLinks.withdraw(id, 'invitation'),
    async createLink({ purpose, accountId, byAccountId, origin }, stores) {
      const account = await stores.accounts.findById(accountId)
      if (account === null) return null
      // A link that is passed on by hand proves nothing about a mailbox; that it verifies an address is the admin's decision.
      const email = purpose === 'verify' ? account.email : null
      const making = { ...parts, links: stores.signInLinks }
      return linkOnWire(await makeLink(making, { purpose, accountId, email, createdBy: byAccountId, origin }), false)
    },
  }
}
