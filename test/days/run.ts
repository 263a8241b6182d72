import { parsed } from '../../tools/sub-commands.ts'
import { numbered, vitestWith } from '../support/vitest-with.ts'

const FILES = ['src/routing/simulation.test.ts', 'src/gateway/exchange/days.test.ts']

/**
 * Simulated days of the routing, from the command line:
 *
 *   npm run test:more -- days                              a thousand seeds, each 24 hours of each installation
 *   npm run test:more -- days --seeds 200 --first 401      those from 401 to 600
 *   npm run test:more -- days days                         only the file whose name has this in it: `days` or `simulation`
 */
export function runDays(argv: readonly string[]): Promise<boolean> {
  const { values, positionals } = parsed({
    args: [...argv],
    options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const files = FILES.filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)))
  return vitestWith(files, {
    ...numbered('ROUTING_SEEDS', values.seeds),
    ...numbered('ROUTING_FIRST_SEED', values.first),
  })
}
