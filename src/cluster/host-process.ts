import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Where this process's number means something: two processes that get the same can look for each other by number.
 * A host's name is not enough, for containers may share it and number their processes anew; so on Linux it is the boot and
 * the namespace of process ids as well (proc_sys_kernel(5), pid_namespaces(7)). What cannot be read is taken for a host of
 * its own, named by `newId`: then only its beat tells whether a node lives.
 */
export function thisHost(newId: () => string): string {
  const name = hostname()
  if (process.platform !== 'linux') return name
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespace = readlinkSync('/proc/self/ns/pid')
    return `${name} ${boot} ${namespace}`
  } catch {
    return `${name} ${newId()}`
  }
}

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
