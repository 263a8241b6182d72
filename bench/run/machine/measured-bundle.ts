/**
 * What `npm start` runs is the bundle, and where it is older than the sources, the sources: those take longer to start, and
 * tens of megabytes more. The figures are about the bundle.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { freshBundle } from '../../../bin/bundle.js'

const PREPARE = 'tools/prepare-gateway.ts'
const WITHIN_MS = 120_000

/** `entry`: the `bin/tollgate.js` of a checkout, whose bundle is made where it is not that of its sources. Rejects when it cannot be. */
export async function bundleMeasured(entry: string): Promise<void> {
  const root = rootOf(entry)
  if (root === null || freshBundle(root) !== null) return
  const child = spawn(process.execPath, [PREPARE], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: WITHIN_MS,
  })
  const [code] = await once(child, 'exit')
  if (code !== 0 || freshBundle(root) === null) throw new Error(`${join(root, PREPARE)} made no bundle to measure`)
}

/** Throws when a source was changed since, so that some of the figures are those of the sources. */
export function assertStillBundled(entry: string): void {
  const root = rootOf(entry)
  if (root === null || freshBundle(root) !== null) return
  throw new Error(`a source in ${root} was changed during the run: measure again`)
}

/** Null: another program, or a package that was installed. */
function rootOf(entry: string): string | null {
  const root = dirname(dirname(resolve(entry)))
  return existsSync(join(root, PREPARE)) ? root : null
}
