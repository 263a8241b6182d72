import type { posix } from 'node:path'

/** What a command sees of the computer. Everything that differs between computers comes in here, so that tests choose it. */
export interface Host {
  readonly system: System
  /** How paths are written. */
  readonly paths: typeof posix
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** What stands before the absolute paths of files that belong to the system; empty but in tests. */
  readonly root: string
  readonly computerName: string
  /** The absolute path of Node.js. */
  readonly node: string
  /** The bundled file that runs. */
  readonly ownFile: string
  readonly version: string
  /** Node.js can be made to ask through the HTTPS proxy that the environment names. */
  readonly usesHttpsProxy: boolean
  nowMs(): number
  wait(ms: number): Promise<void>
  /** A name that no other process draws. */
  draw(): string
  print(text: string): void
  /** Writes on stderr. */
  remark(text: string): void
  /** Asks yes or no; null where there is no terminal to ask in. */
  confirm(question: string): Promise<boolean | null>
  run(call: ProgramCall): Promise<ProgramResult>
  /** Starts a program that goes on by itself; resolves with whether it did. */
  start(call: ProgramCall): Promise<boolean>
  /** Hands the terminal to a program; resolves with its exit code. */
  handOver(call: ProgramCall): Promise<number>
}

export type System = 'linux' | 'macos' | 'windows'

export interface ProgramCall {
  readonly program: string
  readonly args: readonly string[]
  readonly input?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly folder?: string
  readonly withinMs?: number
}

/** `code` is null where the program could not be started or did not end in time. */
export interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly isMissing: boolean
}

/** What a command cannot do, in one sentence for the person at the terminal. */
export class Failure extends Error {}

/** A command that was written wrongly. */
export class UsageFailure extends Error {}

/** The value of a variable; undefined where it is not set or empty. */
export function variable({ env }: Pick<Host, 'env'>, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}
