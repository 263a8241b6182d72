/** Starts programs on one core, waits until they are ready, and stops them whatever happens to us. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 10
const OUTPUT_TAIL_CHARACTERS = 2_000

/**
 * Flags of our processes that share the core of the load. V8 collects with four threads beside the main one; on one core these
 * take turns of 4 ms with everything else there, and a collection of 2 ms kept the load from reading for 26.
 */
export const ON_A_SHARED_CORE = ['--single-threaded-gc'] as const

export interface PinnedOptions {
  /** Null: any core. */
  readonly core: number | null
  /** Folder for what it prints: `<name>.log`. */
  readonly directory: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What it gets when this process ends too early to wait for it; SIGKILL unless given. */
  readonly lastSignal?: NodeJS.Signals
}

/** A running program. `pid` is the root of its process tree. */
export class PinnedProcess {
  readonly pid: number
  readonly #name: string
  readonly #child: ChildProcess
  readonly #logPath: string

  /** Starts `command` with its arguments; `name` is what errors call it. */
  constructor(name: string, command: readonly string[], options: PinnedOptions) {
    const [program = '', ...args] =
      options.core === null ? command : ['taskset', '-c', String(options.core), ...command]
    this.#name = name
    this.#logPath = join(options.directory, `${name}.log`)
    // A file, not a pipe: reading it would cost this process time on the very cores that are measured.
    const log = openSync(this.#logPath, 'w')
    this.#child = spawn(program, args, {
      stdio: ['ignore', log, log],
      env: { ...inheritedEnvironment(), ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    this.#child.once('error', () => undefined)
    this.pid = this.#child.pid ?? 0
    const { pid } = this
    const killWithUs = (): void => void (pid > 0 && this.running && this.#child.kill(options.lastSignal ?? 'SIGKILL'))
    process.once('exit', killWithUs)
    this.#child.once('exit', () => process.removeListener('exit', killWithUs))
    if (pid === 0) throw new Error(`${program} could not be started`)
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The end of what it printed. */
  get output(): string {
    return readFileSync(this.#logPath, 'utf8').slice(-OUTPUT_TAIL_CHARACTERS)
  }

  /** Resolves when `isReady` returns true; rejects with its output when it ends before, or after `timeoutMs`. */
  async untilReady(isReady: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs
    while (!(await isReady())) {
      if (!this.running) throw new Error(`${this.#name} ended at its start:\n${this.output}`)
      if (performance.now() > deadline)
        throw new Error(`${this.#name} isn't ready after ${timeoutMs} ms:\n${this.output}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Asks it to end and waits; kills it when that takes more than 20 s. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.running) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(kill)
  }
}

/** Ours without what would turn the gateway into another one: its settings, a database, a launcher's mark. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(_?TOLLGATE_.*|DATABASE_URL|REDIS_URL|HOST|PORT)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Whether a GET of the URL answers 200. */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
}
