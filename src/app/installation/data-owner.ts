import { statSync, accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Says who owns the data directory, and what to do, where that keeps this process out; null: it does not, or cannot be said. Ends
 * a sentence that names the directory. Volumes of containers, and what root has made, are refused for this reason.
 */
export function ownerRemedy(directory: string, self = thisUser()): string | null {
  if (self === null || self.uid === 0) return null
  const found = nearest(directory)
  const inside = KEPT_FILES.map((name) => about(join(directory, name))).filter((file) => file !== null)
  // Files are made for their owner alone.
  // Of a directory of its own the mode is in the way, which another owner would not change.
  const isKeptOut = found === null || (found.uid !== self.uid && !mayWrite(found, self))
  const foreign = isKeptOut ? found : inside.find(({ uid }) => uid !== self.uid)
  if (foreign == null) return null
  const { path, uid, gid, mode } = foreign
  const whose = `${path} belongs to uid ${uid} and gid ${gid} with mode ${mode.toString(8)}`
  return `${whose}, and this process runs as uid ${self.uid} and gid ${self.gid}: run "chown -R ${self.uid}:${self.gid} ${directory}" as root, or start it as that user`
}

const KEPT_FILES = [
  'secret',
  ...['', '-wal', '-shm', '-settled-1', '-settled-1.lock'].map((ending) => `tollgate.db${ending}`),
]

export interface User {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

interface Found {
  readonly path: string
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** null: a system without users of this kind. */
function thisUser(): User | null {
  const { getuid, getgid, getgroups } = process
  if (getuid === undefined || getgid === undefined || getgroups === undefined) return null
  return { uid: getuid(), gid: getgid(), groups: getgroups() }
}

/** The directory, or the one that it would be made in. */
function nearest(path: string): Found | null {
  const parent = dirname(path)
  return about(path) ?? (parent === path ? null : nearest(parent))
}

/** null: there is none, or it cannot be seen. */
function about(path: string): Found | null {
  try {
    const { uid, gid, mode } = statSync(path)
    return { path, uid, gid, mode: mode & 0o777 }
  } catch {
    return null
  }
}

const WRITE_AND_ENTER = 0o3

function mayWrite({ uid, gid, mode }: Found, self: User): boolean {
  const shift = uid === self.uid ? 6 : [self.gid, ...self.groups].includes(gid) ? 3 : 0
  return ((mode >> shift) & WRITE_AND_ENTER) === WRITE_AND_ENTER
}

/**
 * What in the data directory cannot be written by this process, and what to do; null: nothing that can be seen. Ends a sentence.
 * Of a directory that is read-only SQLite says no more than that it is unable to open a file.
 */
export function unwritable(directory: string, access: Access = accessSync): string | null {
  const there = nearestPath(directory)
  if (!statSync(there).isDirectory()) return `${there} is not a directory: name one, or move that file away`
  const inside = KEPT_FILES.map((name) => join(directory, name)).filter((path) => existsSync(path))
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

const NO_RIGHT = (path: string) =>
  `this user may not write to ${path}: give it the right to, such as by "chmod u+rwX ${path}"`

const WORDS: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) => `${path} is on a file system that is mounted read-only: mount it for writing`,
  EPERM: (path) => `${path} is protected against changes: take the mark off it, such as by "chattr -i ${path}"`,
}

/** The directory, or what it would be made in. */
function nearestPath(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestPath(dirname(path))
}

function refusalOf(look: () => void): string | null {
  try {
    look()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : ''
  }
}
