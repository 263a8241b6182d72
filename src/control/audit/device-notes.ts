/** What the audit says of signed-in devices, whichever way they come and go. */
import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { Device, DeviceRequest } from '../../access/device.ts'
import type { Group } from '../../access/group.ts'
import { groupNames } from '../../access/group.ts'
import type { NewKey } from '../../access/api-key.ts'
import { settingsOnWire } from '../../access/key-settings.ts'

export function deviceApproved(device: Device, key: NewKey, groups: readonly Group[]): AuditNote {
  const settings = { ...settingsOnWire(key, groupNames(groups)), ...said(device) }
  return noteOf('device.approve', device, changesBetween({}, settings))
}

export function deviceSignedOut(device: Device): AuditNote {
  return noteOf('device.sign_out', device, changesBetween(said(device), {}))
}

/** `client`: for which it was made. */
export function deviceSecretAdded(device: Device, client: string): AuditNote {
  return noteOf('device.add_secret', device, changesBetween({}, { client }))
}

export function deviceSecretDeleted(device: Device): AuditNote {
  return noteOf('device.delete_secret', device, changesBetween(said(device), {}))
}

/** One of its earlier refresh tokens was used again. */
export function deviceReused(device: Device): AuditNote {
  return noteOf('device.reused', device, changesBetween(said(device), {}))
}

/** `accountId`: of the one who refused it. */
export function deviceDenied(request: DeviceRequest, accountId: string): AuditNote {
  return { action: 'device.deny', subject: null, accountId, changes: changesBetween({}, said(request)) }
}

function noteOf(action: AuditNote['action'], device: Device, changes: AuditNote['changes']): AuditNote {
  return { action, subject: device.keyId, accountId: device.accountId, changes }
}

function said({ client, machine, askedFrom }: Pick<Device, 'client' | 'machine' | 'askedFrom'>) {
  return { client, machine, asked_from: askedFrom }
}
