import type { CliHost } from './cli-host.ts'

export interface Command {
  /** One or two words. */
  readonly words: string
  readonly summary: string
  /** What it takes beside its flags. */
  readonly operand?: string
  readonly flags?: Readonly<Record<string, Flag>>
  load(): Promise<CommandRun>
}

export interface Flag {
  readonly meaning: string
  /** What follows it; none for a switch. */
  readonly value?: string
  readonly isRequired?: true
  /** May be repeated, or given with commas. */
  readonly isList?: true
}

/** Carries a command out and returns the exit code. */
export type CommandRun = (call: Invocation, host: CliHost) => Promise<number>

/** What was asked for, with names and forms of the flags checked, and their values as they are written. */
export interface Invocation {
  readonly operands: readonly string[]
  /** The flag's value, or null when it was not given. */
  text(flag: string): string | null
  /** The value of a flag that the table says is required. */
  required(flag: string): string
  /** The values of a flag that may be repeated or given with commas; null when it was not given. */
  list(flag: string): readonly string[] | null
  has(flag: string): boolean
}
