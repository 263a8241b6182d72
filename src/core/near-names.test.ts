import { expect, test } from 'vitest'
import { nearestName, suggestion } from './near-names.ts'

const names = ['protocol', 'base_url', 'credential', 'name']

test.for([
  ['protocl', 'protocol'],
  ['protoclo', 'protocol'],
  ['baseUrl', 'base_url'],
  ['NAME', 'name'],
  ['credentials', 'credential'],
] as const)('%s is taken for %s', ([wrong, meant]) => {
  expect(nearestName(wrong, names)).toBe(meant)
})

test('nothing is suggested when nothing is near', () => {
  expect(nearestName('zzz', names)).toBeNull()
  expect(suggestion('zzz', names)).toBe('')
})

test('swapped neighbours count as one slip, so the nearer name wins', () => {
  expect(nearestName('abdc', ['abxx', 'abcd'])).toBe('abcd')
})
