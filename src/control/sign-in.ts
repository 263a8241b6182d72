import type { Account } from '../access/account.ts'
import { answerRequest } from './sign-in/answer-request.ts'
import { Authenticators } from './sign-in/authenticator/authenticators.ts'
import { endSessions } from './sign-in/session/end-sessions.ts'
import { linkOnWire, mailLink, makeLink } from './sign-in/links/make-link.ts'
import type { RequestOrigin, SignedIn, SignInOptions, SignInParts } from './sign-in/parts.ts'
import { newThrottles } from './sign-in/credentials/throttles.ts'
import { whoIsSignedIn } from './sign-in/session/who-is-signed-in.ts'
import type { LinkMade } from '../contract/sign-in.ts'

export { freshUntilMs } from './sign-in/session/freshness.ts'
export type { OidcSettings, SignInEvent, SignInMail } from './sign-in/parts.ts'

/** Sign-in as the rest of the control plane uses it. */
export interface SignIn {
  /** Answers every request under /api/auth/. */
  handle(request: Request, from: RequestOrigin): Promise<Response>
  /** Whom the session cookie of these headers belongs to; null: nobody, ended, or the account is disabled. */
  sessionOf(headers: Headers): Promise<SignedIn | null>
  /** Ends all sessions of an account (disabled, password changed by an admin). */
  endSessions(accountId: string, except?: string): Promise<void>
  /** An invitation's link, mailed where that is possible. `email` null: for whoever has the link. */
  createInvitation(order: {
    readonly email: string | null
    readonly role: Account['role']
    readonly byAccountId: string | null
    readonly origin: string
  }): Promise<LinkMade>
  /** A link by which the owner of an account chooses a new password, to be passed on. null: no such account. */
  createResetLink(order: {
    readonly accountId: string
    readonly byAccountId: string | null
    readonly origin: string
  }): Promise<LinkMade | null>
}

/** Opens no connection and loads no sign-in library until somebody brings a cookie or signs in. */
export function createSignIn(options: SignInOptions): SignIn {
  const parts: SignInParts = { ...options, throttles: newThrottles(options.clock) }
  const authenticators = new Authenticators(parts)
  const using = { parts, authenticators }
  return {
    handle: (request, from) => answerRequest(request, from, using),
    sessionOf: (headers) => whoIsSignedIn(headers, using),
    endSessions: (accountId, except) => endSessions(parts, accountId, except),
    async createInvitation({ email, role, byAccountId, origin }) {
      const order = { purpose: 'invitation', accountId: null, email, role, createdBy: byAccountId, origin } as const
      const made = await makeLink(parts, order)
      return linkOnWire(made, await mailLink(parts, made, { email, language: null }))
    },
    async createResetLink({ accountId, byAccountId, origin }) {
      const account = await parts.accounts.findById(accountId)
      if (account === null) return null
      // Handed over and not mailed, so it shows nothing about a mailbox.
      const order = { purpose: 'reset', accountId, email: null, createdBy: byAccountId, origin } as const
      return linkOnWire(await makeLink(parts, order), false)
    },
  }
}
