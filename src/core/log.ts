import { pino } from 'pino'
import { LogOutput } from './log-output.ts'

/** Structured JSON lines on stdout. Nothing that is given to it may hold a secret or a text of a client's. */
export type Logger = Pick<pino.Logger, 'error' | 'warn' | 'info' | 'debug'>

const STDOUT = 1

/** Paths that are blanked should they ever be logged with an object: a net under «never give it a secret». */
const BLANKED = ['authorization', 'credential', 'secret', 'password', 'token'].flatMap((name) => [name, `*.${name}`])

/** `about`: stands in every line; null: nothing does. */
export function createLogger(level: string, about: Readonly<Record<string, number>> | null = null): Logger {
  // One for each logger: with its own, the library waits for ever at the end of a process whose reader is gone.
  return pino({ level, base: about, redact: { paths: BLANKED, censor: '[blanked]' } }, new LogOutput(STDOUT))
}
