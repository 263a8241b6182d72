/** Alerts to admins that say that something does not work, by the names that alerts have for them. */
export const ADMIN_INCIDENTS = [
  'credential_held',
  'credential_spend_cap',
  'upstream_spend_cap',
  'target_spend_cap',
  'model_unserved',
  'doubted_usage',
  'settlement_set_aside',
  'backup_old',
  'store_failing',
  'account_device_reused',
] as const
export type AdminIncidentKind = (typeof ADMIN_INCIDENTS)[number]
