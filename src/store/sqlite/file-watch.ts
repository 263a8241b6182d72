import { type BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FileIdentities, FileIdentity } from '../engine/engine.ts'

/** SQLite makes the others with the first connection and deletes them with the last. */
const ENDINGS = ['', '-wal', '-shm'] as const

/** Returns what the files of a database are known again by, once it is open. */
export async function identifyFiles(file: string): Promise<FileIdentities> {
  const [database, log, index] = await Promise.all(ENDINGS.map((ending) => lookAt(file + ending)))
  return { '': known(database), '-wal': known(log), '-shm': known(index) }
}

/** The names of the files that are not where they were opened: moved, replaced or deleted since. */
export async function lostFiles(file: string, opened: FileIdentities): Promise<readonly string[]> {
  const looks = await Promise.all(
    ENDINGS.map(async (ending) => [file + ending, opened[ending], await lookAt(file + ending)] as const),
  )
  return looks.filter(([, before, now]) => before !== null && isLost(before, now)).map(([path]) => path)
}

/** `gone`: nothing is there. `unknown`: what is there cannot be seen for now. */
type Look = FileIdentity | 'gone' | 'unknown'

async function lookAt(path: string): Promise<Look> {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return GONE.includes(code) ? 'gone' : 'unknown'
  }
}

const GONE = ['ENOENT', 'ENOTDIR', 'ESTALE']

function identityOf({ dev, ino, birthtimeNs }: BigIntStats): FileIdentity {
  return { device: dev, inode: ino, bornNs: birthtimeNs }
}

function known(look: Look | undefined): FileIdentity | null {
  return typeof look === 'object' ? look : null
}

/** Some file systems that containers share with their host number a file anew now and then; the time of its birth stays. */
function isLost(before: FileIdentity, now: Look): boolean {
  if (now === 'unknown') return false
  if (now === 'gone') return true
  const isSame = now.device === before.device && now.inode === before.inode
  return !isSame && (before.bornNs === 0n || now.bornNs !== before.bornNs)
}
