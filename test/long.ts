/**
 * `npm run test:long`: every test, for a night and before a release: all files and all cases of the suite, then the real
 * clients on every upstream protocol.
 *
 *   npm run test:long                  everything
 *   npm run test:long -- rounds        only files whose paths have this in them, with all their cases
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const files = process.argv.slice(2)
const suite = await run('vitest', ['run', ...files], { TEST_SUITE: 'long' })
const clients = files.length > 0 ? 0 : await run('node', [join(import.meta.dirname, 'clients', 'run.ts')], {})
process.exitCode = suite === 0 ? clients : suite

/** Resolves with its exit code; 1 where a signal ended it. */
async function run(command: string, args: readonly string[], more: Record<string, string>): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...more } })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
