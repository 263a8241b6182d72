import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes the directory, and those above it, where they are missing. Node's own way (`recursive`) never ends under `/proc`,
 * where a directory is missing and cannot be made for the same reason. Rejects with the system's error.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if (await isMade(path, mode)) return
  const parent = dirname(path)
  if (parent !== path) await makeDirectory(parent, mode)
  if (!(await isMade(path, mode))) throw Object.assign(new Error(`${path} cannot be made`), { code: 'ENOENT' })
}

/** False: what it would stand in is missing. */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return false
    // It is there, or a file is; some file systems say something else first where it is there.
    if (await isDirectory(path)) return true
    throw error
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
