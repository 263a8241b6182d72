import pg from 'pg'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../core/store-unavailable.ts'
import { isFull, meaningOf } from './failures.ts'

function fromServer(code: string, severity = 'ERROR'): Error {
  return Object.assign(new pg.DatabaseError('words of the server', 20, 'error'), { code, severity })
}

const LOST = { isUnavailable: true, isSpoiled: true, isOfServer: false, isOfNames: false }

test.for([
  ['a reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), LOST],
  ['an end', new Error('Connection terminated unexpectedly'), LOST],
  ['an end by an admin', fromServer('57P01', 'FATAL'), LOST],
  ['a transaction that was idle for too long', fromServer('25P03', 'FATAL'), LOST],
  ['a failed connection', fromServer('08006'), LOST],
  // from: brettwooldridge/HikariCP#1802
  ['a write on a standby', fromServer('25006'), { ...LOST, isOfServer: true }],
  ['a full disk', fromServer('53100'), { ...LOST, isSpoiled: false }],
  ['no memory', fromServer('53200'), { ...LOST, isSpoiled: false }],
  ['a failed read of a file', fromServer('58030'), { ...LOST, isSpoiled: false }],
  ['a name that is not known', fromServer('26000'), { ...LOST, isUnavailable: false, isOfNames: true }],
  // from: rust-postgres/rust-postgres#1054
  ['a name that is taken', fromServer('42P05'), { ...LOST, isUnavailable: false, isOfNames: true }],
  ['a lock that took too long', fromServer('55P03'), { ...LOST, isUnavailable: false, isSpoiled: false }],
  ['a deadlock', fromServer('40P01'), { ...LOST, isUnavailable: false, isSpoiled: false }],
  ['a rule that a row breaks', fromServer('23505'), { ...LOST, isUnavailable: false, isSpoiled: false }],
  ['a defect of ours', new TypeError('x is not a function'), { ...LOST, isUnavailable: false, isSpoiled: false }],
] as const)('%s says of the connection, the server and callers what it means', ([, failure, expected]) => {
  const { error, ...about } = meaningOf(failure)
  expect({ ...about, isUnavailable: error instanceof StoreUnavailable }).toEqual(expected)
  if (expected.isUnavailable) expect((error as Error).cause).toBe(failure)
  else expect(error).toBe(failure)
})

test('a server and a pooler that have no connection left are known', () => {
  expect(isFull(fromServer('53300', 'FATAL'))).toBe(true)
  expect(isFull(fromServer('08P01', 'FATAL'))).toBe(false)
  expect(
    isFull(Object.assign(fromServer('08P01', 'FATAL'), { message: 'no more connections allowed (max_client_conn)' })),
  ).toBe(true)
  expect(isFull(new Error('connect ECONNREFUSED'))).toBe(false)
})
