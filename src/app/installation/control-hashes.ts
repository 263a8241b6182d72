import type { SecretHashes } from '../../control/parts.ts'
import { keyedHash } from '../../core/secret-box.ts'
import { type SignInKeys, signInKeys } from './sign-in-keys.ts'

/** What the control plane derives from the installation's secret. */
export interface ControlHashes extends SecretHashes {
  readonly signIn: SignInKeys
}

/** The keyed hashes of the console API under the installation's secret. */
export function controlHashes(secret: string): ControlHashes {
  return {
    apiKey: keyedHash(secret),
    accessToken: keyedHash(secret, 'access token'),
    redeemCode: keyedHash(secret, 'redeem code'),
    request: keyedHash(secret, 'repeated request'),
    cursor: keyedHash(secret, 'cursor'),
    seeAs: keyedHash(secret, 'see as'),
    signIn: signInKeys(secret),
  }
}
