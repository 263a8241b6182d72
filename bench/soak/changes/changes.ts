/**
 * `npm run bench -- soak --only changes`: two gateway processes on one PostgreSQL, which is started here (`--url postgres://…` for an empty
 * database elsewhere). Upstream, target, credential, group and key are changed through the API of one, and the other is asked
 * until it acts on that, while a stream of it runs. Ends with 1 when a change takes a second or breaks a stream.
 */
import { startPostgresServer } from '../../../test/support/postgres-server.ts'
import { type ChangeTaken, CHANGES, measureChanges } from './measure-changes.ts'
import { startTwoNodes } from './two-nodes.ts'
import { inFolder, readFlags } from '../../command.ts'
import { quantile } from '../../numbers.ts'
import { writeTable } from '../../table.ts'

const BAR_MS = 1_000

export async function changes(argv: readonly string[]): Promise<boolean> {
  const { rounds, url } = readFlags(argv, { rounds: 10, url: null })
  const server = url === null ? await startPostgresServer() : null
  try {
    const databaseUrl = url ?? server?.url ?? ''
    const taken = await inFolder('changes', async (directory) =>
      measureChanges(await startTwoNodes(databaseUrl, directory), rounds),
    )
    const rows = CHANGES.map((kind) =>
      row(
        kind,
        taken.filter((each) => each.kind === kind),
      ),
    )
    console.log(writeTable(['change of', 'held, median', 'most', 'returned, median', 'most', 'streams broken'], rows))
    return taken.every((each) => each.heldAfterMs < BAR_MS && each.heldOnReturn && each.isStreamWhole)
  } finally {
    await server?.stop()
  }
}

function row(kind: string, taken: readonly ChangeTaken[]): string[] {
  const held = taken.map(({ heldAfterMs }) => heldAfterMs)
  const returned = taken.map(({ returnedAfterMs }) => returnedAfterMs)
  const broken = taken.filter(({ isStreamWhole }) => !isStreamWhole).length
  return [
    kind,
    ...[held, returned].flatMap((times) => [shown(quantile(times, 0.5)), shown(Math.max(...times))]),
    `${broken}`,
  ]
}

function shown(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`
}
