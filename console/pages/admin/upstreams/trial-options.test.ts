import { expect, test } from 'vitest'
import { SMALL_REQUEST_WIRES } from '../../../../src/protocols/small-request.ts'
import { PLAIN_TRIAL, TRIAL_WIRES, trialWish } from './trial-options.ts'

test('every protocol that has a small request can be chosen for a test', () => {
  expect([...TRIAL_WIRES].sort()).toEqual([...SMALL_REQUEST_WIRES].sort())
})

test('what is left as it is isn’t sent', () => {
  expect(trialWish(PLAIN_TRIAL)).toEqual({})
  expect(trialWish({ protocol: '', isStream: false, text: '  ' })).toEqual({})
  const all = { protocol: 'rerank', isStream: true, text: ' Who is there? ' }
  expect(trialWish(all)).toEqual({ protocol: 'rerank', stream: true, text: 'Who is there?' })
})
