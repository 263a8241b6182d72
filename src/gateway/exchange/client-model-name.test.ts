import { expect, test } from 'vitest'
import { withClientsModelName } from './attempt-outcome.ts'

test.for([
  ['The model `gpt-5-pro` does not support it.', 'The model `$& fast` does not support it.'],
  ['gpt-5-pro-2026-01-02 takes no tools. Ask GPT-5-PRO.', '$& fast takes no tools. Ask $& fast.'],
  ['gpt-5-protected and my-gpt-5-pro are others', 'gpt-5-protected and my-gpt-5-pro are others'],
])('%s', ([said, expected]) => {
  expect(withClientsModelName(said ?? '', { upstream: 'gpt-5-pro', client: '$& fast' })).toBe(expected)
})

test('a name that is a word stays, and so does the client’s own', () => {
  expect(withClientsModelName('it is a pity', { upstream: 'is', client: 'x' })).toBe('it is a pity')
  expect(withClientsModelName('gpt-5-2026', { upstream: 'gpt-5', client: 'gpt-5' })).toBe('gpt-5-2026')
})
