import { expect, test } from 'vitest'
import { lackingConnections } from '../workers/thread-count.ts'

test('a node that may open more connections than there are for its role says so, with a number that fits', () => {
  expect(lackingConnections({ granted: 13, ofThread: 12, threads: 1 })).toBe(
    'TOLLGATE_DATABASE_CONNECTIONS is 12, so that this node may open 14 connections to the database, and the server grants its role 13 for all nodes: requests may wait for each other; raise its limit, or set it to 11 or less',
  )
  expect(lackingConnections({ granted: 13, ofThread: 11, threads: 1 })).toBe(null)
  expect(lackingConnections({ granted: 20, ofThread: 12, threads: 4 })).toMatch(/or set it to 3 or less$/)
  expect(lackingConnections({ granted: 17, ofThread: 3, threads: 4 })).toBe(null)
})

test('where no number fits it says so, and where there is no limit nothing', () => {
  expect(lackingConnections({ granted: 4, ofThread: 12, threads: 4 })).toMatch(/; raise its limit$/)
  expect(lackingConnections({ granted: null, ofThread: 200, threads: 32 })).toBe(null)
})
