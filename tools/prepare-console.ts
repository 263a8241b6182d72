import { join } from 'node:path'

/**
 * Builds the console after `npm ci`. What builds it are development packages: without them (`npm ci --omit=dev`) there is
 * nothing to build with, and the gateway still has to be installable.
 */
const { buildConsole } = await import('./build-console.ts').catch((error: unknown) => {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('The console was not built, since development packages are left out: "npm ci" builds it.')
  return { buildConsole: null }
})
await buildConsole?.(join(import.meta.dirname, '..', 'dist', 'console'))
