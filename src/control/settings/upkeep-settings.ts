import type { DeviceTerms } from '../../core/device-limits.ts'
import { DAY_MS } from '../../core/durations.ts'
import type { SettingsView } from '../../contract/administration.ts'
import type { KeptSettings } from '../changeable-stores.ts'
import { INSTANCE_SETTINGS } from './alert-template.ts'

/** What admins set for the whole server beside the limits of accounts, which the gateway reads as well. */
export type InstanceSettings = Omit<SettingsView, 'account_limits'>

/** The defaults. */
export const STANDARD: InstanceSettings = {
  site_name: 'Tollgate',
  registration: 'invitation',
  imports: [],
  hidden_imports: [],
  top_up_url: null,
  support_address: null,
  alert_template: null,
  public_models: false,
  public_status: false,
  public_key_check: false,
  capture_requests: false,
  check_models: false,
  device_sign_in: true,
  max_devices: 20,
  device_idle_days: 30,
  device_max_days: 180,
}

type Switch = 'capture_requests' | 'check_models'
type Count = 'max_devices' | 'device_idle_days' | 'device_max_days'

/** The settings that a gateway goes by when no admin asks for anything. */
export type UpkeepSettings = Pick<InstanceSettings, Switch | Count>

/** Reads them without the schema of all settings, which a plain start does not load. */
export async function readUpkeepSettings(store: Pick<KeptSettings, 'read'>): Promise<UpkeepSettings> {
  const stored: unknown = JSON.parse((await store.read(INSTANCE_SETTINGS)) ?? '{}')
  const read = (name: Switch | Count): unknown =>
    typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : undefined
  const isOn = (name: Switch) => {
    const value = read(name)
    return typeof value === 'boolean' ? value : STANDARD[name]
  }
  const count = (name: Count) => {
    const value = read(name)
    return typeof value === 'number' ? value : STANDARD[name]
  }
  return {
    capture_requests: isOn('capture_requests'),
    check_models: isOn('check_models'),
    max_devices: count('max_devices'),
    device_idle_days: count('device_idle_days'),
    device_max_days: count('device_max_days'),
  }
}

/** What the settings say of devices. A change holds for each at its next use. */
export function deviceTerms(set: Pick<InstanceSettings, Count>): DeviceTerms {
  const { max_devices: most, device_idle_days: idle, device_max_days: longest } = set
  return { most, unusedMs: idle * DAY_MS, longestMs: longest * DAY_MS }
}
