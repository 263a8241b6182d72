import pg from 'pg'
import { expect, test } from 'vitest'
import type { HeldClient } from './connection-pool.ts'
import { PostgresConnection } from './postgres-connection.ts'

function failing(code: string): Error {
  return Object.assign(new pg.DatabaseError('words of the server', 20, 'error'), { code, severity: 'ERROR' })
}

/** A connection on which every statement fails with this, and how it was given back: true, it is not used again. */
function connectionThat(failure: Error) {
  const givenBack: unknown[] = []
  const client = {
    query: () => Promise.reject(failure),
    release: (isSpoiled: boolean) => void givenBack.push(isSpoiled),
  }
  const watch = { during: (_statement: object, answer: Promise<unknown>) => answer }
  const pool = { watch, retire() {}, keepsNames: true }
  const held = { client, backend: 1 } as never as HeldClient
  return { connection: new PostgresConnection(held, pool as never), givenBack }
}

test.for([
  ['08006', true],
  ['25006', true],
  ['26000', true],
  ['40P01', false],
  ['53100', false],
] as const)('after the failure %s a connection is used no more: %s', async ([code, isSpoiled]) => {
  const { connection, givenBack } = connectionThat(failing(code))
  await expect(connection.query('select 1', [])).rejects.toThrow('words of the server')
  connection.release()
  connection.release()
  expect(givenBack).toEqual([isSpoiled])
})

test('a connection is used no more where it may be in a transaction whose beginning was not answered', async () => {
  const { connection, givenBack } = connectionThat(failing('40P01'))
  await expect(connection.begin('write')).rejects.toThrow('words of the server')
  connection.release()
  expect(givenBack).toEqual([true])
})
