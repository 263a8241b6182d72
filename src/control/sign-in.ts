import type { Account } from '../access/account.ts'
import type { SignInLink } from '../access/sign-in-link.ts'
import type { LinkMade } from '../contract/sign-in.ts'
import { askAuthenticator } from './sign-in/authenticator/ask-authenticator.ts'
import { Authenticators } from './sign-in/authenticator/authenticators.ts'
import { newThrottles } from './sign-in/credentials/throttles.ts'
import { linkOnWire, mailLink, makeLink } from './sign-in/links/make-link.ts'
import type { SignedIn, SignInOptions, SignInParts } from './sign-in/parts.ts'
import { endSessions } from './sign-in/session/end-sessions.ts'
import { whoIsSignedIn } from './sign-in/session/who-is-signed-in.ts'
import type { SignInRequest } from './sign-in/sign-in-request.ts'

export type { OidcSettings, SignInEvent, SignInMail } from './sign-in/parts.ts'

/** Sign-in as the rest of the control plane uses it. */
export interface SignIn {
  /** What the routes under /api/auth/ work with. */
  open(request: Pick<SignInRequest, 'headers' | 'address' | 'origin' | 'signedIn' | 'setCookies'>): SignInRequest
  /** The session of the cookie in these headers; null: there is none, it has ended, or the account is disabled. */
  sessionOf(headers: Headers): Promise<SignedIn | null>
  /** Ends all sessions of an account (disabled, password changed by an admin). */
  endSessions(accountId: string, except?: string): Promise<void>
  /** An invitation's link, mailed where that is possible. `email` null: anyone who has the link may use it. */
  createInvitation(order: {
    readonly email: string | null
    readonly role: Account['role']
    readonly byAccountId: string | null
    readonly expiresInMs?: number
    readonly origin: string
  }): Promise<{ readonly link: LinkMade; readonly invitation: SignInLink }>
  /** Invitations, newest first. */
  listInvitations(): Promise<readonly SignInLink[]>
  /** False: there is no such invitation that could still be used. */
  withdrawInvitation(id: string): Promise<boolean>
  /**
   * A link for the owner of an account, to be passed on by hand: to choose a new password (`reset`), or by which the address
   * counts as verified (`verify`). null: there is no such account.
   */
  createLink(order: {
    readonly purpose: 'reset' | 'verify'
    readonly accountId: string
    readonly byAccountId: string | null
    readonly origin: string
  }): Promise<LinkMade | null>
}

const INVITATIONS_SHOWN = 200

/** Opens no connection and loads no sign-in library until a request has a cookie or signs in. */
export function createSignIn(options: SignInOptions): SignIn {
  const parts: SignInParts = { ...options, throttles: newThrottles(options.clock) }
  const authenticators = new Authenticators(parts)
  return {
    open(request) {
      const about = { ...request, parts, authenticators }
      return { ...about, ask: (inner) => askAuthenticator(about, inner) }
    },
    sessionOf: (headers) => whoIsSignedIn(headers, { parts, authenticators }),
    endSessions: (accountId, except) => endSessions(parts, accountId, except),
    async createInvitation({ byAccountId, ...order }) {
      const made = await makeLink(parts, { ...order, purpose: 'invitation', accountId: null, createdBy: byAccountId })
      const wasMailed = await mailLink(parts, made, { email: order.email, language: null })
      return { link: linkOnWire(made, wasMailed), invitation: made.link }
    },
    listInvitations: () => parts.links.list('invitation', INVITATIONS_SHOWN),
    withdrawInvitation: (id) => parts.links.withdraw(id, 'invitation'),
    async createLink({ purpose, accountId, byAccountId, origin }) {
      const account = await parts.accounts.findById(accountId)
      if (account === null) return null
      // A link that is passed on by hand proves nothing about a mailbox; that it verifies an address is the admin's decision.
      const email = purpose === 'verify' ? account.email : null
      return linkOnWire(await makeLink(parts, { purpose, accountId, email, createdBy: byAccountId, origin }), false)
    },
  }
}
