import { expect, test } from 'vitest'
import { freeName } from './proposed-name.ts'

test('a proposed name is one that no other key has', () => {
  expect(freeName('My Mac', [])).toBe('My Mac')
  expect(freeName('My Mac', ['my mac', 'My Mac 3'])).toBe('My Mac 2')
  expect(freeName('My Mac', ['My Mac', 'My Mac 2'])).toBe('My Mac 3')
})
