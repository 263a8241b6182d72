/** What came of asking an address for its list of models. Those of `UNREACHABLE` are also of other addresses that are asked. */
export const UNREACHABLE = ['host_unknown', 'unreachable', 'tls_failed', 'not_http'] as const

export const MODEL_LIST_RESULTS = [
  'listed',
  'not_a_list',
  'redirect',
  'credential_refused',
  'no_list',
  'too_many_requests',
  'status',
  'too_slow',
  ...UNREACHABLE,
  'misconfigured',
] as const

export type Unreachable = (typeof UNREACHABLE)[number]
export type ModelListResult = (typeof MODEL_LIST_RESULTS)[number]
