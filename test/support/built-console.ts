import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUILT = join(ROOT, 'dist', 'console')
/** What a build is made of. */
const SOURCES = ['console', 'tools/build-console.ts', 'package-lock.json'].map((path) => join(ROOT, path))

/**
 * Sees to it that `dist/console`, which every gateway serves, is built from the sources as they are now. A new build takes
 * the place of the old one in one step. Returns the folder.
 */
export async function freshConsole(): Promise<string> {
  const builtMs = await changedMs(join(BUILT, 'console.html'))
  const changed = await Promise.all(SOURCES.map(newestMs))
  if (builtMs > Math.max(...changed)) return BUILT
  await mkdir(dirname(BUILT), { recursive: true })
  const next = await mkdtemp(`${BUILT}-`)
  const last = `${next}-last`
  try {
    const { buildConsole } = await import('../../tools/build-console.ts')
    await buildConsole(next)
    await rename(BUILT, last).catch(() => {})
    await rename(next, BUILT)
  } finally {
    await Promise.all([next, last].map((folder) => rm(folder, { recursive: true, force: true })))
  }
  return BUILT
}

async function newestMs(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Math.max(await changedMs(path), ...(await Promise.all(files.map(changedMs))))
}

/** 0: there is none. */
async function changedMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
