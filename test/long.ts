/**
 * `npm run test:long`: every test, for a night and before a release: all files and all cases of the suite, then the real
 * clients on every upstream protocol.
 *
 *   npm run test:long                  everything
 *   npm run test:long -- rounds        only files whose paths have this in them, with all their cases
 */
import { CELL_KINDS } from './clients/matrix-cell.ts'
import { runClients } from './clients/run.ts'
import { vitestWith } from './support/vitest-with.ts'

/** How clients sign in is among the files. */
const CELLS = CELL_KINDS.flatMap((kind) => ['--kind', kind])

const files = process.argv.slice(2)
const isSuitePassed = await vitestWith(files, {})
const areClientsServed = files.length > 0 || (await runClients(CELLS))
process.exitCode = isSuitePassed && areClientsServed ? 0 : 1
