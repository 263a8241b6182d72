import { expect, test } from 'vitest'
import { KEPT_WORDS_CHARACTERS } from '../../core/limits.ts'
import { errorExcerpt } from './attempt-outcome.ts'

const SECRETS = ['sk-of-the-pool', 'api.example.com']
const kept = (words: string | null, failure: Parameters<typeof errorExcerpt>[1]['failure'] = 'credential') =>
  errorExcerpt(words, { failure, secrets: SECRETS })

test('what an upstream says of the credential, its account, its limits or the model is kept', () => {
  for (const failure of ['credential', 'no_credit', 'not_found', 'rate_limited', 'overloaded'] as const) {
    expect(kept('Your account is not active.', failure)).toBe('Your account is not active.')
  }
})

test('what it says of a request, which may quote it, is not kept', () => {
  for (const failure of [null, 'failed', 'malformed', 'broken_off', 'timed_out', 'unreachable', 'proxy'] as const) {
    expect(kept('Your prompt "write to Ada" was refused.', failure)).toBeNull()
  }
})

test('credentials, addresses and whatever has the form of a key are left out', () => {
  const said = 'The key sk-of-the-pool is not known at api.example.com, nor is sk-proj-abcdefgh12345678.'
  expect(kept(said)).toBe('The key … is not known at …, nor is ….')
})

test('it is one line of a bounded length', () => {
  expect(kept('Rate limit\n\n  reached.\u0000')).toBe('Rate limit reached.')
  expect(kept('a'.repeat(5_000))).toHaveLength(KEPT_WORDS_CHARACTERS)
  expect(kept('  \n ')).toBeNull()
  expect(kept(null)).toBeNull()
})
