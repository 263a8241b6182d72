import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What in the data directory cannot be written by this process, and what to do; null: nothing that can be seen. Ends a sentence.
 * Of a directory that is read-only SQLite says no more than that it is unable to open a file.
 */
export function unwritable(directory: string, access: Access = accessSync): string | null {
  const there = nearest(directory)
  if (!statSync(there).isDirectory()) return `${there} is not a directory: name one, or move that file away`
  const inside = FILES.map((name) => join(directory, name)).filter((path) => existsSync(path))
  for (const path of [there, ...inside]) {
    const mode = path === there ? constants.W_OK | constants.X_OK : READ_AND_WRITE
    const code = refusalOf(() => access(path, mode))
    if (code !== null) return (WORDS[code] ?? NO_RIGHT)(path)
  }
  return null
}

/** Throws what the system says where this process may not. */
type Access = (path: string, mode: number) => void

const READ_AND_WRITE = constants.R_OK | constants.W_OK
const FILES = ['secret', 'tollgate.db', 'tollgate.db-wal', 'tollgate.db-shm']

const NO_RIGHT = (path: string) =>
  `this user may not write to ${path}: give it the right to, such as by "chmod u+rwX ${path}"`

const WORDS: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) => `${path} is on a file system that is mounted read-only: mount it for writing`,
  EPERM: (path) => `${path} is protected against changes: take the mark off it, such as by "chattr -i ${path}"`,
}

/** The directory, or what it would be made in. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path))
}

function refusalOf(look: () => void): string | null {
  try {
    look()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : ''
  }
}
