import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/*
 * The fault harness from the command line:
 *
 *   npm run test:more -- faults                         the short form, as in `npm test`
 *   npm run test:more -- faults --rounds 200 --seed 7   rounds of load under faults; on PostgreSQL half as many
 *   npm run test:more -- faults --length 10             the mixed load without faults, ten times as long
 *   npm run test:more -- faults --workers 4             each gateway with so many threads that carry requests
 *   npm run test:more -- faults rounds.test             only files whose names have this in them
 */

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    length: { type: 'string' },
    workers: { type: 'string' },
  },
  allowPositionals: true,
})

const files = positionals.length === 0 ? ['test/faults/'] : positionals.map((name) => `test/faults/${name}`)
const child = spawn('vitest', ['run', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...numbered('FAULTS_ROUNDS', values.rounds),
    ...numbered('FAULTS_SEED', values.seed),
    ...numbered('FAULTS_LENGTH', values.length),
    ...numbered('FAULTS_WORKERS', values.workers),
  },
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})

function numbered(name: string, value: string | undefined): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`"${value}" is not a whole number from 1: it becomes ${name}`)
  return { [name]: value }
}
