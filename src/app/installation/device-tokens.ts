import { deviceTokens, type DeviceTokens } from '../../access/device-tokens.ts'
import { keyedHash } from '../../core/secret-box.ts'

/**
 * The tokens of devices under the secrets of an installation. `secret`: what hashes are made under. `sealing`: the secrets that
 * it has now, the newest first: a replaced one makes no access token that is good, and ends no device.
 */
export function tokensOfDevices(of: { readonly secret: string; readonly sealing: readonly string[] }): DeviceTokens {
  return deviceTokens({
    ofAccess: of.sealing.map((secret) => keyedHash(secret, 'device access token')),
    ofRefresh: keyedHash(of.secret, 'device refresh token'),
  })
}
