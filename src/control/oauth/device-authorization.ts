import { addressKey } from '../../access/address-key.ts'
import type { DeviceRequest } from '../../access/device.ts'
import { newUserCode } from '../../access/device-tokens.ts'
import { DEVICE_REQUESTS_LIMIT, DEVICE_REQUESTS_OF_NETWORK_LIMIT } from '../../core/device-limits.ts'
import { shownText } from '../../core/shown-text.ts'
import type { ControlParts } from '../parts.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthCall } from './oauth-call.ts'

const EXPIRES_SECONDS = 600
const INTERVAL_SECONDS = 5
const NAME_CHARACTERS = 64
const DEVICE_CODE_BYTES = 32

/** Answers a program that wants to be signed in with the code that its person is to compare. Throws OAuthError. */
export async function askDevice(call: OAuthCall, parts: ControlParts): Promise<object> {
  const { hashes, store, randomBytes } = parts
  const code = Buffer.from(randomBytes(DEVICE_CODE_BYTES)).toString('base64url')
  const userCode = newUserCode(randomBytes)
  const request: DeviceRequest = {
    codeHash: hashes.deviceCode(code),
    userCodeHash: hashes.deviceCode(userCode),
    client: clientOf(call),
    machine: cleanName(call.form.get('device_name') ?? ''),
    askedFrom: call.address,
    askedNetwork: addressKey(call.address),
    askedAt: call.nowMs,
    expiresAt: call.nowMs + EXPIRES_SECONDS * 1000,
    state: 'pending',
    keyId: null,
    redeemedAt: null,
    polledAt: call.nowMs,
    intervalMs: INTERVAL_SECONDS * 1000,
  }
  const most = { ofNetwork: DEVICE_REQUESTS_OF_NETWORK_LIMIT, ofAll: DEVICE_REQUESTS_LIMIT }
  if (!(await store.devices.ask(request, most))) {
    throw new OAuthError('slow_down', 'Too many sign-ins are waiting for approval. Try again in some minutes.', {
      status: 429,
      retryAfterSeconds: INTERVAL_SECONDS * 12,
    })
  }
  const page = `${parts.publicOrigin ?? call.askedOrigin}/device`
  return {
    device_code: code,
    user_code: userCode,
    verification_uri: page,
    // Behind the #, which browsers send to no server: it is in no log.
    verification_uri_complete: `${page}#${userCode}`,
    expires_in: EXPIRES_SECONDS,
    interval: INTERVAL_SECONDS,
    login_notice: 'Approve it only where the browser shows this very code.',
  }
}

/** What the program says it is: never more than a hint. Claude Code names itself in its agent alone. */
function clientOf({ form, headers }: OAuthCall): string {
  const agent = /^([\w.-]{1,40})\/([\w.+-]{1,20})/.exec(headers.get('user-agent') ?? '')
  if (form.get('surface') === 'claude_code') return `Claude Code${agent?.[2] === undefined ? '' : ` ${agent[2]}`}`
  const named = cleanName(form.get('client_name') ?? '')
  if (named !== '') return named
  return agent === null ? '' : `${agent[1]} ${agent[2]}`
}

/** One line of what can be seen, cut to its bound. */
function cleanName(text: string): string {
  return shownText(text.slice(0, NAME_CHARACTERS).trim()).slice(0, NAME_CHARACTERS)
}
