import { execFile } from 'node:child_process'
import { chmod, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../support/test-servers.ts'
import { journalNames } from './wal-tail.ts'

/** Small enough to be full at once, and large enough for all that some rounds write. */
const DISK_MIB = 96
const FILL_BYTES = 1024 * 1024

/**
 * A data directory that can fail. What a fault takes (root for a disk of its own, `chattr`, `prlimit`) differs from
 * machine to machine; each way makes writes fail in the kernel, and one that cannot be gone is an error, never a pass.
 */
export interface BreakableDisk {
  readonly directory: string
  /** Whether it has a size of its own; else "full" is the limit of the process on the size of files. */
  readonly isOwnDisk: boolean
  /** No file can grow any more. */
  fill(processId: number): Promise<void>
  /** Nothing can be written, not even where something stands. */
  freeze(processId: number): Promise<void>
  /** Ends what `fill` and `freeze` did. null: the process is gone, and its limits with it. */
  repair(processId: number | null): Promise<void>
  /** The directory and the database in it are read-only, for a process that is to be started; and no more. */
  seal(): Promise<void>
  unseal(): Promise<void>
  /** Removes the disk, once no process uses it. */
  close(): Promise<void>
}

const isRoot = process.getuid?.() === 0

export async function breakableDisk({ wantsOwnDisk }: { wantsOwnDisk: boolean }): Promise<BreakableDisk> {
  const directory = join(await temporaryDirectory(), 'data')
  await mkdir(directory, { mode: 0o700 })
  const isOwnDisk = wantsOwnDisk && isRoot && process.platform === 'linux'
  if (isOwnDisk) await run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=0700`, 'tollgate-test', directory)
  const immutable = isRoot ? await whatImmutableStops(directory) : { opening: false, writing: false }
  const filler = join(directory, 'filler')
  const files = async () =>
    ['tollgate.db', 'tollgate.db-wal', ...(await journalNames(directory))].map((name) => join(directory, name))
  return {
    directory,
    isOwnDisk,
    fill: (processId) => (isOwnDisk ? fillUp(filler) : limitFileSize(processId, { directory })),
    freeze: async (processId) => {
      if (immutable.writing) await run('chattr', '+i', directory, ...(await files()))
      else await limitFileSize(processId, null)
    },
    repair: async (processId) => {
      if (immutable.writing) await run('chattr', '-i', directory, ...(await files()))
      await rm(filler, { force: true })
      if (processId !== null) await run('prlimit', '--pid', String(processId), '--fsize=unlimited:')
    },
    seal: async () => {
      if (immutable.opening) return run('chattr', '+i', directory, join(directory, 'tollgate.db'))
      if (isRoot) throw new Error('nothing is read-only for root here: "chattr +i" does not work on this file system')
      await chmod(join(directory, 'tollgate.db'), 0o400)
      await chmod(directory, 0o500)
    },
    unseal: async () => {
      if (immutable.opening) return run('chattr', '-i', directory, join(directory, 'tollgate.db'))
      await chmod(directory, 0o700)
      await chmod(join(directory, 'tollgate.db'), 0o600)
    },
    close: async () => {
      if (immutable.opening) await run('chattr', '-R', '-i', directory)
      if (isOwnDisk) await run('umount', '--lazy', directory)
    },
  }
}

/** Writes until the kernel says that there is no room for one byte more. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let bytes = FILL_BYTES; bytes >= 1;) {
      const written = await file.write(Buffer.alloc(bytes)).then(
        ({ bytesWritten }) => bytesWritten,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error
          return 0
        },
      )
      if (written < bytes) bytes = Math.floor(bytes / 2)
    }
  } finally {
    await file.close()
  }
}

/** The size that the write-ahead file has now is the largest that any file may have; null: none may have any. */
async function limitFileSize(processId: number, of: { readonly directory: string } | null): Promise<void> {
  const bytes = of === null ? 0 : (await stat(join(of.directory, 'tollgate.db-wal'))).size
  await run('prlimit', '--pid', String(processId), `--fsize=${bytes}:`)
}

/** Not every file system knows the mark, and some look at it only when a file is opened. */
async function whatImmutableStops(
  directory: string,
): Promise<{ readonly opening: boolean; readonly writing: boolean }> {
  const probe = join(directory, 'probe')
  const file = await open(probe, 'w')
  try {
    await run('chattr', '+i', probe)
    const writing = await file.write('may this be written?').then(no, yes)
    const opening = await writeFile(probe, 'and this?').then(no, yes)
    await run('chattr', '-i', probe)
    return { opening, writing }
  } catch {
    return { opening: false, writing: false }
  } finally {
    await file.close()
    await rm(probe, { force: true })
  }
}

const yes = () => true
const no = () => false

async function run(command: string, ...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args)
  } catch (cause) {
    throw new Error(`this fault cannot be made here: "${command} ${args.join(' ')}" failed: ${String(cause)}`, {
      cause,
    })
  }
}
