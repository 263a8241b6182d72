import { expect, test } from 'vitest'
import { unsafeSqlite } from './unsafe-sqlite.ts'

test.each(['3.44.6', '3.50.7', '3.51.3', '3.52.0', '3.53.4', '4.0.0'])('SQLite %s is safe', (version) => {
  expect(unsafeSqlite(version)).toBeNull()
})

test.each(['3.7.0', '3.44.5', '3.45.9', '3.50.4', '3.51.2'])('SQLite %s is warned about, by its number', (version) => {
  expect(unsafeSqlite(version)).toContain(`SQLite ${version}`)
})

test('the Node that runs this has a safe one', () => {
  expect(unsafeSqlite(process.versions['sqlite'] ?? '')).toBeNull()
})
