import { newId } from '../../src/core/ids.ts'
import type { Expectation, Making } from './control-expectation.ts'
import { EXPECTATIONS_OF_CATALOGUE_AND_BOOKS } from './control-expectations-2.ts'
import { EXPECTATIONS_OF_DEVICES } from './control-expectations-devices.ts'
import { EXPECTATIONS_OF_PAYMENTS } from './control-expectations-payments.ts'
import { EXPECTATIONS_OF_SIGN_IN } from './control-expectations-sign-in.ts'
import { adminOnly, allAlike, ofHolder, ofOwner, ownOnly } from './control-statuses.ts'

export type { Walker } from './control-statuses.ts'

export const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  'GET /api/me': { statuses: ownOnly() },
  'GET /api/overview': { statuses: ownOnly() },
  'GET /api/me/limits': { statuses: ownOnly() },
  'PATCH /api/me': { statuses: ownOnly(), body: { name: 'Ada' } },
  'GET /api/keys': { statuses: allAlike() },
  'GET /api/keys.csv': { statuses: allAlike() },
  'GET /api/keys.ndjson': { statuses: allAlike() },
  'POST /api/keys': { statuses: ownOnly(201), body: { name: 'new', group: 'default' } },
  'POST /api/keys/bulk': { statuses: allAlike(), body: { ids: ['key_none'], action: 'disable' } },
  'GET /api/keys/{id}': { statuses: ofOwner(), make: aKey },
  'PATCH /api/keys/{id}': { statuses: ofOwner(), make: aKey, body: { name: 'renamed' } },
  'DELETE /api/keys/{id}': { statuses: ofOwner(204), make: aKey },
  'POST /api/keys/{id}/rotate': { statuses: ofOwner(), make: aKey, body: { overlap_seconds: 60 } },
  'POST /api/keys/{id}/test': { statuses: ofOwner(), make: aKey },
  'GET /api/keys/{id}/setup': { statuses: ofOwner(), make: aKey },
  'GET /api/keys/activity': { statuses: allAlike(), query: () => 'ids=key_none' },
  'GET /api/keys/tags': { statuses: allAlike() },
  'GET /api/keys/{id}/report': { statuses: ofOwner(), make: aKey },
  'GET /api/keys/{id}/message': { statuses: ofHolder(422), make: aKey, query: () => 'model=none' },
  'POST /api/keys/{id}/message': { statuses: ofHolder(200), make: aKey, body: { model: 'none' } },
  'GET /api/keys/{id}/capture': { statuses: adminOnly(), make: aKey },
  'POST /api/keys/{id}/capture': { statuses: adminOnly(201), make: aKeyToCapture },
  'DELETE /api/keys/{id}/capture': { statuses: adminOnly(204), make: aCapturedKey },
  'GET /api/keys/{id}/capture/{request}': {
    statuses: adminOnly(404),
    make: async (making) => ({ ...(await aKey(making)), request: 'req_none' }),
  },
  'POST /api/keys/{id}/raise-quota': {
    statuses: adminOnly(),
    make: aKeyWithQuota,
    body: (_made: unknown, nowMs: number) => raiseFrom(nowMs),
  },
  'POST /api/keys/{id}/end-raise': { statuses: adminOnly(), make: aRaisedKey },
  'GET /api/route': { statuses: ofOwner(), make: aKey, query: ({ id }) => `key=${id}&model=any` },
  'POST /api/diagnose': { statuses: allAlike(), body: { request: 'req_none' } },
  ...EXPECTATIONS_OF_DEVICES,
  'GET /api/tokens': { statuses: ownOnly() },
  'POST /api/tokens': {
    statuses: { anonymous: 401, other: 201, owner: 201, admin: 201, adminToken: 403 },
    body: { name: 'new' },
  },
  'DELETE /api/tokens/{id}': { statuses: ofOwner(204), make: anAccessToken },
  'GET /api/settings': { statuses: adminOnly() },
  'GET /api/configuration': { statuses: adminOnly() },
  'GET /api/system/retention': { statuses: adminOnly() },
  'GET /api/system': { statuses: adminOnly() },
  // No directory for backups is set.
  'POST /api/system/maintenance': { statuses: adminOnly(409), body: { kind: 'backup' } },
  'PATCH /api/settings': { statuses: adminOnly(), body: { site_name: 'Walked' } },
  'GET /api/audit': { statuses: adminOnly() },
  'GET /api/audit.csv': { statuses: adminOnly() },
  'GET /api/audit.ndjson': { statuses: adminOnly() },
  'GET /api/instance': { statuses: { anonymous: 200, other: 200, owner: 200, admin: 200, adminToken: 200 } },
  ...EXPECTATIONS_OF_CATALOGUE_AND_BOOKS,
  ...EXPECTATIONS_OF_PAYMENTS,
  ...EXPECTATIONS_OF_SIGN_IN,
}

async function aKey({ owner }: Making): Promise<Readonly<Record<string, string>>> {
  const { body } = await owner.ask('POST', '/api/keys', { name: 'walked', group: 'default' })
  return { id: body.key.id as string }
}

async function aKeyWithQuota({ owner }: Making): Promise<Readonly<Record<string, string>>> {
  const { body } = await owner.ask('POST', '/api/keys', { name: 'walked', group: 'default', quota_limit: '10' })
  return { id: body.key.id as string }
}

async function aRaisedKey(making: Making): Promise<Readonly<Record<string, string>>> {
  const made = await aKeyWithQuota(making)
  const { adminToken, clock } = making.control
  await adminToken.ask('POST', `/api/keys/${made['id']}/raise-quota`, raiseFrom(clock.now()))
  return made
}

function raiseFrom(nowMs: number) {
  return { limit: '20', ends_at: new Date(nowMs + 3_600_000).toISOString() }
}

/** None runs when captures were just turned off: only some may at a time. */
async function aKeyToCapture(making: Making): Promise<Readonly<Record<string, string>>> {
  const { adminToken } = making.control
  for (const isOn of [false, true]) await adminToken.ask('PATCH', '/api/settings', { capture_requests: isOn })
  return aKey(making)
}

async function aCapturedKey(making: Making): Promise<Readonly<Record<string, string>>> {
  const made = await aKeyToCapture(making)
  await making.control.adminToken.ask('POST', `/api/keys/${made['id']}/capture`)
  return made
}

async function anAccessToken({ control, owner }: Making): Promise<Readonly<Record<string, string>>> {
  const id = newId('pat', control.clock.now())
  const token = {
    id,
    accountId: owner.account.id,
    name: 'walked',
    scope: 'read',
    secretStart: 'tg-pat-abc',
    secretEnd: 'wxyz',
    createdAt: control.clock.now(),
    expiresAt: null,
    lastUsedAt: null,
  } as const
  await control.store.accessTokens.create(token, `hash of ${id}`, 1_000)
  return { id }
}
