import { expect, test } from 'vitest'
import { UPSTREAM_PROTOCOL_NAMES } from '../core/upstream-protocol.ts'
import { objectionToDialect } from './upstream-settings.ts'

test('the protocol converse is taken with the dialect bedrock, and with no other and without one refused', () => {
  expect(objectionToDialect({ protocol: 'converse', passage: { dialect: 'bedrock' } })).toBeNull()
  expect(objectionToDialect({ protocol: 'converse' })).toEqual({
    field: 'dialect',
    takes: 'must be bedrock: the protocol converse is not spoken elsewhere',
  })
  expect(objectionToDialect({ protocol: 'converse', passage: { dialect: 'azure' } })).toMatchObject({
    field: 'dialect',
  })
})

test('every other protocol is taken without a dialect', () => {
  const others = UPSTREAM_PROTOCOL_NAMES.filter((protocol) => protocol !== 'converse')
  expect(others.filter((protocol) => objectionToDialect({ protocol }) !== null)).toEqual([])
})
