import type { z } from '@hono/zod-openapi'
import { mustBe } from '../../core/must-be.ts'
import type { Account } from '../../access/account.ts'
import type { Device, DeviceRequest } from '../../access/device.ts'
import { DEVICE_ACCESS_PREFIX, deviceHash } from '../../access/device-tokens.ts'
import type { deviceApproval } from '../../contract/devices.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { withPreset } from '../../entitlement/device-rule.ts'
import { newKey, objectionToOwner } from '../../entitlement/key-settings.ts'
import type { ApiCall } from '../api/route.ts'
import { deviceApproved } from '../audit/device-notes.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { deviceTerms } from '../settings/upkeep-settings.ts'
import { notFound, Problem } from '../problem.ts'
import { viewerOfAccount } from '../who/viewer.ts'
import { readKeySettings } from './create-key.ts'

const SALT_BYTES = 24

interface Approval extends Pick<ApiCall, 'change' | 'nowMs' | 'address'> {
  readonly settings: Omit<z.output<typeof deviceApproval>, 'typed_code'>
  readonly request: DeviceRequest
  readonly account: Account
}

/**
 * Approves a program's request: makes the key of the device, the device itself and its audit entry in one transaction, once.
 * Throws Problem where the settings are not allowed, the account has all of its devices, or the request was decided meanwhile.
 */
export async function approvedDevice(approval: Approval, parts: ControlParts): Promise<Device> {
  const { request, account, nowMs } = approval
  const { store } = parts
  const objection = objectionToOwner(account)
  if (objection !== null) throw new Problem('account_disabled', `The account ${mustBe(objection)}.`)
  const [owner, catalogue, { maxKeyValidityDays }, set] = await Promise.all([
    viewerOfAccount(account.id, store, nowMs),
    readCatalogue(store),
    readLimits(account, store, nowMs),
    readSettings(store.settings),
  ])
  const rule = catalogue.groups.find(({ name }) => name === approval.settings.group)?.devices
  const context = { owner, catalogue, nowMs, madeAt: nowMs, maxKeyValidityDays, isByDeviceRule: true }
  const settings = readKeySettings(withPreset(approval.settings, rule, nowMs), null, context)
  const id = parts.newId('key')
  const made = { id, accountId: account.id, createdAt: nowMs, isManaged: false }
  const key = { ...newKey(settings, made), device: { epoch: 0 } }
  const device: Device = {
    keyId: id,
    accountId: account.id,
    client: request.client,
    machine: request.machine,
    approvedAt: nowMs,
    askedFrom: request.askedFrom,
    approvedFrom: approval.address,
    refreshSalt: Buffer.from(parts.randomBytes(SALT_BYTES)).toString('base64url'),
    refreshCount: 0,
    refreshedAt: null,
    refreshedFrom: null,
    lateCount: null,
  }
  await approval.change(async ({ keys, devices }, audit) => {
    const secret = { hash: deviceHash(id), start: DEVICE_ACCESS_PREFIX, end: id.slice(-4) }
    const creation = await keys.create(key, secret, deviceTerms(set).most)
    if (creation.kind === 'too_many') throw tooManyDevices(creation.most)
    if (creation.kind === 'taken') throw new Error('the key of a new device is there already')
    if (!(await devices.decide(request.userCodeHash, { state: 'approved', device }, nowMs))) throw notFound('sign-in')
    await audit(deviceApproved(device, key, catalogue.groups))
  })
  return device
}

function tooManyDevices(most: number): Problem {
  return new Problem(
    'too_many_devices',
    most === 0
      ? 'This account may have no API keys, and so no devices. Ask an admin to raise its limit "max_keys".'
      : `This account is signed in on ${most} devices, the maximum. Sign one out that is not needed any more.`,
  )
}
