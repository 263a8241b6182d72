import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, type Host } from '../host.ts'
import { codeOf } from './whole-file.ts'

const PAUSE_MS = 25
/** Longer than any work under the lock: its requests give up before. */
const STALE_MS = 45_000
const MOST_WAIT_MS = 60_000

/** Does the work while no other process of this user does it. A lock whose process is gone is taken over. */
export async function underLock<T>(path: string, host: Pick<Host, 'wait'>, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (let waitedMs = 0; !take(path); waitedMs += PAUSE_MS) {
    if (waitedMs > MOST_WAIT_MS)
      throw new Failure('Another process of this program does not come to its end: try again.')
    if (isStale(path)) breakLock(path)
    else await host.wait(PAUSE_MS)
  }
  try {
    return await work()
  } finally {
    if (isOurs(path)) rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, String(process.pid))
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    const code = codeOf(error)
    // Windows refuses names that are about to be deleted.
    const isGoing = process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code)
    if (code === 'EEXIST' || isGoing) return false
    throw new Failure(`${path} cannot be written (${codeOf(error)}).`, { cause: error })
  }
}

/** Whether the lock was not taken over from a process that was frozen for a while. */
function isOurs(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') === String(process.pid)
  } catch {
    return false
  }
}

function isStale(path: string): boolean {
  try {
    // The clock of the files, not of the process: both times are of one disk.
    const ageMs = Date.now() - statSync(path).mtimeMs
    if (ageMs > STALE_MS) return true
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid)
  } catch {
    return false
  }
}

/** Removes a stale lock, under a lock of its own: what another process took in between must not be removed. */
function breakLock(path: string): void {
  const guard = `${path}.break`
  if (!take(guard)) {
    if (exists(guard) && Date.now() - statSync(guard).mtimeMs > STALE_MS) rmSync(guard, { force: true })
    return
  }
  try {
    if (isStale(path)) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
