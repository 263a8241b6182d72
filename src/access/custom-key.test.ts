import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../test/support/growth.ts'
import { objectionToCustomKey } from './custom-key.ts'
import { diagnose } from './key-secret.ts'

const ada = { email: 'ada@example.test', keyName: 'laptop' }

test('the example of the contract is accepted', () => {
  expect(objectionToCustomKey('ada-laptop-2f9c61d07b3e', ada)).toBeNull()
})

test.for([
  '7c1f0e52-9a4b-4d37-b8e6-3f2a1c9d5e08',
  'team-blue-7Hq2xVn9Ktz4Lp',
  'ci_runner_eu_9Kd82mQxZ1',
  'b6f1c29e07d3a8542f9c61d0',
  'correct-horse-8Qv2Lr7Nc4Wz',
  'zebra-violin-cactus-magnet-rocket-92',
])('%s is accepted', (secret) => {
  expect(objectionToCustomKey(secret, ada)).toBeNull()
})

test.for([
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfe',
  '12345678901234567890',
  '98765432109876543210',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
  'a1b2c3d4e5f6g7h8i9j0',
  'abc123abc123abc123abc123',
  'deadbeefdeadbeefdeadbeef',
  '7Hq2-7Hq2-7Hq2-7Hq2-7Hq2',
  'password-password-password',
  'P4ssw0rd-P4ssw0rd-2026',
  'my-super-secret-api-key',
  'test-key-1234567890-test',
  'letmein-please-2026-11-21',
  'correct-horse-battery-staple',
  'this-is-my-secret-key-1',
  'ada-example-test-laptop-1',
  'AdaLaptop20261121000001',
  'ada-laptop-ada-laptop-99',
  '00000000-0000-0000-0000-000000000000',
  'tollgate-gateway-key-0001',
  'openai-api-key-production',
])('%s is refused because it is easy to guess', (secret) => {
  expect(objectionToCustomKey(secret, ada)).not.toBeNull()
})

test.for([
  ['ab3-x9Kq', /8 characters; a custom key has 20 to 128/],
  ['7Hq2xVn9Ktz4Lp'.repeat(10), /140 characters/],
  ['7Hq2xVn9Ktz4Lp.b6f1c29e', /letters, digits/],
  ['7Hq2xVn9Ktz4Lpäb6f1c29e', /letters, digits/],
  ['sk-tg-7Hq2xVn9Ktz4Lp', /kept for generated keys/],
  ['SK-TG-7Hq2xVn9Ktz4Lp', /kept for generated keys/],
] as const)('%s is refused by its form, and the reason says so', ([secret, why]) => {
  expect(objectionToCustomKey(secret, ada)).toMatch(why)
})

test('what is known of the owner does not count', () => {
  const secret = 'grace-hopper-navy-cobol-77k'
  expect(objectionToCustomKey(secret, ada)).toBeNull()
  expect(objectionToCustomKey(secret, { email: 'grace.hopper@navy.test', keyName: 'cobol' })).not.toBeNull()
})

test('random keys are accepted, and the gateway takes every accepted one for well formed', () => {
  const owner = { email: 'operations@company.example', keyName: 'ci runner' }
  let refused = 0
  for (let i = 0; i < 2000; i++) {
    const bytes = randomBytes(16)
    for (const secret of [
      bytes.toString('hex'),
      bytes.toString('base64url'),
      `ci-runner-${bytes.toString('hex', 0, 6)}`,
    ]) {
      if (objectionToCustomKey(secret, owner) !== null) refused += 1
      else expect(diagnose(secret), secret).toEqual({ kind: 'well_formed' })
    }
  }
  expect(refused).toBeLessThan(6000 / 200)
})

test('repetitive texts take no more than their length', () => {
  for (const part of ['ab', 'a', '01', 'abcdefgh', 'x-', '0123456789abcdef']) {
    const judge = (length: number) => {
      for (let i = 0; i < 10; i++) objectionToCustomKey(part.repeat(length).slice(0, length), ada)
    }
    expect(growthOf(judge, { few: 20, many: 128 }), part).toBeLessThan(ABOUT_LINEAR)
  }
})
