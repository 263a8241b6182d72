import { expect, test } from 'vitest'
import { PLAIN_TRIAL, trialBody } from './trial-options.ts'

test('what is left as it is isn’t sent', () => {
  expect(trialBody(PLAIN_TRIAL)).toEqual({})
  expect(trialBody({ protocol: '', isStream: false, text: '  ' })).toEqual({})
  const all = { protocol: 'rerank', isStream: true, text: ' Who is there? ' }
  expect(trialBody(all)).toEqual({ protocol: 'rerank', stream: true, text: 'Who is there?' })
})
