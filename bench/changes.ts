/**
 * `npm run bench -- soak --only changes`: two gateway processes on one PostgreSQL, which is started here (`--url
 * postgres://…` for an empty database elsewhere). Upstream, target, credential, group and key are changed through the API of
 * one, and the other is asked until it acts on that, while a stream of it runs. Ends with 1 when a change takes a second or
 * breaks a stream.
 */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { type ChangeTaken, CHANGES, measureChanges } from './changes/measure-changes.ts'
import { startTwoNodes } from './changes/two-nodes.ts'
import { writeTable } from './report/table.ts'

const BAR_MS = 1_000
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, url: { type: 'string' } } })

const directory = await mkdtemp(join(tmpdir(), 'tollgate-changes-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const server = values.url === undefined ? await startPostgresServer() : null
try {
  const nodes = await startTwoNodes(values.url ?? server?.url ?? '', directory)
  const taken = await measureChanges(nodes, Number(values.rounds))
  const rows = CHANGES.map((kind) =>
    row(
      kind,
      taken.filter((each) => each.kind === kind),
    ),
  )
  console.log(writeTable(['change of', 'held, median', 'most', 'returned, median', 'most', 'streams broken'], rows))
  const missed = taken.filter((each) => each.heldAfterMs >= BAR_MS || !each.heldOnReturn || !each.isStreamWhole)
  if (missed.length > 0) process.exitCode = 1
} finally {
  await server?.stop()
}

function row(kind: string, taken: readonly ChangeTaken[]): string[] {
  const held = taken.map(({ heldAfterMs }) => heldAfterMs)
  const returned = taken.map(({ returnedAfterMs }) => returnedAfterMs)
  const broken = taken.filter(({ isStreamWhole }) => !isStreamWhole).length
  return [kind, ...[held, returned].flatMap((times) => [shown(median(times)), shown(Math.max(...times))]), `${broken}`]
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}

function shown(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`
}
