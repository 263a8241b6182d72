import { deviceHash } from '../../src/access/device-tokens.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import type { Device } from '../../src/access/device.ts'
import { newId } from '../../src/core/ids.ts'
import { newKey } from '../../src/entitlement/key-settings.ts'
import type { Store } from '../../src/store/store.ts'

const HERE = '127.0.0.1'

/** Signs a device in for an account in a group, as its approval does; returns its key's id. */
export async function signInDevice(
  store: Store,
  of: {
    readonly accountId: string
    readonly groupId: string
    readonly nowMs: number
    readonly fields?: Partial<ApiKey>
  },
): Promise<string> {
  const { accountId, groupId, nowMs, fields = {} } = of
  const id = newId('key', nowMs)
  const made = { id, accountId, createdAt: nowMs, isManaged: false }
  const key = { ...newKey({ name: 'laptop', groupId, ...fields }, made), device: { epoch: 0 } }
  await store.keys.create(key, { hash: deviceHash(id), start: 'tg-dat-', end: id.slice(-4) })
  const asked = { client: 'Claude Code', machine: 'laptop', askedFrom: HERE }
  const userCodeHash = `user code of ${id}`
  const times = { askedAt: nowMs, expiresAt: nowMs + 60_000, polledAt: nowMs, intervalMs: 5_000 }
  const request = { ...asked, ...times, codeHash: `code of ${id}`, userCodeHash, askedNetwork: HERE }
  const most = { ofNetwork: 1_000, ofAll: 1_000 }
  await store.devices.ask({ ...request, state: 'pending', keyId: null, redeemedAt: null }, most)
  const device: Device = {
    ...asked,
    keyId: id,
    accountId,
    approvedAt: nowMs,
    approvedFrom: HERE,
    refreshSalt: 'salt',
    refreshCount: 0,
    refreshedAt: null,
    refreshedFrom: null,
    lateCount: null,
  }
  await store.devices.decide(userCodeHash, { state: 'approved', device }, nowMs)
  return id
}
