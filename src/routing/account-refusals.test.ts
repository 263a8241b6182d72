import { expect, test } from 'vitest'
import type { UpstreamProtocol } from '../core/upstream-protocol.ts'
import { accountFailureOf, NO_CREDIT_ANSWERS, type RefusedAnswer } from './account-refusals.ts'

type Words = Partial<RefusedAnswer['error']>

function said(protocol: UpstreamProtocol, status: number, words: Words) {
  return accountFailureOf({ protocol, status, error: { type: null, code: null, message: null, ...words } })
}

const ANTHROPIC =
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'
const LIMIT = 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'
const TEAM =
  'Your team 16f2151a-40f4-4a80-8ad0-cae00c27e8dd has either used all available credits or reached its monthly spending limit. To continue …'

test.for([
  ['anthropic', 400, { type: 'invalid_request_error', message: ANTHROPIC }],
  ['anthropic', 400, { type: 'invalid_request_error', message: LIMIT }],
  ['anthropic', 400, { type: 'invalid_request_error', message: LIMIT.replace('API', 'workspace API') }],
  ['anthropic', 402, { type: 'billing_error' }],
  ['openai', 429, { type: 'insufficient_quota', code: 'credit_balance_exhausted' }],
  ['openai', 429, { type: null, code: 'project_spend_limit_exceeded' }],
  ['openai', 429, { type: 'insufficient_quota', code: 'insufficient_quota' }],
  ['openai-chat', 429, { type: 'exceeded_current_quota_error', message: 'Your account is suspended …' }],
  ['openai-chat', 400, { type: 'invalid_request_error', code: 'blocked_api_access' }],
  ['openai-chat', 400, { type: 'Arrearage', code: 'Arrearage' }],
  ['openai-chat', 403, { type: 'Forbidden', code: 'AccountOverdueError' }],
  ['openai-chat', 429, { code: '1113', message: '余额不足或无可用资源包,请充值。' }],
  ['anthropic', 429, { type: '1113', message: 'Insufficient balance or no resource package. Please recharge.' }],
  ['openai-chat', 403, { code: '30011' }],
  ['openai', 429, { message: TEAM }],
  ['openai', 403, { code: 'permission-denied', message: TEAM }],
  ['openai', 403, { message: "Your newly created team doesn't have any credits or licenses yet. You can …" }],
  ['gemini', 429, { type: 'RESOURCE_EXHAUSTED', message: 'Your prepayment credits are depleted. Please go to …' }],
  ['gemini', 403, { type: 'PERMISSION_DENIED', code: 'BILLING_DISABLED' }],
  ['openai', 403, { type: 'new_api_error', code: 'insufficient_user_quota' }],
] as const)('%s answering %i with %j says that its account has no credit', ([protocol, status, words]) => {
  expect(said(protocol, status, words)).toBe('no_credit')
})

test.for([
  ['holds such words further on', 'anthropic', 400, `messages.0: the text "${ANTHROPIC}" is not allowed`],
  ['is of another status', 'anthropic', 413, ANTHROPIC],
  ['is of another protocol', 'openai', 400, ANTHROPIC],
  ['begins a little differently', 'anthropic', 400, ANTHROPIC.replace('Your', 'your')],
] as const)('an answer that %s says nothing of the account', ([, protocol, status, message]) => {
  expect(said(protocol, status, { type: 'invalid_request_error', message })).toBeNull()
})

test('an answer of another type says nothing of the account, nor does a rate limit', () => {
  expect(said('anthropic', 400, { type: 'api_error', message: ANTHROPIC })).toBeNull()
  const quota = 'You exceeded your current quota, please check your plan and billing details.'
  expect(said('gemini', 429, { type: 'RESOURCE_EXHAUSTED', message: quota })).toBeNull()
  expect(said('openai', 429, { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' })).toBeNull()
  expect(said('openai', 500, { code: '1113' })).toBeNull()
})

test('every entry that looks at a message looks at how it begins', () => {
  const patterns = NO_CREDIT_ANSWERS.flatMap(({ begins }) => (begins === null ? [] : [begins]))
  for (const { source, flags } of patterns) expect([source[0], flags]).toEqual(['^', ''])
  for (const { name, begins } of NO_CREDIT_ANSWERS) expect(name ?? begins).not.toBeNull()
})

test.for([
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'CONSUMER_SUSPENDED',
  'CONSUMER_INVALID',
  'GCP_SUSPENDED',
  'SERVICE_DISABLED',
])(
  'Google refuses the credential itself with %s, and only the model where it says no more than PERMISSION_DENIED',
  (code) => {
    expect(said('gemini', 403, { type: 'PERMISSION_DENIED', code })).toBe('credential')
    expect(said('gemini', 403, { type: 'PERMISSION_DENIED', code: 'PERMISSION_DENIED' })).toBeNull()
  },
)
