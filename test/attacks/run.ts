import { parsed } from '../../tools/sub-commands.ts'
import { given, numbered, vitestWith } from '../support/vitest-with.ts'

/**
 * The attacks from the command line, each family a program against a running gateway:
 *
 *   npm run test:more -- attacks                                    the long form, on a gateway and databases of its own
 *   npm run test:more -- attacks --short                            what `npm test` has of it
 *   npm run test:more -- attacks --fuzz 1000000 --seed 7            so many fuzzed cases; the same seed sends the same
 *   npm run test:more -- attacks --fuzz 20000 --from 40000          of these, 20,000 (10,000 of each sender) from 40,000 on
 *   npm run test:more -- attacks --base-url URL --admin-token T     a gateway that runs already, with its TOLLGATE_ADMIN_TOKEN;
 *                                                                   it must reach this machine's loopback
 *   npm run test:more -- attacks money                              only files whose paths have this in them
 */
export function runAttacks(argv: readonly string[]): Promise<boolean> {
  const { values, positionals } = parsed({
    args: [...argv],
    options: {
      short: { type: 'boolean', default: false },
      fuzz: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string' },
      'base-url': { type: 'string' },
      'admin-token': { type: 'string' },
    },
    allowPositionals: true,
  })
  const files = positionals.length === 0 ? ['test/attacks/'] : positionals.map((name) => `test/attacks/${name}`)
  return vitestWith(files, {
    ...(values.short ? {} : { ATTACKS_LONG: '1' }),
    ...numbered('ATTACKS_FUZZ', values.fuzz),
    ...numbered('ATTACKS_SEED', values.seed),
    ...numbered('ATTACKS_FUZZ_FROM', values.from),
    ...given('ATTACKS_BASE_URL', values['base-url']),
    ...given('ATTACKS_ADMIN_TOKEN', values['admin-token']),
  })
}
