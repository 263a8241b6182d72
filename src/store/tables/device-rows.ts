/** Devices, their requests and secrets as rows, and back. */
import type { Selectable } from 'kysely'
import { DAY_MS } from '../../core/durations.ts'
import type { Device, DeviceRequest, DeviceSecret } from '../../access/device.ts'
import type { DeviceRequestRow, DeviceRow, DeviceSecretRow } from '../schema/device-tables.ts'

export function deviceOf(row: Selectable<DeviceRow>): Device {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    client: row.client,
    machine: row.machine,
    approvedAt: row.approved_at,
    askedFrom: row.asked_from,
    approvedFrom: row.approved_from,
    refreshSalt: row.refresh_salt,
    refreshCount: row.refresh_count,
    refreshedAt: row.refreshed_at,
    refreshedFrom: row.refreshed_from,
    lateCount: row.late_count,
  }
}

/** How long all devices lived for the version before, which reads it from the row. */
const LIFE_BEFORE_MS = 180 * DAY_MS

export function deviceRow(device: Device): DeviceRow {
  return {
    key_id: device.keyId,
    account_id: device.accountId,
    client: device.client,
    machine: device.machine,
    approved_at: device.approvedAt,
    asked_from: device.askedFrom,
    approved_from: device.approvedFrom,
    refresh_salt: device.refreshSalt,
    refresh_count: device.refreshCount,
    refreshed_at: device.refreshedAt,
    refreshed_from: device.refreshedFrom,
    late_count: device.lateCount,
    ends_at: device.approvedAt + LIFE_BEFORE_MS,
  }
}

export function requestOf(row: Selectable<DeviceRequestRow>): DeviceRequest {
  return {
    codeHash: row.code_hash,
    userCodeHash: row.user_code_hash,
    client: row.client,
    machine: row.machine,
    askedFrom: row.asked_from,
    askedNetwork: row.asked_network,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    state: row.state,
    keyId: row.key_id,
    redeemedAt: row.redeemed_at,
    polledAt: row.polled_at,
    intervalMs: row.interval_ms,
  }
}

export function requestRow(request: DeviceRequest): DeviceRequestRow {
  return {
    code_hash: request.codeHash,
    user_code_hash: request.userCodeHash,
    client: request.client,
    machine: request.machine,
    asked_from: request.askedFrom,
    asked_network: request.askedNetwork,
    asked_at: request.askedAt,
    expires_at: request.expiresAt,
    state: request.state,
    key_id: request.keyId,
    redeemed_at: request.redeemedAt,
    polled_at: request.polledAt,
    interval_ms: request.intervalMs,
  }
}

export function secretOf(row: Selectable<DeviceSecretRow>): DeviceSecret {
  return {
    id: row.id,
    keyId: row.key_id,
    client: row.client,
    secretStart: row.secret_start,
    secretEnd: row.secret_end,
    createdAt: row.created_at,
  }
}
