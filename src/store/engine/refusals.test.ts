import { expect, test } from 'vitest'
import { sqliteFailure } from '../sqlite/sqlite-failure.ts'
import { isRefusal } from './refusals.ts'

function postgresError(code: string): Error {
  return Object.assign(new Error('refused'), { code })
}

test.each([
  ['a value out of range', postgresError('22003')],
  ['a character that no text holds', postgresError('22021')],
  ['a broken rule', postgresError('23514')],
  ['an index entry that is too long', postgresError('54000')],
  ['a trigger', postgresError('P0001')],
  ['a value too large for SQLite', sqliteFailure('string or blob too big', 18)],
  ['a broken rule of SQLite, by its extended code', sqliteFailure('CHECK constraint failed', 275)],
  ['a value that SQLite cannot bind', sqliteFailure('Provided value cannot be bound', 20)],
])('%s is refused for good', (_what, error) => {
  expect(isRefusal(error)).toBe(true)
})

test.each([
  ['a full disk', postgresError('53100')],
  ['a deadlock', postgresError('40P01')],
  ['a lock that took too long', postgresError('55P03')],
  ['a server that shuts down', postgresError('57P01')],
  ['a server that only reads', postgresError('25006')],
  ['a missing table', postgresError('42P01')],
  ['a refused connection', postgresError('ECONNREFUSED')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a file that is locked', sqliteFailure('database is locked', 5)],
  ['a full disk under SQLite', sqliteFailure('database or disk is full', 13)],
  ['an unreadable file, by its extended code', sqliteFailure('disk I/O error', 778)],
  ['a read-only file', sqliteFailure('attempt to write a readonly database', 8)],
  ['a damaged file', sqliteFailure('database disk image is malformed', 11)],
  ['a thread that ended', sqliteFailure('store closed', null)],
  ['what is not an error', 'disk full'],
])('%s may pass', (_what, error) => {
  expect(isRefusal(error)).toBe(false)
})
