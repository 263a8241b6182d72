import { expect, test } from 'vitest'
import { PLAIN_TRIAL, trialWish } from './trial-options.ts'

test('what is left as it is isn’t sent', () => {
  expect(trialWish(PLAIN_TRIAL)).toEqual({})
  expect(trialWish({ protocol: '', isStream: false, text: '  ' })).toEqual({})
  const all = { protocol: 'rerank', isStream: true, text: ' Who is there? ' }
  expect(trialWish(all)).toEqual({ protocol: 'rerank', stream: true, text: 'Who is there?' })
})
