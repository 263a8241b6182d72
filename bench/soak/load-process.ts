/** The load process of a soak, seen from outside. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { longestMs, type StreamJob, type StreamReport } from './stream-load.ts'

const MAIN = fileURLToPath(new URL('./load-main.ts', import.meta.url))
/** The time that a job may take beyond its own: its last streams are left within a minute. */
const REPORT_WITHIN_MS = 120_000

/** Runs one job in a process of its own. Rejects when that ends without a report, or has none in time. */
export async function runInProcess(job: StreamJob): Promise<StreamReport> {
  const child = fork(MAIN, { execArgv: [] })
  const overdue = setTimeout(() => child.kill('SIGKILL'), longestMs(job) + REPORT_WITHIN_MS)
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the load process ended without a report')))
    const answer = once(child, 'message')
    child.send(job)
    const [report] = await Promise.race([answer, ended])
    return report as StreamReport
  } finally {
    clearTimeout(overdue)
  }
}
