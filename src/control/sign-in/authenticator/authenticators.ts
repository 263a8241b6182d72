import type { Authenticator, AuthenticatorKind } from './authenticator.ts'
import type { SignInParts } from '../parts.ts'
import { Problem } from '../../api/problem.ts'

/** Who tries again by hand waits longer, and any caller can make us ask. */
const AWAY_MS = 5_000
/** The provider describes itself within this time, or it counts as out of reach. */
const DESCRIBED_WITHIN_MS = 10_000

/**
 * The authenticators, made when they are needed: one for http and one for https, whose cookies differ, and their likes that
 * know the OIDC provider. Loading better-auth takes a tenth of a second and memory that a gateway without a console in use
 * does not need; asking the provider must not keep people from signing in with a password.
 */
export class Authenticators {
  readonly #parts: SignInParts
  readonly #made = new Map<string, Promise<Authenticator>>()
  /** Until when the provider counts as away, by `Clock.elapsed`. */
  #awayUntil = 0

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  of({ isSecure }: { readonly isSecure: boolean }): Promise<Authenticator> {
    return this.#get(isSecure ? 'https' : 'http', { isSecure, oidc: null })
  }

  /** Rejects with `oidc_unavailable` when the provider cannot be reached; then it is asked again some seconds later. */
  async withOidc({ isSecure }: { readonly isSecure: boolean }): Promise<Authenticator> {
    const { oidc } = this.#parts
    if (oidc === null) {
      throw new Problem('oidc_not_configured', 'Single sign-on is not set up: an admin can configure an OIDC provider.')
    }
    const away = () =>
      new Problem('oidc_unavailable', `${oidc.name} does not respond right now: try again, or sign in another way.`)
    if (this.#parts.clock.elapsed() < this.#awayUntil) throw away()
    const name = `${isSecure ? 'https' : 'http'} with oidc`
    const authenticator = await this.#get(name, { isSecure, oidc })
    const isKnown = await within(DESCRIBED_WITHIN_MS, knowsProvider(authenticator))
    if (isKnown === true) return authenticator
    this.#made.delete(name)
    this.#awayUntil = this.#parts.clock.elapsed() + AWAY_MS
    throw away()
  }

  /** The step that a code of the second factor belongs to; see `totpCounter`. */
  async totpCounter(sealed: string, code: string): Promise<number | null> {
    const { totpCounter } = await import('./totp-counter.ts')
    // The secret does not depend on the cookies.
    return totpCounter(await this.of({ isSecure: true }), sealed, code)
  }

  #get(name: string, kind: AuthenticatorKind): Promise<Authenticator> {
    const made = this.#made.get(name)
    if (made !== undefined) return made
    const making = import('./authenticator.ts').then(({ createAuthenticator }) =>
      createAuthenticator(this.#parts, kind),
    )
    this.#made.set(name, making)
    making.catch(() => this.#made.delete(name))
    return making
  }
}

async function knowsProvider(authenticator: Authenticator): Promise<boolean> {
  const { socialProviders } = await authenticator.$context
  return socialProviders.length > 0
}

/** null: it took longer. */
export async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
