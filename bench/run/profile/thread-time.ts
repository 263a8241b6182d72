/** CPU time of each thread of a process, from `/proc`: the profiler sees only those that run JavaScript. */
import { readFile, readdir } from 'node:fs/promises'
import { readStat } from '../machine/process-tree.ts'
import { writeNumber, writePercent, writeTable } from '../../table.ts'

export interface ThreadTime {
  /** The system's number of the thread; the main thread has the process's. */
  readonly id: number
  readonly kind: ThreadKind
  readonly cpuMs: number
}

export type ThreadKind = 'main' | 'worker' | 'v8' | 'libuv' | 'profiler'

/** Names that Node 26 gives its threads, as the system cuts them off. Whatever else there is, is a worker. */
const KINDS: readonly (readonly [RegExp, ThreadKind])[] = [
  [/^(node-V8Worker|DelayedTaskSche)/, 'v8'],
  [/^libuv-worker/, 'libuv'],
  [/^(v8:ProfEvntProc|SignalInspector)/, 'profiler'],
]

/** All threads of the process, in the order in which they were started. Empty when it has ended. */
export async function readThreads(pid: number): Promise<ThreadTime[]> {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => [])
  const threads = await Promise.all(ids.map((id) => readThread(pid, id)))
  return threads.filter((thread) => thread !== null).sort((a, b) => a.id - b.id)
}

async function readThread(pid: number, id: string): Promise<ThreadTime | null> {
  const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const kind = Number(id) === pid ? 'main' : (KINDS.find(([names]) => names.test(name))?.[1] ?? 'worker')
  return { id: Number(id), kind, cpuMs: readStat(stat).cpuMs }
}

/** What each thread used between two readings. Threads that ended in between are left out. */
export function threadTimeBetween(before: readonly ThreadTime[], after: readonly ThreadTime[]): ThreadTime[] {
  const earlier = new Map(before.map(({ id, cpuMs }) => [id, cpuMs]))
  return after.map((thread) => ({ ...thread, cpuMs: thread.cpuMs - (earlier.get(thread.id) ?? 0) }))
}

const LABELS = { main: 'main', worker: 'worker', v8: 'V8: garbage, compiling', libuv: 'libuv: files' } as const

/** `units`: requests or chunks. The profiler's own threads are left out. */
export function writeThreadTimes(threads: readonly ThreadTime[], units: number): string {
  const lines: { label: string; ms: number }[] = []
  for (const { kind, cpuMs } of threads) {
    if (kind === 'profiler' || cpuMs === 0) continue
    // Workers differ from one another; the others are many threads for one purpose.
    const label =
      kind === 'worker' ? `worker ${lines.filter((line) => line.label.startsWith('worker')).length + 1}` : LABELS[kind]
    const line = lines.find((one) => one.label === label)
    if (line === undefined) lines.push({ label, ms: cpuMs })
    else line.ms += cpuMs
  }
  const allMs = lines.reduce((sum, { ms }) => sum + ms, 0)
  const rows = lines.map(({ label, ms }) => [label, writeNumber((ms * 1000) / units), writePercent(ms / allMs)])
  return writeTable(['thread', 'µs', ''], [...rows, ['all', writeNumber((allMs * 1000) / units), '']])
}
