import { expect, test } from 'vitest'
import { newNames } from './found-address.ts'

test('credentials that join a pool are numbered on, and no name is there twice', () => {
  expect(newNames([], 2)).toEqual(['default', 'credential 2'])
  expect(newNames([{ name: 'default' }], 2)).toEqual(['credential 2', 'credential 3'])
  expect(newNames([{ name: 'default' }, { name: 'credential 3' }], 2)).toEqual(['credential 4', 'credential 5'])
})
