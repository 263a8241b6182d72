import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryDirectory, testClients } from '../support/test-servers.ts'
import { startDeadEnd } from './dead-end.ts'
import { INSTALL_TIMEOUT_MS } from './installed-clients.ts'
import { type Cell, type CellOutcome, cellsOf, isProof } from './matrix-cell.ts'
import type { MatrixClient } from './matrix-clients.ts'
import { startMatrixGateway } from './matrix-gateway.ts'
import { batchesOf, type CellSetting, runBatch } from './run-cells.ts'
import { CLIENT_TIMEOUT_MS } from './run-client.ts'

const CELL_TIMEOUT_MS = CLIENT_TIMEOUT_MS + 60_000

/**
 * A test for each cell of these real clients on every upstream protocol, as `npm run test:more -- clients` runs them, which also
 * keeps what it saw. One client at a time: the matrix is several files, which run beside the other tests' files.
 */
export function proveClients(clients: readonly MatrixClient[]): void {
  const rows = clients.map((client) => ({ id: client.id, cells: cellsOf(client).filter(isProof) }))
  const parts = new AsyncDisposableStack()
  let setting: CellSetting

  beforeAll(async () => {
    setting = await startSetting(clients, { cells: rows.flatMap(({ cells }) => cells), parts })
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => parts.disposeAsync())

  const outcomes = new Map<Cell, () => Promise<CellOutcome | undefined>>()
  for (const batch of batchesOf(rows.flatMap(({ cells }) => cells))) {
    let running: Promise<CellOutcome[]> | undefined
    const run = () => (running ??= runBatch(batch, setting))
    batch.cells.forEach((cell, index) => outcomes.set(cell, async () => (await run())[index]))
  }

  describe.for(rows)('$id', { timeout: CELL_TIMEOUT_MS }, ({ cells }) => {
    test.for(cells)('$upstream, $kind', async (cell) => {
      const outcome = await outcomes.get(cell)?.()
      expect(outcome?.problems).toEqual([])
    })
  })
}

async function startSetting(
  clients: readonly MatrixClient[],
  { cells, parts }: { readonly cells: readonly Cell[]; readonly parts: AsyncDisposableStack },
): Promise<CellSetting> {
  const packages = await testClients()
  const folder = join(await temporaryDirectory(), 'clients')
  await mkdir(folder)
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  const keys = new Map(cells.map(({ keyName, secret }) => [keyName, secret]))
  const modelPrefixes = [...new Set(clients.map(({ modelPrefix }) => modelPrefix))]
  const gateway = parts.use(await startMatrixGateway({ folder, modelPrefixes, keys }))
  return { gateway, packages, deadEnd: deadEnd.url, folder }
}
