import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freshBundle } from '../../bin/bundle.js'
import { findOrInstall } from './installed-tool.ts'
import { openServerDesk } from './server-desk.ts'

const ROOT = join(import.meta.dirname, '..', '..')

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's desk, for `test-servers.ts` alone. */
    testServers: string
  }
}

/** Opens the desk where test files get their servers; nothing behind it starts before a test asks. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Every whole run uses PostgreSQL. Installing takes longer than a hook may last, so it happens before the first one.
  if (await runsEverything(project)) await Promise.all([installPostgres(), bundleOnce()])
  const desk = await openServerDesk()
  project.provide('testServers', desk.address)
  return desk.close
}

async function installPostgres(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] === undefined) await findOrInstall('postgresql')
}

/**
 * Bundles the gateway, as `npm ci` does: hundreds of gateways and commands are started, and from the sources each takes the
 * processor half as long again.
 */
async function bundleOnce(): Promise<void> {
  if (freshBundle(ROOT) !== null) return
  const { bundleGateway } = await import('../../tools/bundle.ts')
  await bundleGateway(ROOT)
}

/** Every file of this project: a run of some of them starts what they ask for, and no more. */
async function runsEverything(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  const chosen = new Set(project.vitest.state.getPaths())
  return testFiles.every((file) => chosen.has(file))
}
