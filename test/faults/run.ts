import { parsed } from '../../tools/sub-commands.ts'
import { numbered, vitestWith } from '../support/vitest-with.ts'

/**
 * The fault harness from the command line:
 *
 *   npm run test:more -- faults                           once each, as in `npm run test:long`
 *   npm run test:more -- faults --rounds 200 --seed 7     rounds of load under faults; on PostgreSQL half as many
 *   npm run test:more -- faults --length 10               the mixed load without faults, ten times as long
 *   npm run test:more -- faults --workers 4               each gateway with so many threads that carry requests
 *   npm run test:more -- faults rounds.test               only files whose names have this in them
 */
export function runFaults(argv: readonly string[]): Promise<boolean> {
  const { values, positionals } = parsed({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      length: { type: 'string' },
      workers: { type: 'string' },
    },
    allowPositionals: true,
  })
  const files = positionals.length === 0 ? ['test/faults/'] : positionals.map((name) => `test/faults/${name}`)
  return vitestWith(files, {
    ...numbered('FAULTS_ROUNDS', values.rounds),
    ...numbered('FAULTS_SEED', values.seed),
    ...numbered('FAULTS_LENGTH', values.length),
    ...numbered('FAULTS_WORKERS', values.workers),
  })
}
