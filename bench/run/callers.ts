/** What it takes to find who calls, by an API key and by the access token of a signed-in device. */
import { randomBytes } from 'node:crypto'
import type { KeyWithOwner } from '../../src/access/api-key.ts'
import { deviceHash } from '../../src/access/device-tokens.ts'
import { KeyRing } from '../../src/access/key-ring.ts'
import { newSecret } from '../../src/access/key-secret.ts'
import type { KeyStore } from '../../src/access/key-store.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { systemClock } from '../../src/core/clock.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { BadCredentialThrottle } from '../../src/gateway/callers/bad-credentials.ts'
import { type CallerFinder, findCaller } from '../../src/gateway/callers/caller.ts'
import type { ClientRequest } from '../../src/gateway/client-connection.ts'

const HOUR_MS = 3_600_000
const INSTALLATION = 'a secret that is only for the bench, 32 bytes and more'

/** Calls to be timed, by what they do. The key and the device are in memory, as those of nearly all requests are. */
export async function callerCases(): Promise<Readonly<Record<string, () => unknown>>> {
  const hashSecret = keyedHash(INSTALLATION)
  const tokens = tokensOfDevices({ secret: INSTALLATION, sealing: [INSTALLATION] })
  const secret = newSecret((count) => randomBytes(count))
  const token = tokens.accessToken({ keyId: 'key_bench', expiresAt: Date.now() + HOUR_MS, epoch: 0 })
  const rows = new Map([
    [hashSecret(secret), { key: { id: 'key_other', status: 'active' } }],
    [deviceHash('key_bench'), { key: { id: 'key_bench', status: 'active', device: { epoch: 0 } } }],
  ]) as ReadonlyMap<string, unknown> as ReadonlyMap<string, KeyWithOwner>
  const ring = new KeyRing({ findByHash: async (hash) => rows.get(hash) ?? null } as KeyStore)
  for (const hash of rows.keys()) await ring.load(hash)
  const finder: CallerFinder = {
    ring,
    hashSecret,
    throttle: new BadCredentialThrottle(systemClock, 1),
    tokens: { readAccessToken: (text) => tokens.readAccessToken(text), now: () => systemClock.now() },
    onPreviousSecret: () => {},
  }
  const call = (credential: string, socket: object) => {
    // Each request brings a text of its own.
    const authorization = Buffer.from(`Bearer ${credential}`, 'latin1').toString('latin1')
    return findCaller({ headers: { authorization }, socket } as unknown as ClientRequest, '127.0.0.1', finder)
  }
  const kept = { key: {}, device: {} }
  return {
    'an API key, connection kept': () => call(secret, kept.key),
    'a device, connection kept': () => call(token, kept.device),
    'an API key, new connection': () => call(secret, {}),
    'a device, new connection': () => call(token, {}),
  }
}
