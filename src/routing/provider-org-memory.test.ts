import { expect, test } from 'vitest'
import { PROVIDER_ORG_REMEMBERED_MS, PROVIDER_ORGS_REMEMBERED_LIMIT } from '../core/limits.ts'
import { providerOrgOf, orgTag } from './provider-org.ts'
import { ProviderOrgMemory } from './provider-org-memory.ts'

test('an organisation is known for a day after it was seen last', () => {
  const memory = new ProviderOrgMemory()
  memory.remember('a', { providerOrg: 'one' }, 0)
  expect(memory.providerOrgOf('a', PROVIDER_ORG_REMEMBERED_MS)).toBe('one')
  expect(memory.providerOrgOf('a', PROVIDER_ORG_REMEMBERED_MS + 1)).toBeNull()
  memory.remember('a', { providerOrg: 'two' }, PROVIDER_ORG_REMEMBERED_MS)
  expect(memory.providerOrgOf('a', PROVIDER_ORG_REMEMBERED_MS + 1)).toBe('two')
})

test('the ones that were seen longest ago are forgotten first, so that the memory has a bound', () => {
  const memory = new ProviderOrgMemory()
  for (let i = 0; i < PROVIDER_ORGS_REMEMBERED_LIMIT; i++) memory.remember(`${i}`, { providerOrg: 'one' }, 0)
  memory.remember('0', { providerOrg: 'one' }, 1)
  memory.remember('new', { providerOrg: 'two' }, 1)
  expect(['0', '1', '2', 'new'].map((each) => memory.providerOrgOf(each, 1))).toEqual(['one', null, 'one', 'two'])
})

test('the credential that something was made with stays known while its organisation is seen to read it', () => {
  const memory = new ProviderOrgMemory()
  memory.remember('a', { providerOrg: 'one', credential: 'first' }, 0)
  memory.remember('a', { providerOrg: 'one' }, 1)
  expect(memory.credentialOf('a', 1)).toBe('first')
  memory.remember('a', { providerOrg: 'two' }, 2)
  expect(memory.credentialOf('a', 2)).toBeNull()
  memory.remember('b', { providerOrg: 'one', credential: 'first' }, 0)
  expect(memory.credentialOf('b', PROVIDER_ORG_REMEMBERED_MS + 1)).toBeNull()
})

test('upstreams without a realm are one each, those that name the same are one together', () => {
  expect(providerOrgOf('ups_1', null)).not.toBe(providerOrgOf('ups_2', { realm: null }))
  expect(providerOrgOf('ups_1', { realm: 'acme' })).toBe(providerOrgOf('ups_2', { realm: 'acme' }))
  expect(providerOrgOf('ups_1', { realm: 'ups_1' })).not.toBe(providerOrgOf('ups_1', null))
})

test('a tag is the same in every process and does not say the name of its organisation', () => {
  expect(orgTag('realm acme')).toBe(orgTag('realm acme'))
  expect(orgTag('realm acme')).toMatch(/^[\w-]{6}$/)
})
