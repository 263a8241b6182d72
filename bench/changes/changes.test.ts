import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory, testPostgres } from '../../test/support/test-servers.ts'
import { CHANGES, measureChanges } from './measure-changes.ts'
import { startTwoNodes } from './two-nodes.ts'

// The short form of `npm run bench:changes`, which has the bar in seconds.

const ROUNDS = 1
let database: Awaited<ReturnType<typeof testPostgres>>

beforeAll(async () => {
  database = await testPostgres()
})
afterAll(() => database.drop())

test('what is changed through the API of one process holds at another when the call returns, and no stream breaks', async () => {
  const nodes = await startTwoNodes(database.url, await temporaryDirectory())
  const taken = await measureChanges(nodes, ROUNDS)
  expect(taken.map(({ kind }) => kind)).toEqual([...CHANGES])
  expect(taken.filter(({ heldOnReturn }) => !heldOnReturn)).toEqual([])
  expect(taken.filter(({ isStreamWhole }) => !isStreamWhole)).toEqual([])
})
