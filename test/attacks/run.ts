import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/*
 * The attacks from the command line, each family a program against a running gateway:
 *
 *   npm run test:more -- attacks                                  the long form, on a gateway and databases of its own
 *   npm run test:more -- attacks --short                          what `npm test` has of it
 *   npm run test:more -- attacks --fuzz 1000000 --seed 7          so many fuzzed cases; the same seed sends the same
 *   npm run test:more -- attacks --fuzz 20000 --from 40000        of these, 20,000 (10,000 of each sender) from 40,000 on
 *   npm run test:more -- attacks --base-url URL --admin-token T   a gateway that runs already, with its TOLLGATE_ADMIN_TOKEN;
 *                                                                 it must reach this machine's loopback
 *   npm run test:more -- attacks money                            only files whose paths have this in them
 */

const { values, positionals } = parseArgs({
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
const child = spawn('vitest', ['run', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.short ? {} : { ATTACKS_LONG: '1' }),
    ...numbered('ATTACKS_FUZZ', values.fuzz),
    ...numbered('ATTACKS_SEED', values.seed),
    ...numbered('ATTACKS_FUZZ_FROM', values.from),
    ...given('ATTACKS_BASE_URL', values['base-url']),
    ...given('ATTACKS_ADMIN_TOKEN', values['admin-token']),
  },
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})

function numbered(name: string, value: string | undefined): Readonly<Record<string, string>> {
  if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value)) {
    throw new Error(`"${value}" is not a whole number from 1: it becomes ${name}`)
  }
  return given(name, value)
}

function given(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value }
}
