import type { AuthenticatorAnswer } from './authenticator/ask-authenticator.ts'
import type { Authenticators } from './authenticator/authenticators.ts'
import type { OidcProvider } from './oidc/oidc-provider.ts'
import type { SignedIn, SignInParts } from './parts.ts'

/** One request, as signing in works with it. */
export interface SignInRequest {
  readonly parts: SignInParts
  readonly authenticators: Authenticators
  /** null: none is set up. */
  readonly oidcProvider: OidcProvider | null
  readonly headers: Headers
  /** The client's address. */
  readonly address: string
  /** scheme://host as the browser sees it. */
  readonly origin: string
  /** null: the request has no session. */
  readonly signedIn: SignedIn | null
  /** Set-Cookie lines that go along with the answer. */
  setCookies(lines: readonly string[]): void
  /**
   * Asks better-auth, by one of its own paths below /api/auth: a POST where there is a body. `beganBy`: how a session that
   * comes of it began. Throws Problem for what it refuses.
   */
  ask(path: string, body?: object, beganBy?: string): Promise<AuthenticatorAnswer>
}

/** A request that has a session. */
export interface OwnRequest extends SignInRequest {
  readonly signedIn: SignedIn
}
