/** The table of threads: how a request's CPU time is spread over them. */
import { writeNumber, writePercent, writeTable } from '../../table.ts'
import type { ThreadTime } from './thread-time.ts'

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
