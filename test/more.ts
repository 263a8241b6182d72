/**
 * `npm run test:more -- SUITE [flags]`: the suites that `npm test` has a short form of, or none, since they take long or need
 * root or the network. Each ends with 1 when something fails, and with 2 when it was asked for wrongly.
 */
import { runSubCommand, type SubCommand } from '../tools/sub-commands.ts'
import { vitestWith } from './support/vitest-with.ts'

export const SUITES = {
  faults: {
    does: 'load near every limit under kill -9, full disks and other faults; --rounds, --seed, --length, --workers, FILE',
    load: async () => (await import('./faults/run.ts')).runFaults,
  },
  attacks: {
    does: 'attacks on the money, the edge and the memory; --short, --fuzz, --seed, --from, --base-url, --admin-token, PATH',
    load: async () => (await import('./attacks/run.ts')).runAttacks,
  },
  days: {
    does: 'simulated days of the routing; --seeds, --first, FILE',
    load: async () => (await import('./days/run.ts')).runDays,
  },
  clients: {
    does: 'the real clients on every upstream protocol and on clouds, and their sign-in; --only, --upstream, --kind, --keep',
    load: async () => (await import('./clients/run.ts')).runClients,
  },
  'clients-more': {
    does: 'more clients, installed from PyPI and npm, each as the console sets it up',
    load: async () => (await import('./clients/run-more.ts')).runMoreClients,
  },
  packaging: {
    does: 'the image, the package and the unit of systemd, as root on Debian; FILE',
    load: async () => (argv) => vitestWith(['--config', 'test/packaging/vitest.config.ts', ...argv], {}),
  },
} as const satisfies Readonly<Record<string, SubCommand>>

if (import.meta.main) process.exitCode = await runSubCommand('test:more', SUITES, process.argv.slice(2))
