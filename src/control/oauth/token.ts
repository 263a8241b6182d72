import { type Device, endOfDevice } from '../../access/device.ts'
import { stopOf } from '../../access/key-stop.ts'
import { deviceHash } from '../../access/device-tokens.ts'
import { DEVICE_ACCESS_MS, REFRESH_GRACE_MS } from '../../core/device-limits.ts'
import { deviceReused } from '../audit/device-notes.ts'
import type { ControlParts } from '../parts.ts'
import { OAuthError } from './oauth-error.ts'
import { DEVICE_GRANT, REFRESH_GRANT } from './server-metadata.ts'
import type { OAuthCall } from './oauth-call.ts'

/** Gives a program its tokens: for an approved code, or for a refresh token. Throws OAuthError. */
export function exchangeToken(call: OAuthCall, parts: ControlParts): Promise<object> {
  const grant = call.form.get('grant_type')
  if (grant === DEVICE_GRANT) return byCode(call, parts)
  if (grant === REFRESH_GRANT) return byRefresh(call, parts)
  throw new OAuthError('unsupported_grant_type', `grant_type must be ${DEVICE_GRANT} or ${REFRESH_GRANT}.`)
}

const CODE_EXPIRED = 'The code has expired. Begin the sign-in again.'

async function byCode(call: OAuthCall, parts: ControlParts): Promise<object> {
  const code = call.form.get('device_code')
  if (code === undefined || code === '') throw new OAuthError('invalid_request', 'device_code is missing.')
  const answer = await parts.store.devices.poll(parts.hashes.deviceCode(code), call.nowMs)
  switch (answer.kind) {
    // A request whose time is over is deleted some time later.
    case 'unknown':
    case 'expired':
      throw new OAuthError('expired_token', CODE_EXPIRED)
    case 'pending':
      throw new OAuthError('authorization_pending', 'The sign-in is not approved yet.')
    case 'too_fast':
      throw new OAuthError('slow_down', 'Wait five seconds longer between two requests.')
    case 'denied':
      throw new OAuthError('access_denied', 'The sign-in was refused.')
    case 'approved':
      return tokensOf(answer.device, call, parts)
  }
}

async function byRefresh(call: OAuthCall, parts: ControlParts): Promise<object> {
  const token = call.form.get('refresh_token')
  if (token === undefined || token === '') throw new OAuthError('invalid_request', 'refresh_token is missing.')
  const device = await deviceOfRefresh(token, parts)
  if (device === null) throw signedOut()
  // What is refused to its access tokens ends with a new sign-in or an admin's step, so its chain is left as it is.
  await refuseStopped(device, call, parts)
  const { count } = parts.deviceTokens.readRefreshToken(token) ?? { count: 0 }
  const use = {
    keyId: device.keyId,
    count,
    nowMs: call.nowMs,
    from: call.address,
    graceMs: REFRESH_GRACE_MS,
    ...call.terms,
  }
  const answer = await parts.store.devices.refresh(use)
  if (answer.kind === 'renewed' || answer.kind === 'again') return tokensOf(answer.device, call, parts)
  if (answer.kind === 'reused') await endReused(answer.device, call, parts)
  throw signedOut()
}

/** The device of a refresh token that was made for it, whichever its number; null: it is none of this installation's. */
export async function deviceOfRefresh(token: string, { store, deviceTokens }: ControlParts): Promise<Device | null> {
  const named = deviceTokens.readRefreshToken(token)
  if (named === null) return null
  const device = await store.devices.find(named.keyId)
  if (device === null) return null
  return deviceTokens.isRefreshToken(token, { ...named, salt: device.refreshSalt }) ? device : null
}

async function refuseStopped(device: Device, call: OAuthCall, { store }: ControlParts): Promise<void> {
  const found = await store.keys.findByHash(deviceHash(device.keyId))
  if (found === null) throw signedOut()
  const stopped = stopOf(found, call.nowMs)
  if (stopped !== null) throw new OAuthError('invalid_grant', stopped.message, { status: 401 })
}

async function endReused(device: Device, call: OAuthCall, parts: ControlParts): Promise<void> {
  const change = await call.change(async ({ keys, devices, adminAlerts }, audit) => {
    const deleted = await keys.setStatus(device.keyId, 'deleted', call.nowMs)
    if (deleted === null) return null
    await audit(deviceReused(device))
    await devices.alertReused(device.keyId, call.nowMs)
    const name = (await keys.findById(device.keyId))?.name ?? ''
    await adminAlerts.tellAdmins({ kind: 'account_device_reused', about: `${name} (${device.accountId})` }, call.nowMs)
    return deleted
  })
  await call.reachNodes(change)
  parts.log.warn({ key: device.keyId }, 'signed a device out: one of its earlier refresh tokens was used again')
}

async function tokensOf(device: Device, call: OAuthCall, { store, deviceTokens }: ControlParts): Promise<object> {
  const { keyId, refreshCount, refreshSalt } = device
  const [key, account] = await Promise.all([store.keys.findById(keyId), store.accounts.findById(device.accountId)])
  if (key?.device === undefined || key.status === 'deleted' || account === null) throw signedOut()
  const expiresAt = Math.min(call.nowMs + DEVICE_ACCESS_MS, endOfDevice(device, call.terms), key.expiresAt ?? Infinity)
  return {
    access_token: deviceTokens.accessToken({ keyId, expiresAt, epoch: key.device.epoch }),
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((expiresAt - call.nowMs) / 1000)),
    refresh_token: deviceTokens.refreshToken({ keyId, count: refreshCount, salt: refreshSalt }),
    email: account.email,
  }
}

/** Claude Code (2.1.332) takes this status and code as the end of its sign-in. */
function signedOut(): OAuthError {
  return new OAuthError('invalid_grant', 'This device is signed out. Sign in again.', { status: 401 })
}
