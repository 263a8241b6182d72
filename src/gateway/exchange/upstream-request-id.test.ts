import { expect, test } from 'vitest'
import { upstreamRequestId } from './attempt-outcome.ts'

test.for([
  [{ 'x-request-id': 'req_abc' }, 'req_abc'],
  [{ 'request-id': 'req_011CQ' }, 'req_011CQ'],
  [{ 'x-amzn-requestid': 'a-b-c' }, 'a-b-c'],
  [{ 'apim-request-id': '42' }, '42'],
  [{ 'x-ms-request-id': '43', 'x-request-id': 'req_ours' }, '43'],
  // What it was sent, given back.
  [{ 'x-request-id': 'req_ours', 'request-id': 'theirs' }, 'theirs'],
  [{ 'x-request-id': 'req_ours' }, null],
  [{ 'x-request-id': '' }, null],
  [{ 'x-request-id': 'two words' }, null],
  [{ 'x-request-id': 'x'.repeat(101) }, null],
  [{}, null],
] as const)('%j names %s', ([headers, expected]) => {
  expect(upstreamRequestId(headers, 'req_ours')).toBe(expected)
})
