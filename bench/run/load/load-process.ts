/** The load process, seen from the bench. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { ON_A_SHARED_CORE } from '../subjects/pinned-process.ts'
import type { LoadJob, LoadReport } from './job.ts'

/** The time that a report may take beyond the job's own, with its grace for the last answers. */
const REPORT_TIMEOUT_MS = 20_000

export class LoadProcess {
  readonly pid: number
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: Interface

  /** `core`: null for any. */
  constructor(core: number | null) {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const [program, ...args] = [
      ...(core === null ? [] : ['taskset', '-c', String(core)]),
      process.execPath,
      ...ON_A_SHARED_CORE,
      main,
    ]
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.pid = this.#child.pid ?? 0
    this.#lines = createInterface({ input: this.#child.stdout })
    // It ends by itself when its input does, also when this process is killed.
    this.#child.stdin.on('error', () => undefined)
  }

  /** Runs one job. Rejects when it cannot be run at all; wrong answers are counted in the report. */
  async run(job: LoadJob): Promise<LoadReport> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const ended = (): void => reject(new Error('the load process ended'))
    const timer = setTimeout(() => reject(new Error('no report in time')), job.durationMs + REPORT_TIMEOUT_MS)
    this.#lines.once('line', resolve)
    this.#child.once('exit', ended)
    this.#child.stdin.write(`${JSON.stringify(job)}\n`)
    try {
      const answer = JSON.parse(await promise) as LoadReport | { readonly failure: string }
      if ('failure' in answer) throw new Error(`the load could not run: ${answer.failure}`)
      return answer
    } finally {
      clearTimeout(timer)
      this.#lines.removeListener('line', resolve)
      this.#child.removeListener('exit', ended)
    }
  }

  stop(): void {
    this.#child.stdin.end()
    this.#lines.close()
  }
}
