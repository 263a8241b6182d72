/** Why an address gave no answer over HTTP. */
export const UNREACHABLE = [
  'host_unknown',
  'connection_refused',
  'connection_closed',
  'connect_timeout',
  'proxy_failed',
  'proxy_login',
  'proxy_refused',
  'proxy_no_route',
  'certificate_expired',
  'certificate_untrusted',
  'certificate_of_other_host',
  'not_tls',
  'tls_failed',
  'not_http',
  'unreachable',
] as const

/** Why an attempt got no answer that is one: no connection, or a base URL that redirects. */
export const ATTEMPT_OBSTACLES = [...UNREACHABLE, 'redirect'] as const

/** What came of asking an address for its list of models. */
export const MODEL_LIST_RESULTS = [
  'listed',
  'web_page',
  'empty',
  'too_long',
  'other_protocol',
  'not_a_list',
  'error_answer',
  'redirect',
  'credential_refused',
  'no_credit',
  'no_list',
  'too_many_requests',
  'status',
  'too_slow',
  ...UNREACHABLE,
  'misconfigured',
] as const

/**
 * What came of one real request. `status`: the upstream answered with an error; `fault`: the gateway refused it, or could not
 * use the answer.
 */
export const UPSTREAM_TRIAL_RESULTS = ['answered', 'status', 'fault', 'too_slow', ...UNREACHABLE] as const

export type AttemptObstacle = (typeof ATTEMPT_OBSTACLES)[number]
export type Unreachable = (typeof UNREACHABLE)[number]
export type ModelListResult = (typeof MODEL_LIST_RESULTS)[number]
export type UpstreamTrialResult = (typeof UPSTREAM_TRIAL_RESULTS)[number]
