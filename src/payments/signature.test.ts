import { expect, test } from 'vitest'
import { signatureFault, signatureOf, type SignedPurpose } from './signature.ts'

const SECRET = 'a-secret-that-signs-payments-in-tests'
const NOW = Date.UTC(2026, 10, 23, 12)
const BODY = '{"provider":"shop"}'

function faultOf(
  sent: { purpose?: SignedPurpose; timestamp?: string; body?: string; secret?: string },
  { body = BODY, purpose = 'order.paid' }: { body?: string; purpose?: SignedPurpose } = {},
) {
  const { timestamp = String(NOW / 1000) } = sent
  const signature = signatureOf({ purpose: 'order.paid', body: BODY, secret: SECRET, ...sent, timestamp })
  const headers = new Headers({ 'x-tollgate-timestamp': timestamp, 'x-tollgate-signature': signature })
  return signatureFault({ headers, body }, { purpose, secret: SECRET, nowMs: NOW })
}

test('a signature holds for its purpose, its body and five minutes', () => {
  expect(faultOf({})).toBeNull()
  expect(faultOf({}, { purpose: 'order.refunded' })).toBe('wrong')
  expect(faultOf({}, { body: BODY.replace('shop', 'sho') })).toBe('wrong')
  expect(faultOf({ secret: `${SECRET}x` })).toBe('wrong')
  expect(faultOf({ timestamp: String(NOW / 1000 - 299) })).toBeNull()
  expect(faultOf({ timestamp: String(NOW / 1000 - 301) })).toBe('too_old')
  expect(faultOf({ timestamp: String(NOW / 1000 + 301) })).toBe('too_old')
})

test.for([
  [{}, 'missing'],
  [{ 'x-tollgate-timestamp': '1' }, 'missing'],
  [{ 'x-tollgate-timestamp': '1', 'x-tollgate-signature': 'v1=' }, 'malformed'],
  [{ 'x-tollgate-timestamp': '-1', 'x-tollgate-signature': `v1=${'0'.repeat(64)}` }, 'malformed'],
  [{ 'x-tollgate-timestamp': '1', 'x-tollgate-signature': `v1=${'0'.repeat(64)}` }, 'wrong'],
] as const)('what has %j is refused: %s', ([headers, fault]) => {
  const sent = { headers: new Headers(headers), body: BODY }
  expect(signatureFault(sent, { purpose: 'order.paid', secret: SECRET, nowMs: NOW })).toBe(fault)
})

test('nothing is signed with an empty or short secret', () => {
  for (const secret of ['', 'short']) {
    expect(() => signatureOf({ purpose: 'order.paid', timestamp: '1', body: '', secret })).toThrow('too short')
  }
})
