import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/*
 * Simulated days of the routing, from the command line:
 *
 *   npm run test:more -- days                           a thousand seeds, each 24 hours of each installation
 *   npm run test:more -- days --seeds 200 --first 401   those from 401 to 600
 *   npm run test:more -- days days                      only the file whose name has this in it: `days` or `simulation`
 */

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } },
  allowPositionals: true,
})

const FILES = ['src/routing/simulation.test.ts', 'src/gateway/exchange/days.test.ts']

const files = FILES.filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)))
const child = spawn('vitest', ['run', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ROUTING_SEEDS: wholeNumber('seeds', values.seeds),
    ROUTING_FIRST_SEED: wholeNumber('first', values.first),
  },
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})

function wholeNumber(name: string, value: string): string {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${name} takes a whole number from 1, not "${value}"`)
  return value
}
