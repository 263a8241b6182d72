/** Jobs in a process of their own, one after the other, so that their load takes nothing from the one that measures. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface JobProcessOptions<Job> {
  /** The file that it runs, which calls `answerJobs`. */
  readonly main: URL
  /** Flags of Node. */
  readonly flags?: readonly string[]
  /** Null, as unless given: any. */
  readonly core?: number | null
  /** The time that a report may take. */
  withinMs(job: Job): number
}

export class JobProcess<Job extends object, Report> {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #options: JobProcessOptions<Job>

  constructor(options: JobProcessOptions<Job>) {
    const { main, flags = [], core = null } = options
    const command = [process.execPath, ...flags, fileURLToPath(main)]
    const [program = '', ...args] = core === null ? command : ['taskset', '-c', String(core), ...command]
    this.#options = options
    this.#child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.pid = this.#child.pid ?? 0
  }

  /** Runs one job. Rejects when it cannot be run at all, or when there is no report in time. */
  async run(job: Job): Promise<Report> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Report>>()
    const heard = (message: unknown): void => resolve(message as Outcome<Report>)
    const ended = (): void => reject(new Error('the load process ended without a report'))
    const timer = setTimeout(() => reject(new Error('no report in time')), this.#options.withinMs(job))
    this.#child.once('message', heard).once('exit', ended)
    try {
      this.#child.send(job)
      const outcome = await promise
      if ('failure' in outcome) throw new Error(`the load could not run: ${outcome.failure}`)
      return outcome.report
    } finally {
      clearTimeout(timer)
      this.#child.off('message', heard).off('exit', ended)
    }
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

type Outcome<Report> = { readonly report: Report } | { readonly failure: string }

/** What such a process does: it runs the jobs that it is sent, until who sends them is gone. */
export function answerJobs(run: (job: never) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit(1))
  process.on('message', (job) => {
    void run(job as never).then(
      (report) => process.send?.({ report }),
      (error: unknown) => process.send?.({ failure: String(error) }),
    )
  })
}
