import type { FaultFacts } from './fact-values.ts'

/** Who has to act for the fault to go away. */
export type Blame = 'client' | 'upstream' | 'gateway'

/** Whether the same request can succeed later: `never` sends `x-should-retry: false`, `later` sends `retry-after`. */
export type RetryAdvice = 'never' | 'later'

/** What one fault code means on every wire. `null` in a wire's column: taken from the upstream's answer. */
export interface FaultPolicy {
  /** HTTP status; `anthropicStatus` where Anthropic's protocol has one of its own. */
  readonly status: number
  readonly anthropicStatus?: number
  /** Further statuses that an upstream may have answered with, and that are passed on. */
  readonly upstreamStatuses?: readonly number[]
  readonly blame: Blame
  readonly retry: RetryAdvice
  /** How long to wait after a 429 or 503, where the thrower knows no better time. */
  readonly retryAfterSeconds?: number
  readonly openaiType: string
  readonly openaiCode: string | null
  readonly anthropicType: string
}

const key = {
  status: 401,
  blame: 'client',
  retry: 'never',
  openaiType: 'invalid_request_error',
  openaiCode: 'invalid_api_key',
  anthropicType: 'authentication_error',
} as const satisfies FaultPolicy

const permission = {
  status: 403,
  blame: 'client',
  retry: 'never',
  openaiType: 'permission_error',
  anthropicType: 'permission_error',
} as const

const model = {
  status: 404,
  blame: 'client',
  retry: 'never',
  openaiType: 'invalid_request_error',
  openaiCode: 'model_not_found',
  anthropicType: 'not_found_error',
} as const satisfies FaultPolicy

const funds = {
  status: 402,
  blame: 'client',
  retry: 'never',
  openaiType: 'insufficient_quota',
  openaiCode: 'insufficient_quota',
  anthropicType: 'billing_error',
} as const satisfies FaultPolicy

const rate = {
  status: 429,
  blame: 'client',
  retry: 'later',
  openaiType: 'rate_limit_error',
  openaiCode: 'rate_limit_exceeded',
  anthropicType: 'rate_limit_error',
} as const satisfies FaultPolicy

const request = {
  status: 400,
  blame: 'client',
  retry: 'never',
  openaiType: 'invalid_request_error',
  anthropicType: 'invalid_request_error',
} as const

const failure = { openaiType: 'api_error', anthropicType: 'api_error' } as const

/**
 * The closed list of what may go wrong: every fact about each code. A code is public and never changes its meaning. Its English
 * words are the front matter of docs/errors/<code>.md; `core/fault-texts.ts` and all other texts are generated from there.
 */
export const FAULTS = {
  key_missing: key,
  key_malformed: key,
  key_unknown: key,
  key_deleted: key,
  key_disabled: { ...key },
  key_expired: { ...key },
  account_disabled: { ...permission, openaiCode: 'account_disabled' },
  ip_not_allowed: { ...permission, openaiCode: 'ip_not_allowed' },
  group_disabled: { ...permission, openaiCode: 'group_disabled' },
  group_forbidden: { ...permission, openaiCode: 'group_forbidden' },
  model_not_in_group: { ...model },
  model_not_allowed: { ...model },
  model_unknown: { ...model },
  balance_exhausted: { ...funds },
  key_quota_exhausted: { ...funds },
  subscription_quota_exhausted: { ...funds },
  credential_throttled: { ...rate, retryAfterSeconds: 30 },
  rate_limited: { ...rate, retryAfterSeconds: 5 },
  request_invalid: { ...request, openaiCode: 'request_invalid' },
  body_too_large: { ...request, status: 413, openaiCode: 'body_too_large', anthropicType: 'request_too_large' },
  base_url_wrong: { ...model, openaiCode: 'base_url_wrong' },
  path_unknown: { ...model, openaiCode: 'path_unknown' },
  model_unpriced: {
    ...failure,
    status: 503,
    blame: 'gateway',
    retry: 'never',
    openaiCode: 'model_unpriced',
  },
  upstream_rejected: { ...request, openaiCode: 'upstream_rejected', upstreamStatuses: [413, 422] },
  upstream_rate_limited: {
    ...rate,
    blame: 'upstream',
    retryAfterSeconds: 10,
    openaiCode: 'upstream_rate_limited',
  },
  upstream_overloaded: {
    status: 503,
    anthropicStatus: 529,
    blame: 'upstream',
    retry: 'later',
    retryAfterSeconds: 5,
    openaiType: 'rate_limit_error',
    openaiCode: 'upstream_overloaded',
    anthropicType: 'overloaded_error',
  },
  upstream_unavailable: {
    ...failure,
    status: 502,
    blame: 'upstream',
    retry: 'later',
    openaiCode: 'upstream_unavailable',
  },
  upstream_malformed: { ...failure, status: 502, blame: 'upstream', retry: 'later', openaiCode: 'upstream_malformed' },
  upstream_timeout: {
    ...failure,
    status: 504,
    blame: 'upstream',
    retry: 'later',
    openaiCode: 'upstream_timeout',
    anthropicType: 'timeout_error',
  },
  draining: {
    ...failure,
    status: 503,
    blame: 'gateway',
    retry: 'later',
    retryAfterSeconds: 5,
    openaiCode: 'draining',
    anthropicType: 'overloaded_error',
  },
  store_unavailable: {
    ...failure,
    status: 503,
    blame: 'gateway',
    retry: 'later',
    retryAfterSeconds: 2,
    openaiCode: 'store_unavailable',
    anthropicType: 'overloaded_error',
  },
  internal: { ...failure, status: 500, blame: 'gateway', retry: 'later', openaiCode: 'internal' },
} as const satisfies Record<string, FaultPolicy>

export type FaultCode = keyof typeof FAULTS

/** Whether the text is the code of a fault. */
export function isFaultCode(text: string): text is FaultCode {
  return Object.hasOwn(FAULTS, text)
}

/** What a fault carries beside its code. */
export interface FaultDetails {
  /** The request field at fault, for OpenAI's `param`. */
  readonly param?: string
  /** How long the caller should wait, whole seconds, at least 1. */
  readonly retryAfterSeconds?: number
  /** Where waiting does not help, although it may for other faults of this code. */
  readonly retry?: 'never'
  /** Only for `upstream_rejected`: the upstream's own 4xx status. Only for `account_disabled`: 401 for a device. */
  readonly status?: number
  /** The upstream's own `code`, kept for `upstream_rejected` because clients parse it. */
  readonly upstreamCode?: string
  /** The base URL that was meant, sent as `x-tollgate-hint`. */
  readonly hint?: string
  /** What its record keeps of it, and its words are written from. */
  readonly facts?: FaultFacts
  /** The message is the upstream's own, which no record keeps. */
  readonly isQuoted?: true
}

/**
 * Something that may go wrong in normal running. Its message is public: it says what is wrong and what to do,
 * and names no upstream, host or credential. `cause` is for the log only.
 */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: FaultDetails

  constructor(code: FaultCode, message: string, details: FaultDetails & { readonly cause?: unknown } = {}) {
    const { cause, ...rest } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Fault'
    this.code = code
    this.details = rest
  }

  get policy(): FaultPolicy {
    return FAULTS[this.code]
  }

  get retry(): RetryAdvice {
    return this.details.retry ?? this.policy.retry
  }
}
