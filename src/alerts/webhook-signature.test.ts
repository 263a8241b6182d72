import { expect, test } from 'vitest'
import { signedHeaders, signingKey } from './webhook-signature.ts'

/** The example that the specification's own libraries are tested with. */
test('a body is signed as Standard Webhooks signs it', () => {
  const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') ?? Buffer.alloc(0)
  const about = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', nowMs: 1_614_265_330_999, key }
  expect(signedHeaders('{"test": 2432232314}', about)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a secret without the mark is its own bytes', () => {
  expect(signingKey('0123456789abcdef01234567')).toEqual(Buffer.from('0123456789abcdef01234567'))
})

test.for([
  ['one of 23 characters', '0123456789abcdef0123456'],
  ['one with a space', '0123456789abcdef 0123456789'],
  ['base64 of 23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
  ['base64 of 65 bytes', `whsec_${Buffer.alloc(65, 1).toString('base64')}`],
  ['broken base64', `whsec_${Buffer.alloc(32, 1).toString('base64').replace('A', '*')}`],
  ['nothing behind the mark', 'whsec_'],
] as const)('%s is not a secret', ([, secret]) => {
  expect(signingKey(secret)).toBeNull()
})
