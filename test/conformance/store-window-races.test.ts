import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { windowMs } from '../../src/core/quota-window.ts'
import { keySpendBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import { grant, leaseFor, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// Windows that several processes, and a settle, want to have to do with at the same moment.

let place: Place
const running: ChildProcess[] = []

afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await place.leave()
})

/** See window-process.ts. */
async function nodeProcess(nodeId: string, keyId: string) {
  const program = fileURLToPath(new URL('./window-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, place.directory, place.databaseUrl ?? '', nodeId, keyId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.push(child)
  const lines = createInterface(child.stdout)
  await once(lines, 'line')
  return {
    ask: async (need: bigint, nowMs: number): Promise<unknown> => {
      const answer = once(lines, 'line')
      child.stdin.write(`${need} ${nowMs}\n`)
      const [line] = await answer
      return line
    },
  }
}

describe.each(ENGINES)('processes on %s', (engine) => {
  beforeEach(async () => {
    place = await newPlace(engine)
    await place.open()
  })

  test('that ask for the same new window at the same moment get one row, and no more than its limit', async () => {
    const keyId = newId('key', NOON)
    const budget = keySpendBudget(keyId, nanoUsd(1_000n), '5h')
    const nodes = await Promise.all(['nod_1', 'nod_2', 'nod_3'].map((nodeId) => nodeProcess(nodeId, keyId)))
    let nowMs = NOON
    for (let round = 1; round <= 5; round++) {
      const rowId = windowRowId(budget.id, round)
      const answers = await Promise.all(nodes.map(({ ask }) => ask(400n, nowMs)))
      expect(answers).toEqual(expect.arrayContaining(['refused', rowId]))
      expect(answers.filter((answer) => answer === rowId)).toHaveLength(2)
      expect(await readBudget(place, rowId)).toMatchObject({ limit: 1_000n, held: 800n })
      nowMs += windowMs('5h')
      // As its first charge does.
      await place.sql(`update budgets set ends_at = ${nowMs} where id = '${rowId}'`)
    }
    const [rows] = await place.sql('select count(*) as count from budgets')
    expect(Number(rows?.['count'])).toBe(5)
  })
})

describe('a settle on postgres', () => {
  beforeEach(async () => {
    place = await newPlace('postgres')
  })

  test('that ends the window for which a grant waits sends the grant to the next', async () => {
    const store = await place.open()
    const budget = keySpendBudget(newId('key', NOON), nanoUsd(1_000n), '5h')
    await leaseFor(store, budget, { need: 1n })
    const settle = new pg.Client({ connectionString: place.databaseUrl ?? '' })
    await settle.connect()
    try {
      await settle.query('begin')
      await settle.query(`update budgets set ends_at = ${NOON} where id = '${windowRowId(budget.id, 1)}'`)
      const granted = grant(store, budget, { need: 5n, nodeId: 'nod_b' })
      await vi.waitFor(async () => {
        const { rows } = await settle.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rows).not.toEqual([])
      }, PATIENCE_MS)
      await settle.query('commit')
      expect(await granted).toMatchObject({ lease: { budgetId: windowRowId(budget.id, 2) }, endsAt: null })
    } finally {
      await settle.end()
    }
  })
})
