import type { Device, DeviceRequest, DeviceSecret } from '../../access/device.ts'
import type { RowOf } from './row-of.ts'

export type DeviceRow = RowOf<Device> & { ends_at: number }
export type DeviceRequestRow = RowOf<DeviceRequest>
export type DeviceSecretRow = RowOf<DeviceSecret> & { secret_hash: string }
