import type { Authenticator } from './authenticator.ts'
import type { SignInParts } from '../parts.ts'

/**
 * The authenticators, made when they are needed: one for http and one for https, whose cookies differ. Loading better-auth
 * takes a tenth of a second and memory that a gateway without a console in use does not need.
 */
export class Authenticators {
  readonly #parts: SignInParts
  readonly #made = new Map<boolean, Promise<Authenticator>>()

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  of({ isSecure }: { readonly isSecure: boolean }): Promise<Authenticator> {
    const made = this.#made.get(isSecure)
    if (made !== undefined) return made
    const making = import('./authenticator.ts').then(({ createAuthenticator }) =>
      createAuthenticator(this.#parts, { isSecure }),
    )
    this.#made.set(isSecure, making)
    making.catch(() => this.#made.delete(isSecure))
    return making
  }

  /** The step that a code of the second factor belongs to; see `totpCounter`. */
  async totpCounter(sealed: string, code: string): Promise<number | null> {
    const { totpCounter } = await import('./totp-counter.ts')
    // The secret does not depend on the cookies.
    return totpCounter(await this.of({ isSecure: true }), sealed, code)
  }
}
