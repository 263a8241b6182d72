import { newId } from '../../src/core/ids.ts'
import { signInDevice } from '../support/signed-in-device.ts'
import type { Expectation, Making } from './control-expectation.ts'
import { ofOwner, ownOnly, type Statuses } from './control-statuses.ts'

type Made = Readonly<Record<string, string>>

/** A session alone decides, which the admin token has not. */
const bySession = (status: number): Statuses => ({ ...ownOnly(status), adminToken: 403 })

export const EXPECTATIONS_OF_DEVICES: Readonly<Record<string, Expectation>> = {
  'GET /api/device-requests/{code}': { statuses: ownOnly(), make: aCode },
  'POST /api/device-requests/{code}/approve': {
    statuses: bySession(200),
    make: aCode,
    body: { name: 'laptop', group: 'default' },
  },
  'POST /api/device-requests/{code}/deny': { statuses: bySession(204), make: aCode },
  'GET /api/devices': { statuses: ownOnly() },
  'POST /api/devices/sign-out': { statuses: ownOnly(204), make: aDevice },
  'DELETE /api/devices/{id}': { statuses: ofOwner(204), make: aDevice },
  'DELETE /api/devices/{id}/secrets/{secret}': { statuses: ofOwner(204), make: aDeviceWithSecret },
}

async function aCode({ control }: Making): Promise<Made> {
  const answer = await fetch(`${control.origin}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ surface: 'claude_code' }),
  })
  const { user_code: code } = (await answer.json()) as { user_code: string }
  return { code }
}

async function aDevice({ control, owner }: Making): Promise<Made> {
  const [group] = await control.store.groups.groups()
  const nowMs = control.clock.now()
  return { id: await signInDevice(control.store, { accountId: owner.account.id, groupId: group?.id ?? '', nowMs }) }
}

async function aDeviceWithSecret(making: Making): Promise<Made> {
  const { id: keyId = '' } = await aDevice(making)
  const { control } = making
  const secret = newId('dsc', control.clock.now())
  const shown = { client: 'aider', secretStart: 'sk-tg-abcd', secretEnd: 'wxyz', createdAt: control.clock.now() }
  await control.store.devices.addSecret({ id: secret, keyId, ...shown }, `hash of ${secret}`, 20)
  return { id: keyId, secret }
}
