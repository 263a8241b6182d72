/** What a process and all its descendants have used, from `/proc`. */
import { readdir, readFile } from 'node:fs/promises'

/** `/proc` counts CPU time in hundredths of a second on every Linux, whatever the kernel's own tick is. */
const TICK_MS = 10
const PAGE_KB = 4

/** One process, threads included: those that have ended too. */
export interface ProcessUse {
  readonly pid: number
  /** User and system time since it started, in steps of 10 ms. */
  readonly cpuMs: number
  readonly residentKb: number
}

/** The process and its descendants. Empty when it has ended. */
export async function readProcessTree(rootPid: number): Promise<ProcessUse[]> {
  const names = await readdir('/proc')
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readProcess))
  const inTree = new Set([rootPid])
  const found = all.filter((one) => one !== null)
  // A child's number is nearly always above its parent's; again until nothing is added covers the rest.
  for (let before = 0; before !== inTree.size;) {
    before = inTree.size
    for (const one of found) if (inTree.has(one.parentPid)) inTree.add(one.pid)
  }
  return found.filter((one) => inTree.has(one.pid)).map(({ pid, cpuMs, residentKb }) => ({ pid, cpuMs, residentKb }))
}

/** CPU time between two readings of one tree, in milliseconds. Throws when a process ended between them. */
export function cpuBetween(before: readonly ProcessUse[], after: readonly ProcessUse[]): number {
  const lost = before.filter((one) => !after.some((other) => other.pid === one.pid))
  if (lost.length > 0 || after.length === 0) throw new Error('a measured process ended in the middle of a round')
  return totalCpuMs(after) - totalCpuMs(before)
}

/** Memory of the whole tree in MB; pages that its processes share count once for each. */
export function residentMb(tree: readonly ProcessUse[]): number {
  return tree.reduce((sum, one) => sum + one.residentKb, 0) / 1024
}

function totalCpuMs(tree: readonly ProcessUse[]): number {
  return tree.reduce((sum, one) => sum + one.cpuMs, 0)
}

async function readProcess(pid: string): Promise<(ProcessUse & { parentPid: number }) | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : readStat(stat)
}

/** One line of `/proc/PID/stat`. Its second field may hold blanks and brackets of its own. */
export function readStat(line: string): ProcessUse & { parentPid: number } {
  // Fields 3 and on, as numbered in proc(5).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  return {
    pid: Number.parseInt(line, 10),
    parentPid: field(4),
    cpuMs: (field(14) + field(15)) * TICK_MS,
    residentKb: field(24) * PAGE_KB,
  }
}
