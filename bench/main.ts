/**
 * `npm run bench -- run|soak|console|views [flags]`: four programs that measure. Each ends with 1 when a bar is missed or a
 * measurement fails, and with 2 when it was asked for wrongly. bench/README.md says what they measure, and has their flags.
 */
import { runSubCommand, type SubCommand } from '../tools/sub-commands.ts'

export const PROGRAMS = {
  run: {
    does: 'CPU, latency, memory and starts beside nginx; --only protocols: in this process alone',
    load: async () => (await import('./run.ts')).run,
  },
  soak: {
    does: 'what remains of streams that their clients leave',
    load: async () => (await import('./soak.ts')).soakGateway,
  },
  console: {
    does: 'how long people wait for the console in a browser',
    load: async () => (await import('./console.ts')).measureConsole,
  },
  views: {
    does: 'lists and charts of the console on a large database',
    load: async () => (await import('./views.ts')).views,
  },
} as const satisfies Readonly<Record<string, SubCommand>>

if (import.meta.main) {
  // What has to go away with this process hangs on `exit`.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  process.exitCode = await runSubCommand('bench', PROGRAMS, process.argv.slice(2))
}
