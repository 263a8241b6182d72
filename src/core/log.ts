import { pino } from 'pino'

/** Structured JSON lines on stdout. Nothing that is given to it may hold a secret or a text of a client's. */
export type Logger = Pick<pino.Logger, 'error' | 'warn' | 'info' | 'debug'>

/** Paths that are blanked should they ever be logged with an object: a net under «never give it a secret». */
const BLANKED = ['authorization', 'credential', 'secret', 'password', 'token'].flatMap((name) => [name, `*.${name}`])

/** `about`: stands in every line; null: nothing does. */
export function createLogger(level: string, about: Readonly<Record<string, number>> | null = null): Logger {
  return pino({ level, base: about, redact: { paths: BLANKED, censor: '[blanked]' } })
}
