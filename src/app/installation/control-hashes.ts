import type { SecretHashes } from '../../control/parts.ts'
import { keyedHash } from '../../core/secret-box.ts'

/** What the control plane derives from the installation's secret. */
export interface ControlHashes extends SecretHashes {
  readonly signIn: SignInKeys
}

/** The keyed hashes of the console API under the installation's secret. */
export function controlHashes(secret: string): ControlHashes {
  return {
    apiKey: keyedHash(secret),
    accessToken: keyedHash(secret, 'access token'),
    deviceCode: keyedHash(secret, 'device code'),
    redeemCode: keyedHash(secret, 'redeem code'),
    request: keyedHash(secret, 'repeated request'),
    cursor: keyedHash(secret, 'cursor'),
    seeAs: keyedHash(secret, 'see as'),
    signIn: signInKeys(secret),
  }
}

/** What sign-in derives from the installation's secret. */
function signInKeys(secret: string): SignInKeys {
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
