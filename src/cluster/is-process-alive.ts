import { readFileSync } from 'node:fs'

/** Whether a process of this number runs on this host. A number that was given to another process since counts as alive. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return !hasOnlyToBeReaped(processId)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Killed, but its parent has not asked how it ended: Linux keeps its number, and signals reach it without effect. */
function hasOnlyToBeReaped(processId: number): boolean {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1')
    // "1234 (name) Z …", and a name may have any characters.
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
  } catch {
    return false
  }
}
