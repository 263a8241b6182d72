import { expect, test } from 'vitest'
import { REALM_REMEMBERED_MS, REALMS_REMEMBERED_LIMIT } from '../core/limits.ts'
import { realmOf, realmTag } from './realm.ts'
import { RealmMemory } from './realm-memory.ts'

test('a realm is known for a day after it was seen last', () => {
  const memory = new RealmMemory()
  memory.remember('a', { realm: 'one' }, 0)
  expect(memory.realmOf('a', REALM_REMEMBERED_MS)).toBe('one')
  expect(memory.realmOf('a', REALM_REMEMBERED_MS + 1)).toBeNull()
  memory.remember('a', { realm: 'two' }, REALM_REMEMBERED_MS)
  expect(memory.realmOf('a', REALM_REMEMBERED_MS + 1)).toBe('two')
})

test('the ones that were seen longest ago are forgotten first, so that the memory has a bound', () => {
  const memory = new RealmMemory()
  for (let i = 0; i < REALMS_REMEMBERED_LIMIT; i++) memory.remember(`${i}`, { realm: 'one' }, 0)
  memory.remember('0', { realm: 'one' }, 1)
  memory.remember('new', { realm: 'two' }, 1)
  expect(['0', '1', '2', 'new'].map((each) => memory.realmOf(each, 1))).toEqual(['one', null, 'one', 'two'])
})

test('the credential that something was made with stays known while its realm is seen to read it', () => {
  const memory = new RealmMemory()
  memory.remember('a', { realm: 'one', credential: 'first' }, 0)
  memory.remember('a', { realm: 'one' }, 1)
  expect(memory.credentialOf('a', 1)).toBe('first')
  memory.remember('a', { realm: 'two' }, 2)
  expect(memory.credentialOf('a', 2)).toBeNull()
  memory.remember('b', { realm: 'one', credential: 'first' }, 0)
  expect(memory.credentialOf('b', REALM_REMEMBERED_MS + 1)).toBeNull()
})

test('upstreams without a realm are one each, those that name the same are one together', () => {
  expect(realmOf('ups_1', null)).not.toBe(realmOf('ups_2', { realm: null }))
  expect(realmOf('ups_1', { realm: 'acme' })).toBe(realmOf('ups_2', { realm: 'acme' }))
  expect(realmOf('ups_1', { realm: 'ups_1' })).not.toBe(realmOf('ups_1', null))
})

test('a tag is the same in every process and does not say the name of its realm', () => {
  expect(realmTag('realm acme')).toBe(realmTag('realm acme'))
  expect(realmTag('realm acme')).toMatch(/^[\w-]{6}$/)
})
