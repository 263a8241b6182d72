import type { AdminAlertStore } from '../alerts/alert.ts'
import type { AdministeredStores } from '../entitlement/administered-stores.ts'

export type { KeptSettings } from '../entitlement/administered-stores.ts'

/** What people change. */
export interface ChangeableStores extends AdministeredStores {
  readonly adminAlerts: AdminAlertStore
}
