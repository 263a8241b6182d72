/**
 * The fault codes that are promised to callers, each with its HTTP statuses: the one of the fault and, where a protocol
 * has one of its own or the upstream decides, the others. They are written out here so that a change of the facts in
 * `core/faults.ts` does not break a promise by mistake; a new code is added once it is promised.
 */
export const PROMISED_FAULTS: Readonly<Record<string, readonly number[]>> = {
  key_missing: [401],
  key_malformed: [401],
  key_unknown: [401],
  key_deleted: [401],
  key_disabled: [401],
  key_expired: [401],
  account_disabled: [403],
  ip_not_allowed: [403],
  group_disabled: [403],
  group_forbidden: [403],
  model_not_in_group: [404],
  model_not_allowed: [404],
  model_unknown: [404],
  balance_exhausted: [402],
  key_quota_exhausted: [402],
  subscription_quota_exhausted: [402],
  credential_throttled: [429],
  rate_limited: [429],
  request_invalid: [400],
  body_too_large: [413],
  base_url_wrong: [404],
  path_unknown: [404],
  model_unpriced: [503],
  upstream_rejected: [400, 413, 422],
  upstream_rate_limited: [429],
  upstream_overloaded: [503, 529],
  upstream_unavailable: [502],
  upstream_malformed: [502],
  upstream_timeout: [504],
  draining: [503],
  store_unavailable: [503],
  internal: [500],
}

/** The environment variables that are promised to its admins. */
export const PROMISED_VARIABLES: readonly string[] = [
  'HOST',
  'PORT',
  'TOLLGATE_DATA_DIR',
  'DATABASE_URL',
  'REDIS_URL',
  'TOLLGATE_SECRET',
  'TOLLGATE_PUBLIC_URL',
  'TOLLGATE_CONFIG',
  'TOLLGATE_ADMIN_TOKEN',
  'TOLLGATE_DEMO',
  'TOLLGATE_TRUSTED_PROXIES',
  'TOLLGATE_LOG_LEVEL',
  'TOLLGATE_DRAIN_MS',
]
