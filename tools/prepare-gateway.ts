import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..')
const WITHIN_MS = 60_000

/**
 * Prepares `npm start` after `npm ci`: bundles the gateway and the command line for people, then starts the gateway once on
 * nothing, so that what a start needs is compiled, and kept compiled (bin/tollgate.js says where). Without the second the
 * first start takes 0.3 s longer, and the compiler's 30 MB stay in memory until the next one. What bundles is a development package: without it (`npm ci
 * --omit=dev`) the sources are run as they stand.
 */
export async function prepareGateway(): Promise<void> {
  const bundlers = await loadBundlers().catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  })
  await bundlers?.bundleGateway(ROOT)
  await bundlers?.buildClient()
  await startOnce().catch((error: unknown) => console.error('The first start will take longer:', error))
}

async function loadBundlers() {
  return { ...(await import('./bundle.ts')), ...(await import('./build-client.ts')) }
}

/** Starts the gateway and its control plane, and ends it, all on data of its own. */
async function startOnce(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-'))
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'tollgate.js'), 'start'], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', TOLLGATE_DATA_DIR: join(directory, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  })
  try {
    const ended = once(child, 'exit')
    for await (const line of createInterface(child.stdout)) {
      const origin = /"origin":"([^"]+)".*"ready"/.exec(line)?.[1]
      if (origin === undefined) continue
      // The control plane is loaded with its first request.
      await fetch(`${origin}/api/me`)
      child.kill('SIGTERM')
    }
    await ended
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

// Another checkout's bench runs this file to make the bundle that it measures.
if (import.meta.main) await prepareGateway()
