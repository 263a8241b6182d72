import { keyedHash } from '../../core/secret-box.ts'

/** What sign-in derives from the installation's secret. */
export function signInKeys(secret: string): SignInKeys {
  return {
    secret: keyedHash(secret, 'sign-in secret')('tollgate'),
    hashes: {
      session: keyedHash(secret, 'session'),
      link: keyedHash(secret, 'sign-in link'),
      setUp: keyedHash(secret, 'set-up link'),
    },
  }
}

export interface SignInKeys {
  /** Signs cookies, and encrypts second factors. */
  readonly secret: string
  readonly hashes: Readonly<Record<'session' | 'link' | 'setUp', (text: string) => string>>
}
