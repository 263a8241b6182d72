import { expect, test } from 'vitest'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import { limitHeaders } from './limit-headers.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

const REQUESTS: LimitState = { limit: 'requests', max: 60, used: 1, resetMs: 59_200 }
const TOKENS: LimitState = { limit: 'tokens', max: 150_000, used: 16.5, resetMs: 360_000 }
const CONCURRENCY: LimitState = { limit: 'concurrency', max: 4, used: 3, resetMs: 0 }

test('OpenAI’s clients get theirs', () => {
  expect(paired(limitHeaders('openai', [REQUESTS, TOKENS, CONCURRENCY], NOON))).toEqual({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '1m0s',
    'x-ratelimit-limit-tokens': '150000',
    'x-ratelimit-remaining-tokens': '149983',
    'x-ratelimit-reset-tokens': '6m0s',
    'x-ratelimit-limit-concurrency': '4',
    'x-ratelimit-remaining-concurrency': '1',
  })
})

test('Google’s clients get no other vendor’s', () => {
  expect(limitHeaders('gemini', [REQUESTS, TOKENS, CONCURRENCY], NOON)).toEqual(
    limitHeaders('openai', [REQUESTS, TOKENS, CONCURRENCY], NOON),
  )
})

test('Anthropic’s clients get theirs as well', () => {
  expect(paired(limitHeaders('anthropic', [REQUESTS, TOKENS, CONCURRENCY], NOON))).toEqual({
    ...paired(limitHeaders('openai', [REQUESTS, TOKENS, CONCURRENCY], NOON)),
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '59',
    'anthropic-ratelimit-requests-reset': '2026-11-21T12:01:00Z',
    'anthropic-ratelimit-tokens-limit': '150000',
    'anthropic-ratelimit-tokens-remaining': '149983',
    'anthropic-ratelimit-tokens-reset': '2026-11-21T12:06:00Z',
  })
})

test.for([
  [0, '0s'],
  [0.4, '1ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_001, '2s'],
  [59_000, '59s'],
  [59_001, '1m0s'],
  [3_600_000, '60m0s'],
] as const)('%d ms until the reset are written as %s', ([resetMs, written]) => {
  const headers = paired(limitHeaders('openai', [{ ...REQUESTS, resetMs }], NOON))
  expect(headers['x-ratelimit-reset-requests']).toBe(written)
})

test('more used than allowed leaves nothing, not less', () => {
  const headers = paired(limitHeaders('openai', [{ ...TOKENS, used: 200_000 }], NOON))
  expect(headers['x-ratelimit-remaining-tokens']).toBe('0')
})

test('a key without limits has no such headers', () => {
  expect(limitHeaders('anthropic', [], NOON)).toEqual([])
})

function paired(headers: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) found[headers[i] ?? ''] = headers[i + 1] ?? ''
  return found
}
