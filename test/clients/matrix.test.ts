import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDeadEnd } from './dead-end.ts'
import { INSTALL_TIMEOUT_MS, installedClients } from './installed-clients.ts'
import { type Cell, type CellSetting, cellsOf, runCell } from './matrix-cell.ts'
import { MATRIX_CLIENTS } from './matrix-clients.ts'
import { type MatrixGateway, startMatrixGateway } from './matrix-gateway.ts'

// Every real client on every upstream protocol, as `npm run test:clients` plays them, which also keeps what it saw. They
// run when all other tests are over: a client that waits for the processor counts as slow.

const CELL_TIMEOUT_MS = 150_000

const rows = MATRIX_CLIENTS.map((client) => ({ id: client.id, cells: cellsOf(client) }))
const cells = rows.flatMap((row) => row.cells)
let folder: string
let gateway: MatrixGateway
let deadEnd: Awaited<ReturnType<typeof startDeadEnd>>
let setting: CellSetting

beforeAll(async () => {
  const packages = await installedClients()
  folder = await mkdtemp(join(tmpdir(), 'tollgate-clients-'))
  deadEnd = await startDeadEnd()
  const keys = new Map(cells.map(({ keyName, secret }) => [keyName, secret]))
  const modelPrefixes = [...new Set(MATRIX_CLIENTS.map(({ modelPrefix }) => modelPrefix))]
  gateway = await startMatrixGateway({ folder, modelPrefixes, keys })
  setting = { gateway, packages, deadEnd: deadEnd.url, folder }
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  deadEnd.close()
  await rm(folder, { recursive: true, force: true })
})

test('there are clients of every wire', () => {
  expect(rows.length).toBeGreaterThan(20)
})

describe.for(rows)('$id', { timeout: CELL_TIMEOUT_MS }, (row) => {
  test.concurrent.for(row.cells)('$upstream, $kind', async (cell: Cell, { expect: expectOf }) => {
    const { problems } = await runCell(cell, setting)
    expectOf(problems).toEqual([])
  })
})
