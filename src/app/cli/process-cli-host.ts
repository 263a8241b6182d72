import { randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '../../core/clock.ts'
import { shownLines } from '../../core/shown-text.ts'
import { thisHost } from '../../cluster/host-process.ts'
import { newestDatabaseUrl } from '../installation/newest-url.ts'
import type { CliHost } from './cli-host.ts'

/** The command line of this process. */
export function processCliHost(): CliHost {
  // A reader that has seen enough, such as `head`, closes the pipe: that is not a failure of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  return {
    environment: process.env,
    // Touched only when a command reads it: an open stdin would keep the process alive.
    get input() {
      return process.stdin
    },
    print: (text) => void process.stdout.write(shownLines(text)),
    printExactly: (text) => void process.stdout.write(text),
    remark: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    openStore: async (settings, listeners) =>
      (await import('../../store/open-store.ts')).openStore({
        databaseUrl: settings.databaseUrl,
        databaseConnections: settings.databaseConnections,
        ...newestDatabaseUrl(settings, process.env, listeners?.onTrouble),
        dataDirectory: settings.dataDir,
        clock: systemClock,
        lowBalance: settings.lowBalance,
        ...listeners,
      }),
    nowMs: systemClock.now,
    randomBytes: (count) => randomBytes(count),
    machine: thisHost(randomUUID),
    processId: process.pid,
    onStopSignal(listener) {
      for (const signal of STOP_SIGNALS) process.on(signal, listener)
      return () => {
        for (const signal of STOP_SIGNALS) process.off(signal, listener)
      }
    },
    onHangUp(listener) {
      process.on('SIGHUP', listener)
    },
    exit: (code) => process.exit(code),
    endBy(signal) {
      // An exit waits for what a thread has asked of SQLite, which may take minutes: the signal itself does not.
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
      // The first process of a container hears no signal that it does not listen to.
      process.exit(1)
    },
  }
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

function ignoreClosedPipe(error: Error & { code?: string }): void {
  if (error.code !== 'EPIPE') throw error
}
