/** CPU time of each thread of a process, from `/proc`: the profiler sees only those that run JavaScript. */
import { readdir, readFile } from 'node:fs/promises'
import { readStat } from '../machine/process-tree.ts'

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
