import { expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ReadingProgress } from './reading-progress.ts'

const SOURCE = rowsInMemory({
  users: Array.from({ length: 1_000 }, (_, i) => ({ id: String(i + 1) })),
  tokens: [{ id: '1' }],
})

/** Each row takes a millisecond. */
async function read(isTerminal: boolean) {
  let nowMs = 0
  const { host, remarked } = cliHostByHand({ isTerminal, nowMs: () => nowMs })
  const reading = new ReadingProgress(host, 'Reading new-api')
  let rows = 0
  for (const table of ['users', 'tokens', 'not_there']) {
    for await (const { id } of reading.of(SOURCE).rows(table, [])) {
      rows += id === undefined ? 0 : 1
      nowMs += 1
    }
  }
  reading.end()
  return { rows, remarked }
}

test('on a terminal the line says how many rows of the table are read, how fast, and how long the rest takes', async () => {
  const { rows, remarked } = await read(true)
  expect(rows).toBe(1_001)
  expect(remarked).toContain('\rReading new-api, users: 600 of 1000, 1000/s, 1 s left')
  expect(remarked.at(0)).toBe('\rReading new-api')
  expect(remarked.at(-1)).toMatch(/^\r +\r$/)
})

test('in a log it is one line, and no table is counted for it', async () => {
  const { rows, remarked } = await read(false)
  expect({ rows, remarked }).toEqual({ rows: 1_001, remarked: ['Reading new-api …\n'] })
})
