import { expect, test } from 'vitest'
import { withPassword } from './open-source.ts'

test('a password that is given apart from the source stands in its URL, whatever is in it, and files have none', () => {
  expect(new URL(withPassword('mysql://reader@db.example.test/old', 'p@ss:/ü?')).password).toBe(
    encodeURIComponent('p@ss:/ü?'),
  )
  expect(withPassword('postgres://a:b@db.example.test/old', undefined)).toBe('postgres://a:b@db.example.test/old')
  expect(withPassword('./one-api.db', 'p')).toBe('./one-api.db')
})
