import { expect, test } from 'vitest'
import { CLOUD_NAMES } from '../support/cloud-ways.ts'
import { cellsOf, isProof } from './matrix-cell.ts'
import { MATRIX_CLIENTS } from './matrix-clients.ts'
import { UPSTREAM_PROTOCOLS } from './matrix-gateway.ts'

test.for(MATRIX_CLIENTS)(
  '$id does a tool round trip on every upstream protocol and on its clouds, and gives a plain answer',
  (client) => {
    const proofs = cellsOf(client).filter(isProof)
    const upstreams = proofs.filter(({ kind }) => kind === 'tool').map(({ upstream }) => upstream)
    expect(upstreams).toEqual([...UPSTREAM_PROTOCOLS, ...client.clouds])
    expect(proofs.some(({ kind }) => kind === 'plain')).toBe(true)
  },
)

test('every way to a cloud has a client', () => {
  expect(new Set(MATRIX_CLIENTS.flatMap(({ clouds }) => clouds))).toEqual(new Set(CLOUD_NAMES))
})

test('there are clients of every wire, each by a name of its own', () => {
  const ids = MATRIX_CLIENTS.map(({ id }) => id)
  expect(ids.length).toBe(25)
  expect(new Set(ids).size).toBe(25)
})
