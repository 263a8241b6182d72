import { scryptSync } from 'node:crypto'
import { hash } from 'bcryptjs'
import { expect, test } from 'vitest'
import { hashPassword, isBroughtHash, passwordObjection, verifyPassword } from './password.ts'

test('the hash is scrypt with the salt taken as text', async () => {
  const stored = await hashPassword('correct horse battery')
  const [salt = '', key = ''] = stored.split(':')
  expect(salt).toMatch(/^[0-9a-f]{32}$/)
  const expected = scryptSync('correct horse battery', salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 128 * 1024 * 1024 })
  expect(key).toBe(expected.toString('hex'))
})

test('the right password is accepted, another is not, and two hashes of one differ', async () => {
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(one).not.toBe(two)
  expect(await verifyPassword('correct horse', two)).toBe(true)
  expect(await verifyPassword('correct horsf', two)).toBe(false)
})

test.for(['2a', '2b', '2y'])('a hash of bcrypt as %s is brought, and knows its password', async (kind) => {
  const stored = (await hash('correct horse', 4)).replace(/^\$2[aby]/, `$${kind}`)
  expect(isBroughtHash(stored)).toBe(true)
  expect(await verifyPassword('correct horse', stored)).toBe(true)
  expect(await verifyPassword('correct horsf', stored)).toBe(false)
})

test('two ways of typing the same letters are the same password', async () => {
  expect(await verifyPassword('cafe\u0301 ﬁne!!', await hashPassword('café fine!!'))).toBe(true)
})

test.for(['', 'correct horse', '00:11', `${'0'.repeat(32)}:`])(
  '%j is not a hash, so no password fits it',
  async (stored) => {
    expect(await verifyPassword('correct horse', stored)).toBe(false)
  },
)

test.for([
  ['seven77', /7 characters/],
  ['x'.repeat(129), /129 characters/],
] as const)('%s is objected to by its length', ([password, expected]) => {
  expect(passwordObjection(password)).toMatch(expected)
})

test('eight characters are enough', () => {
  expect(passwordObjection('eight888')).toBeNull()
})
