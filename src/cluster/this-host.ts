import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Where this process's number means something: two processes that answer the same can look for each other by number.
 * A host's name is not enough, for containers may share it and number their processes anew; so on Linux it is the boot and
 * the namespace of process ids as well (proc_sys_kernel(5), pid_namespaces(7)). What cannot be known is taken for a host of
 * its own: then only its beat tells whether a node lives.
 */
export function thisHost(): string {
  const name = hostname()
  if (process.platform !== 'linux') return name
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespace = readlinkSync('/proc/self/ns/pid')
    return `${name} ${boot} ${namespace}`
  } catch {
    return `${name} ${randomUUID()}`
  }
}
