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
  /** What each running thread has used, exactly, by its number. Empty where the kernel does not count it. */
  readonly threadMs: ReadonlyMap<number, number>
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
  return Promise.all(
    found
      .filter((one) => inTree.has(one.pid))
      .map(async ({ pid, cpuMs, residentKb }) => ({ pid, cpuMs, residentKb, threadMs: await readThreadMs(pid) })),
  )
}

/** CPU time between two readings of one tree, in milliseconds. Throws when a process ended between them. */
export function cpuBetween(before: readonly ProcessUse[], after: readonly ProcessUse[]): number {
  const lost = before.filter((one) => !after.some((other) => other.pid === one.pid))
  if (lost.length > 0 || after.length === 0) throw new Error('a measured process ended in the middle of a round')
  const earlier = new Map(before.map((one) => [one.pid, one]))
  return after.reduce((sum, one) => sum + usedSince(earlier.get(one.pid), one), 0)
}

/** Exactly, by its threads, which matters in short rounds; by the process's own count when one of them has ended. */
function usedSince(before: ProcessUse | undefined, after: ProcessUse): number {
  const threads = before?.threadMs ?? new Map<number, number>()
  const isExact = after.threadMs.size > 0 && [...threads.keys()].every((id) => after.threadMs.has(id))
  if (!isExact) return after.cpuMs - (before?.cpuMs ?? 0)
  return [...after.threadMs].reduce((sum, [id, ms]) => sum + ms - (threads.get(id) ?? 0), 0)
}

/** CPU time of the tree since its processes began, in milliseconds. */
export function cpuSinceStart(tree: readonly ProcessUse[]): number {
  return tree.reduce((sum, one) => sum + one.cpuMs, 0)
}

/** Memory of the whole tree in MB; pages that its processes share count once for each. */
export function residentMb(tree: readonly ProcessUse[]): number {
  return tree.reduce((sum, one) => sum + one.residentKb, 0) / 1024
}

async function readThreadMs(pid: number): Promise<ReadonlyMap<number, number>> {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => [])
  const used = await Promise.all(
    ids.map(async (id) => {
      // The first of its numbers: nanoseconds on a core.
      const text = await readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8').catch(() => '')
      return [Number(id), Number.parseInt(text, 10) / 1e6] as const
    }),
  )
  return new Map(used.filter(([, ms]) => Number.isFinite(ms)))
}

/** What one line of `/proc/PID/stat` says. */
type StatLine = Omit<ProcessUse, 'threadMs'> & { readonly parentPid: number }

async function readProcess(pid: string): Promise<StatLine | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : readStat(stat)
}

/** One line of `/proc/PID/stat`. Its second field may hold blanks and brackets of its own. */
export function readStat(line: string): StatLine {
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
