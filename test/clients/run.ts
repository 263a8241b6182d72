/**
 * `npm run test:more -- clients`: the real clients on every upstream protocol and on the clouds, through one gateway. Prints a table and, for each
 * cell that failed, why; then, by tests of their own, how clients sign in (sign-in/). Ends with 1 when one failed. `npm test` leaves out
 * the cells that prove nothing of their own. See `USAGE`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsed, UsageError } from '../../tools/sub-commands.ts'
import { vitestWith } from '../support/vitest-with.ts'
import { startDeadEnd } from './dead-end.ts'
import { installedClients } from './installed-clients.ts'
import { type Cell, CELL_KINDS, type CellOutcome, cellsOf } from './matrix-cell.ts'
import { MATRIX_CLIENTS, type MatrixClient } from './matrix-clients.ts'
import { MATRIX_UPSTREAMS, startMatrixGateway } from './matrix-gateway.ts'
import { matrixTable } from './matrix-table.ts'
import { type Batch, batchesOf, runBatch } from './run-cells.ts'

const USAGE = `npm run test:more -- clients [--only TEXT] [--upstream NAME] [--kind plain|tool|sign-in] [--keep FOLDER]
  --only TEXT          clients whose name begins with the text; may be given several times
  --upstream NAME      ${MATRIX_UPSTREAMS.join(', ')}; may be given several times
  --kind KIND          plain: one answer. tool: one tool round trip. sign-in: from a link to an answer and to its end, of
                       clients that sign in; --only chooses tests by their names there. May be given several times
  --keep FOLDER        what failing clients printed, their usage records and the bodies that arrived upstream`

/** More would only wait for the processor. */
const CLIENTS_AT_ONCE = 2

export async function runClients(argv: readonly string[]): Promise<boolean> {
  const options = readOptions(argv)
  const hasSignIn = options.kind.includes(SIGN_IN) && options.upstream.length === MATRIX_UPSTREAMS.length
  const cells = chosenCells(options)
  if (cells.length === 0 && !hasSignIn) throw new UsageError(`No cell is chosen.\n${USAGE}`)
  const areServed = cells.length === 0 || (await runCells(cells, options))
  return (!hasSignIn || (await runSignIns(options))) && areServed
}

/** The suite of their own, where every client's flow is a test. */
function runSignIns({ only }: Options): Promise<boolean> {
  const names = only.map((text) => text.replaceAll(/[^\w -]/g, '.')).join('|')
  return vitestWith(['test/clients/sign-in', ...(names === '' ? [] : ['-t', names])], {})
}

async function runCells(cells: readonly Cell[], options: Options): Promise<boolean> {
  // What hangs on `exit` ends the gateway and the clients.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const packages = await installedClients()
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-clients-'))
  const deadEnd = await startDeadEnd()
  const keys = new Map(cells.map(({ keyName, secret }) => [keyName, secret]))
  const modelPrefixes = [...new Set(cells.map(({ client }) => client.modelPrefix))]
  const startedAt = performance.now()
  try {
    await using gateway = await startMatrixGateway({ folder, modelPrefixes, keys })
    const setting = { gateway, packages, deadEnd: deadEnd.url, folder }
    const outcomes = await runAll(batchesOf(cells), async (batch) => {
      const ofBatch = await runBatch(batch, setting)
      for (const outcome of ofBatch) {
        if (options.keep !== undefined && outcome.problems.length > 0) await keep(options.keep, outcome)
      }
      return ofBatch
    })
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`\n${matrixTable(outcomes)}\n\n${cells.length} cells in ${seconds} s`)
    return outcomes.every(({ problems }) => problems.length === 0)
  } finally {
    deadEnd.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const SIGN_IN = 'sign-in'
const KINDS: readonly string[] = [...CELL_KINDS, SIGN_IN]
const KNOWN: ReadonlySet<string> = new Set([...MATRIX_UPSTREAMS, ...KINDS])

interface Options {
  readonly only: readonly string[]
  readonly upstream: readonly string[]
  readonly kind: readonly string[]
  readonly keep: string | undefined
}

function readOptions(argv: readonly string[]): Options {
  const several = { type: 'string', multiple: true } as const
  const { values } = parsed({
    args: [...argv],
    options: { only: several, upstream: several, kind: several, keep: { type: 'string' } },
  })
  const { only = [], upstream = [...MATRIX_UPSTREAMS], kind = KINDS, keep: kept } = values
  const strange = [...upstream, ...kind].filter((name) => !KNOWN.has(name))
  if (strange.length > 0) throw new UsageError(`There is no ${strange.join(', ')}.\n${USAGE}`)
  return { only, upstream, kind, keep: kept }
}

function chosenCells({ only, upstream, kind }: Options): Cell[] {
  const isWanted = (client: MatrixClient) => only.length === 0 || only.some((text) => client.id.startsWith(text))
  return MATRIX_CLIENTS.filter(isWanted)
    .flatMap(cellsOf)
    .filter((cell) => upstream.includes(cell.upstream) && kind.includes(cell.kind))
}

async function runAll(
  batches: readonly Batch[],
  run: (batch: Batch) => Promise<CellOutcome[]>,
): Promise<CellOutcome[]> {
  const outcomes: CellOutcome[][] = []
  const waiting = batches.entries()
  const work = async (): Promise<void> => {
    for (const [index, batch] of waiting) {
      const ofBatch = await run(batch)
      outcomes[index] = ofBatch
      for (const { cell, problems, tookMs } of ofBatch) {
        const verdict = problems.length === 0 ? 'ok' : `FAILED ${problems.join('; ')}`
        console.log(`${cell.keyName}: ${verdict} (${tookMs} ms)`)
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS_AT_ONCE }, work))
  return outcomes.flat()
}

async function keep(folder: string, { cell, problems, evidence }: CellOutcome): Promise<void> {
  await mkdir(folder, { recursive: true })
  const name = cell.keyName.replaceAll(/[^a-z0-9.]+/gi, '-')
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ problems, ...evidence }, null, 1))
}
