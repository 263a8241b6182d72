import type { FaultCode, FixPage } from '../../../src/contract/usage.ts'

/** The page on which a fault can be fixed. Generated from src/core/faults.ts by test/architecture/fault-texts.test.ts. */
export const FAULT_PAGES: Readonly<Partial<Record<FaultCode, FixPage>>> = {
  key_disabled: 'keys',
  key_expired: 'keys',
  ip_not_allowed: 'keys',
  group_disabled: 'keys',
  group_forbidden: 'billing',
  model_not_in_group: 'models',
  model_not_allowed: 'keys',
  model_unknown: 'models',
  balance_exhausted: 'billing',
  key_quota_exhausted: 'keys',
  subscription_quota_exhausted: 'billing',
  rate_limited: 'keys',
  base_url_wrong: 'keys',
  path_unknown: 'keys',
  model_unpriced: 'models',
}
