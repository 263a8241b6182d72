import type { Environment } from '../installation/environment.ts'
import type { OpenStore } from '../opening/open-installation.ts'

/** What the command line touches outside itself; a test gives its own. */
export interface CliHost {
  readonly environment: Environment
  readonly input: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean }
  /** Prints what was asked for to stdout, as `shownLines` shows it. Writes before it returns. */
  print(text: string): void
  /** Prints what a program reads to stdout, byte for byte. */
  printExactly(text: string): void
  /** Prints everything around it to stderr. */
  remark(text: string): void
  /** Whether a person sees the remarks as they come. */
  readonly isTerminal: boolean
  readonly openStore: OpenStore
  nowMs(): number
  randomBytes(count: number): Buffer
  readonly machine: string
  readonly processId: number
  /** Calls back for each SIGTERM and SIGINT, until what it returns is called. */
  onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** Calls back for each SIGHUP. */
  onHangUp(listener: () => void): void
  /** Ends the process at once, when asked a second time. */
  exit(code: number): void
  /** Ends the process at once by a signal that it was sent, whatever its threads are at. */
  endBy(signal: NodeJS.Signals): void
}

/** What progress is shown on. */
export type Screen = Pick<CliHost, 'remark' | 'isTerminal' | 'nowMs'>

/** The command line was written in a way that means nothing: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood and could not be carried out: exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
