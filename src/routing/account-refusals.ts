import type { UpstreamProtocol } from '../core/upstream-protocol.ts'

/** What an upstream's error says of the credential, or of the account at the provider that this belongs to. */
export type AccountFailure = 'credential' | 'no_credit'

/** An upstream's answer to a request that it refused. */
export interface RefusedAnswer {
  readonly protocol: UpstreamProtocol
  /** The status that the error names, where its answer has a good one. */
  readonly status: number
  /** The error in the upstream's own words. */
  readonly error: { readonly type: string | null; readonly code: string | null; readonly message: string | null }
}

/**
 * Names, in the place of a code or of a type, by which providers say that an account has no money left or has reached a limit
 * that was set on its spending, whatever the status. A closed list, of what they document or were seen to answer.
 */
const NO_CREDIT_NAMES: ReadonlySet<string> = new Set([
  // OpenAI: guide to error codes; "Troubleshooting API usage and spend limits" (help centre, autumn 2026).
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  // Anthropic: API reference, errors (402).
  'billing_error',
  // Moonshot: list of errors, a type (429).
  'exceeded_current_quota_error',
  // Groq: page on spend limits (400).
  'blocked_api_access',
  // Alibaba Model Studio (400), Volcengine Ark and BytePlus ModelArk (403): lists of error codes.
  'Arrearage',
  'AccountOverdueError',
  'OperationDenied.ServiceOverdue',
  // Google: ErrorInfo's `reason` where billing of a project is off (403).
  'BILLING_DISABLED',
  // new-api and one-api, and sub2api, as upstreams (403).
  'insufficient_user_quota',
  'INSUFFICIENT_BALANCE',
])

/**
 * Google answers a wrong credential with 400 (ErrorInfo's `reason`, ai.google.dev/gemini-api/docs/troubleshooting), and one that
 * is restricted, or whose project is suspended, gone or without the API, with 403 (`google.api.ErrorReason`, by
 * googleapis/googleapis, google/api/error_reason.proto). All of these hold for every model of the project.
 */
const CREDENTIAL_CODES: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'CONSUMER_SUSPENDED',
  'CONSUMER_INVALID',
  'GCP_SUSPENDED',
  'SERVICE_DISABLED',
  // AWS: the access key needs a subscription for the service ("Common errors" of its API references, 403).
  'OptInRequired',
])

/** An answer that says so under a name that says other things as well: every part of it has to be as it stands here. */
export interface NoCreditAnswer {
  readonly protocols: readonly UpstreamProtocol[]
  readonly statuses: readonly number[]
  /** The type, or the code where there is no type; null: neither is the same each time. */
  readonly name: string | null
  /** What its message begins with; null: the name is enough with that status. What stands further on in a message is never looked at. */
  readonly begins: RegExp | null
}

const OPENAI: readonly UpstreamProtocol[] = ['openai', 'openai-chat']

/** Decision 0074 has why these, and what a new entry needs. */
export const NO_CREDIT_ANSWERS: readonly NoCreditAnswer[] = [
  {
    protocols: ['anthropic'],
    statuses: [400],
    name: 'invalid_request_error',
    begins: /^Your credit balance is too low to access the Anthropic API\b/,
  },
  {
    protocols: ['anthropic'],
    statuses: [400],
    name: 'invalid_request_error',
    begins: /^You have reached your specified (?:workspace )?API usage limits\b/,
  },
  {
    protocols: ['gemini'],
    statuses: [429],
    name: 'RESOURCE_EXHAUSTED',
    begins: /^Your prepayment credits are depleted\b/,
  },
  // xAI's error is a text, beside a code that says no more than the status.
  {
    protocols: OPENAI,
    statuses: [403, 429],
    name: null,
    begins: /^Your team [\w-]{1,64} has either used all available credits or reached its monthly spending limit\b/,
  },
  {
    protocols: OPENAI,
    statuses: [403],
    name: null,
    begins: /^Your newly created teams? doesn't have any credits\b/,
  },
  // Zhipu and Z.ai: list of error codes, on both of their protocols.
  { protocols: [...OPENAI, 'anthropic'], statuses: [429], name: '1113', begins: null },
  // SiliconFlow.
  { protocols: OPENAI, statuses: [403], name: '30001', begins: null },
  { protocols: OPENAI, statuses: [403], name: '30011', begins: null },
]

/** What an upstream's answer says of its credential or of the account that this belongs to; null: nothing. */
export function accountFailureOf(answer: RefusedAnswer): AccountFailure | null {
  const { type, code } = answer.error
  if (code !== null && CREDENTIAL_CODES.has(code)) return 'credential'
  if (NO_CREDIT_NAMES.has(code ?? '') || NO_CREDIT_NAMES.has(type ?? '')) return 'no_credit'
  return NO_CREDIT_ANSWERS.some((entry) => isLike(answer, entry)) ? 'no_credit' : null
}

function isLike({ protocol, status, error }: RefusedAnswer, entry: NoCreditAnswer): boolean {
  if (!entry.protocols.includes(protocol) || !entry.statuses.includes(status)) return false
  if (entry.name !== null && entry.name !== (error.type ?? error.code)) return false
  return entry.begins === null || entry.begins.test(error.message ?? '')
}
