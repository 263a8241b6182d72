/**
 * `npm run test:clients`: the real clients on every upstream protocol, through one gateway. Prints a table and, for each
 * cell that failed, why; ends with 1 when one did. See `USAGE`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDeadEnd } from './dead-end.ts'
import { installedClients } from './installed-clients.ts'
import { type Cell, type CellOutcome, cellsOf, runCell } from './matrix-cell.ts'
import { MATRIX_CLIENTS, type MatrixClient } from './matrix-clients.ts'
import { startMatrixGateway, UPSTREAM_PROTOCOLS } from './matrix-gateway.ts'
import { matrixTable } from './matrix-table.ts'

const USAGE = `npm run test:clients -- [--only TEXT] [--upstream PROTOCOL] [--kind plain|tool] [--keep FOLDER]
  --only TEXT          clients whose name begins with the text; may be given several times
  --upstream PROTOCOL  ${UPSTREAM_PROTOCOLS.join(', ')}; may be given several times
  --kind KIND          plain: one answer. tool: one tool round trip
  --keep FOLDER        what failing clients printed, their usage records and the bodies that arrived upstream`

/** More would wait for the processor, and then count as slow. */
const CLIENTS_AT_ONCE = 2

async function main(): Promise<number> {
  const options = readOptions()
  const cells = chosenCells(options)
  if (cells.length === 0) throw new Error(`No cell is chosen.\n${USAGE}`)
  const packages = await installedClients()
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-clients-'))
  const deadEnd = await startDeadEnd()
  const keys = new Map(cells.map(({ keyName, secret }) => [keyName, secret]))
  const modelPrefixes = [...new Set(cells.map(({ client }) => client.modelPrefix))]
  const startedAt = performance.now()
  try {
    await using gateway = await startMatrixGateway({ folder, modelPrefixes, keys })
    const setting = { gateway, packages, deadEnd: deadEnd.url, folder }
    const outcomes = await runAll(cells, async (cell) => {
      const outcome = await runCell(cell, setting)
      if (options.keep !== undefined && outcome.problems.length > 0) await keep(options.keep, outcome)
      return outcome
    })
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`\n${matrixTable(outcomes)}\n\n${cells.length} cells in ${seconds} s`)
    return outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1
  } finally {
    deadEnd.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Options {
  readonly only: readonly string[]
  readonly upstream: readonly string[]
  readonly kind: readonly string[]
  readonly keep: string | undefined
}

function readOptions(): Options {
  const several = { type: 'string', multiple: true } as const
  const { values } = parseArgs({
    options: { only: several, upstream: several, kind: several, keep: { type: 'string' } },
  })
  const { only = [], upstream = [...UPSTREAM_PROTOCOLS], kind = ['plain', 'tool'], keep: kept } = values
  return { only, upstream, kind, keep: kept }
}

function chosenCells({ only, upstream, kind }: Options): Cell[] {
  const isWanted = (client: MatrixClient) => only.length === 0 || only.some((text) => client.id.startsWith(text))
  return MATRIX_CLIENTS.filter(isWanted)
    .flatMap(cellsOf)
    .filter((cell) => upstream.includes(cell.upstream) && kind.includes(cell.kind))
}

async function runAll(cells: readonly Cell[], run: (cell: Cell) => Promise<CellOutcome>): Promise<CellOutcome[]> {
  const outcomes: CellOutcome[] = []
  const waiting = cells.entries()
  const work = async (): Promise<void> => {
    for (const [index, cell] of waiting) {
      const outcome = await run(cell)
      outcomes[index] = outcome
      const verdict = outcome.problems.length === 0 ? 'ok' : `FAILED ${outcome.problems.join('; ')}`
      console.log(`${cell.keyName}: ${verdict} (${outcome.tookMs} ms)`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS_AT_ONCE }, work))
  return outcomes
}

async function keep(folder: string, { cell, problems, evidence }: CellOutcome): Promise<void> {
  await mkdir(folder, { recursive: true })
  const name = cell.keyName.replaceAll(/[^a-z0-9.]+/gi, '-')
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ problems, ...evidence }, null, 1))
}

/** What hangs on `exit` ends the gateway and the clients. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

process.exitCode = await main()
