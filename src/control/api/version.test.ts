import { expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { etagOf, requireVersion, versionOf } from './version.ts'

const before = { name: 'vip', models: ['a', 'b'], limits: { spend: null, keys: 3 } }
const after = { ...before, name: 'pro' }
const version = versionOf(before)

test('a version is of what is set: its order does not matter, a value or a secret does', () => {
  expect(versionOf({ limits: { keys: 3, spend: null }, models: ['a', 'b'], name: 'vip' })).toBe(version)
  expect(versionOf({ ...before, models: ['b', 'a'] })).not.toBe(version)
  expect(versionOf(before, ['sealed'])).not.toBe(version)
  expect(version).toMatch(/^[\w-]{22}$/)
})

test.for([
  [null, 'no header'],
  ['*', 'any version'],
  [etagOf(version), 'the version that stands'],
  [`W/${etagOf(version)}`, 'the same, made weak by a server in front that compresses'],
  [`"other", ${etagOf(version)}`, 'one of several'],
] as const)('%s passes: %s', ([ifMatch]) => {
  expect(() => requireVersion(ifMatch, { before, after })).not.toThrow()
})

test.for(['"other"', version, '', '"'])('%j is refused with the fields that differ', (ifMatch) => {
  let thrown: unknown
  try {
    requireVersion(ifMatch, { before, after })
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(Problem)
  expect(thrown).toMatchObject({
    code: 'version_mismatch',
    status: 412,
    details: { version, differences: [{ field: 'name', current: 'vip', yours: 'pro' }] },
  })
})
