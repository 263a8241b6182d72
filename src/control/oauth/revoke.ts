import type { Device } from '../../access/device.ts'
import { deviceSignedOut } from '../audit/device-notes.ts'
import type { ControlParts } from '../parts.ts'
import { deviceOfRefresh } from './token.ts'
import type { OAuthCall } from './oauth-call.ts'

/**
 * Signs the device of an access or refresh token out, on all nodes before it returns (RFC 7009). A token that is none, or whose
 * device is signed out already, is answered alike.
 */
export async function revokeToken(call: OAuthCall, parts: ControlParts): Promise<object> {
  const device = await deviceOf(call.form.get('token') ?? '', parts)
  if (device === null) return {}
  const change = await call.change(async ({ keys }, audit) => {
    const deleted = await keys.setStatus(device.keyId, 'deleted', call.nowMs)
    if (deleted !== null) await audit(deviceSignedOut(device))
    return deleted
  })
  await call.reachNodes(change)
  return {}
}

async function deviceOf(token: string, parts: ControlParts): Promise<Device | null> {
  const access = parts.deviceTokens.readAccessToken(token)
  if (access === null) return deviceOfRefresh(token, parts)
  return parts.store.devices.find(access.keyId)
}
