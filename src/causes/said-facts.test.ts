import { expect, test } from 'vitest'
import type { FaultFacts } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'
import { explainChinese } from './chinese.ts'
import { explainEnglish, sentence } from './english.ts'
import { saidSentence } from './said-facts.ts'

const AT = '2026-11-22T12:00:00Z'
const SHORTAGE = { needed_usd: '0.01638975', left_usd: '0' }
const WINDOW = { resets_at: AT, wait_s: 3_700, window: '5h' }

test.for<[FaultCode, FaultFacts]>([
  ['key_malformed', { mistake: 'missing', missing: 1, where: 'end', end: 'Z2Nz' }],
  ['key_malformed', { mistake: 'extra', extra: 12 }],
  ['key_malformed', { mistake: 'too_long', length: 900 }],
  ['key_malformed', { mistake: 'white_space', where: 'inside', line_break: true }],
  ['key_expired', { replaced: true, end: 'Z2Nz', at: AT, new_end: 'aB3x' }],
  ['group_forbidden', { group: 'team', plan: 'pro', from: AT, until: AT }],
  ['model_unknown', { model: 'gpt-6', near: ['gpt-5.5', 'gpt-5.4'] }],
  ['model_not_allowed', { model: 'gpt-6', allowed: ['a', 'b', 'c'], has_more: true }],
  ['model_not_in_group', { model: 'gpt-6', groups: ['team', 'vip'], why: 'untargeted', allowed: ['a'] }],
  ['balance_exhausted', { ...SHORTAGE, affordable_tokens: 12 }],
  ['balance_exhausted', { ...SHORTAGE, input_usd: '0.01', model: 'gpt-5.5' }],
  ['key_quota_exhausted', { ...SHORTAGE, limit_usd: '2' }],
  ['key_quota_exhausted', { ...SHORTAGE, limit_usd: '2', resets_at: AT, wait_s: 90 }],
  ['key_quota_exhausted', { limit_usd: '0', left_usd: '0' }],
  ['subscription_quota_exhausted', { ...SHORTAGE, ...WINDOW, balance_usd: '0.5' }],
  ['rate_limited', { limit: 'requests', scope: 'key', max: 1, used: 1, wait_s: 12 }],
  ['rate_limited', { limit: 'tokens', scope: 'account', max: 900, used: 800, input_tokens: 200, output_tokens: 5 }],
  ['rate_limited', { limit: 'concurrency', scope: 'key', max: 0 }],
  ['rate_limited', { limit: 'spend', scope: 'key', limit_usd: '2', ...SHORTAGE, ...WINDOW }],
  ['path_unknown', { path: '/v1/x', method: 'GET', served: 'POST /v1/y and GET /v1/z' }],
  ['request_invalid', { model: 'gpt-5.5', lacks: 'web_search or grounded_prompt' }],
  ['upstream_unavailable', { why: 'broken_off' }],
  ['upstream_unavailable', { why: 'redirect' }],
  ['upstream_unavailable', { why: 'model_missing' }],
  [
    'path_unknown',
    { path: '/v1/files', method: 'GET', served: Array(12).fill('POST /v1/chat/completions').join(' and ') },
  ],
  ['body_too_large', { limit_mb: 32 }],
])('%s is explained again from the sentence that the caller got, %o', ([code, facts]) => {
  const explained = explainEnglish(code, facts)
  const printed = `Error: 4xx "${explained === null ? '' : sentence(explained).replace(' ', '\n')}" (retrying in 3 s)`
  const said = saidSentence(printed, code)?.facts ?? {}
  const { wait_s: _, ...exact } = facts
  const expected = code === 'rate_limited' && facts.limit !== 'spend' ? facts : exact
  expect(explainChinese(code, said)).toEqual(explainChinese(code, expected))
})

test('a sentence that is not the gateway’s, or is cut, shows no facts', () => {
  expect(saidSentence('The API key ending in Z2Nz is incomplete: 4 characters', 'key_malformed')).toBeNull()
  expect(saidSentence('There is no model "a" on this gateway.', 'model_unknown')).toBeNull()
  expect(saidSentence(`The API key${' '.repeat(50_000)}was`, 'key_deleted')).toBeNull()
})
