import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshBundle } from '../../bin/bundle.js'
import { temporaryDirectory, testPostgres, testRedis } from '../support/test-servers.ts'
import { runHere } from '../support/command-here.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import {
  type Environment,
  type GatewayProcess,
  LAUNCHER,
  READY_WITHIN_MS,
  runTollgate,
} from '../support/gateway-process.ts'
import { ENGINES_ABOVE_STORES } from '../conformance/store-under-test.ts'
import { inSuite, someInSuite } from '../support/run/suite.ts'
import { longTest } from '../support/run/long-test.ts'

let folder = ''
beforeAll(async () => {
  folder = await temporaryDirectory()
})

/** Waits for what is printed right after the gateway is ready. */
async function firstStartText(gateway: GatewayProcess): Promise<string> {
  // The log goes to the same place, before and after.
  const printed = () => gateway.printed().replace(/^\{.*\n/gm, '')
  await expect.poll(printed, { timeout: READY_WITHIN_MS }).toMatch(/^curl .*\n|\/console\/set-up#[\w-]{43}\n/m)
  await expect.poll(printed, { timeout: READY_WITHIN_MS }).toMatch(/\n\n$/)
  return printed()
}

async function statusOf(origin: string, secret: string): Promise<number> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return answer.status
}

const ROOT = join(import.meta.dirname, '..', '..')
/** The files of the bundle that a start loads: its stages (tools/bundle.ts), what names them, and the thread of the database. */
const OF_BUNDLE =
  'command gateway log main open-store opening rolldown-runtime sqlite-thread start start-gateway thread'.split(' ')
/** The packages, where the sources are run: Kysely, pino and what pino is made of. */
const OF_SOURCES =
  '@pinojs/redact atomic-sleep kysely on-exit-leak-free pino pino-std-serializers quick-format-unescaped safe-stable-stringify sonic-boom thread-stream'.split(
    ' ',
  )

/** The files of the bundle and the packages among the modules that were loaded. */
function loadedParts(urls: string): string[] {
  const parts = urls.matchAll(
    /^file:.*(?:\/dist\/bundle\/(.+?)(?:-[\w-]{8})?\.js|\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*)$/gm,
  )
  return [...new Set([...parts].map(([, ofBundle, ofPackage]) => ofBundle ?? ofPackage ?? ''))].sort()
}

describe('the first start', () => {
  test('prints a link, a key and a curl line that all work, and a second start prints none of them and loads what it needs', async () => {
    const environment = await freshEnvironment()
    const gateway = await startGateway(environment)
    const text = await firstStartText(gateway)
    const link = /http\S+\/console\/set-up#\S+/.exec(text)?.[0] ?? ''
    const key = /sk-tg-\w{46}/.exec(text)?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
    expect(await statusOf(gateway.origin, key)).toBe(200)
    const curl = text.split('\n').find((line) => line.startsWith('curl ')) ?? ''
    const pasted = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', curl], (_error, stdout, stderr) => resolve(stdout + stderr))
    })
    expect(pasted).toContain('Hello, Tollgate')
    expect(await gateway.stop()).toBe(0)

    const loaded = join(await temporaryDirectory(), 'loaded')
    const NODE_OPTIONS = `--import=${new URL('../support/preload-loaded.ts', import.meta.url).href}`
    const again = await startGateway({ ...environment, NODE_OPTIONS, LOADED_INTO: loaded })
    expect(await statusOf(again.origin, key)).toBe(200)
    expect(await again.stop()).toBe(0)
    expect(again.printed()).not.toMatch(/sk-tg-|set-up#/)
    expect(loadedParts(await readFile(loaded, 'utf8'))).toEqual(freshBundle(ROOT) === null ? OF_SOURCES : OF_BUNDLE)
  })

  longTest('that was killed before anything was printed is done again', async () => {
    const environment = await freshEnvironment()
    const killed = spawn(process.execPath, [LAUNCHER, 'start'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    // Killed as soon as the database file is there: somewhere in the middle of setting up.
    const database = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.db')
    await expect
      .poll(
        () =>
          readFile(database).then(
            (bytes) => bytes.length > 0,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(true)
    const ended = once(killed, 'exit')
    killed.kill('SIGKILL')
    await ended
    const gateway = await startGateway(environment)
    const key = /sk-tg-\w{46}/.exec(await firstStartText(gateway))?.[0] ?? ''
    expect(await statusOf(gateway.origin, key)).toBe(200)
  })

  test('with TOLLGATE_DEMO=0 prints the link alone', async () => {
    const text = await firstStartText(await startGateway(await freshEnvironment({ TOLLGATE_DEMO: '0' })))
    expect(text).toMatch(/\/console\/set-up#/)
    expect(text).not.toMatch(/sk-tg-|curl/)
  })
})

describe('what ends the start', () => {
  const refused = [
    ['a wrong variable', { PORT: '99999' }, /^PORT is "99999", but it must be a whole number from 0 to 65535/],
    ['an unknown variable', { TOLLGATE_DATADIR: 'x' }, /^TOLLGATE_DATADIR is not .* did you mean TOLLGATE_DATA_DIR\?/],
    ['a missing file', { TOLLGATE_CONFIG: 'no.yaml' }, /^TOLLGATE_CONFIG is "no.yaml", but that file cannot be opened/],
    [
      'an address of another machine',
      { HOST: '203.0.113.7' },
      /^HOST is "203.0.113.7", but this machine has no such address/,
    ],
  ] as const
  test.for(someInSuite(refused, 3))('$0 is said in one sentence, with exit code 1', async ([, variables, expected]) => {
    const { code, stderr, stdout } = await runTollgate(await freshEnvironment(variables), ['start'])
    expect(stderr).toMatch(expected)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  test.for(inSuite({ long: [['by itself'], ['with a connection to Redis']], short: [['with a connection to Redis']] }))(
    'a port that is taken, $0',
    async ([how]) => {
      const gateway = await startGateway(await freshEnvironment())
      const PORT = new URL(gateway.origin).port
      const more = how === 'by itself' ? {} : { REDIS_URL: (await testRedis()).url }
      const { code, stderr } = await runTollgate(await freshEnvironment({ PORT, ...more }), ['start'])
      expect(stderr).toBe(
        `PORT is ${PORT}, but another program listens there: end that one, or set PORT to a free port.\n`,
      )
      expect(code).toBe(1)
    },
  )

  test('another secret than the one the database was made with', async () => {
    const environment = await freshEnvironment()
    await runHere(environment, ['account', 'create', '--email', 'ada@example.test'])
    const other = { ...environment, TOLLGATE_SECRET: 'x'.repeat(32) }
    const { code, stderr } = await runTollgate(other, ['start'])
    expect(stderr).toMatch(/^This database was made with another secret/)
    expect(code).toBe(1)
  })

  test('a database that cannot be opened', async () => {
    const DATABASE_URL = 'postgres://ada:hunter2@127.0.0.1:1/tollgate'
    const remote = await runTollgate(await freshEnvironment({ DATABASE_URL, TOLLGATE_SECRET: 'x'.repeat(32) }), [
      'start',
    ])
    expect(remote).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database that DATABASE_URL names cannot be opened \(.*ECONNREFUSED.*\n$/),
    })
    expect(remote.stderr).not.toContain('hunter2')
    const environment = await freshEnvironment()
    await writeFile(join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.db'), 'no database '.repeat(100))
    const embedded = await runTollgate(environment, ['start'])
    expect(embedded).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database in TOLLGATE_DATA_DIR.*not an SQLite database.*\n$/),
    })
  })

  test('a mistake in the declarative file, with line and column', async () => {
    const path = join(folder, 'wrong.yaml')
    await writeFile(path, 'groups:\n  - { name: g, models: ["*"], multiplyer: "1" }\n')
    const { code, stderr } = await runTollgate(await freshEnvironment({ TOLLGATE_CONFIG: path }), ['start'])
    expect(stderr).toBe(
      'wrong.yaml, line 2, column 31: "multiplyer" is not a field of groups[0]; did you mean "multiplier"?\n',
    )
    expect(code).toBe(1)
  })
})

test('a declarative file makes a gateway that serves, and no demo objects', async () => {
  const path = join(folder, 'tollgate.yaml')
  await writeFile(
    path,
    `upstreams: [{ name: simulator, protocol: demo }]
models: [{ name: demo/echo, price: { input: "1", output: "1" }, targets: [{ upstream: simulator }] }]
groups: [{ name: staff, multiplier: "1", models: ["*"] }]
accounts: [{ email: ada@example.test, password: "\${ADA_PASSWORD}", role: admin, balance: "1" }]
keys: [{ account: ada@example.test, name: laptop, group: staff, custom_key: \${ADA_KEY} }]
`,
  )
  const environment = await freshEnvironment({
    TOLLGATE_CONFIG: path,
    ADA_PASSWORD: 'correct horse battery',
    ADA_KEY: 'ada-laptop-2f9c61d07b3e',
  })
  const gateway = await startGateway(environment)
  expect(await statusOf(gateway.origin, 'ada-laptop-2f9c61d07b3e')).toBe(200)
  expect(await gateway.stop()).toBe(0)
  expect(gateway.printed()).not.toMatch(/set-up#|sk-tg-|correct horse|2f9c61d07b3e/)
  const again = await startGateway(environment)
  expect(await again.stop()).toBe(0)
  expect(again.printed()).not.toContain('applied the declarative file')
  const { stdout } = await runHere(environment, ['account', 'list', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ email: 'ada@example.test', role: 'admin', managed: true }])
})

describe.for(ENGINES_ABOVE_STORES)('the command line beside a running gateway on %s', (engine) => {
  let environment: Environment = {}
  let drop = async () => {}
  // Several processes share the file of SQLite, in the first test; what a command does needs none of its own.
  const command = engine === 'sqlite' ? runTollgate : runHere
  beforeAll(async () => {
    environment = await freshEnvironment()
    if (engine === 'sqlite') return
    const database = await testPostgres()
    environment = { ...environment, DATABASE_URL: database.url, TOLLGATE_SECRET: 'x7'.repeat(16) }
    drop = database.drop
  }, 900_000)
  afterAll(() => drop())

  test('makes accounts and keys, stops and revives them at once, and proves the books', async () => {
    const gateway = await startGateway(environment)
    const run = (...args: string[]) => command(environment, args)
    const opened = await run('account', 'create', '--email', 'ada@example.test', '--json')
    expect(JSON.parse(opened.stdout)).toMatchObject({ email: 'ada@example.test', role: 'user', balance: '0' })
    expect(await run('account', 'create', '--email', 'Ada@example.test')).toMatchObject({ code: 1, stdout: '' })
    const credited = await run('account', 'credit', '--email', 'ada@example.test', '--amount', '2.5', '--json')
    expect(JSON.parse(credited.stdout)).toMatchObject({ kind: 'credit', amount: '2.5', balance_after: '2.5' })
    const tooMuch = await run('account', 'credit', '--email', 'ada@example.test', '--amount=-3')
    expect(tooMuch).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only $2.5 of ada@example.test can be taken'),
    })

    const limits = '--quota-limit 1 --quota-reset daily --expires-at 30d --concurrency 5 --spend 5h=1 --spend 7d=2'
    const lists = '--allowed-models demo/echo --allowed-ips 127.0.0.1,::1'
    const create = `key create --account ada@example.test --name laptop --group default ${limits} ${lists}`
    const made = await run(...create.split(' '))
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk-tg-\w{46}\n$/) })
    const secret = made.stdout.trim()
    expect(await statusOf(gateway.origin, secret)).toBe(200)
    const listed = await run('key', 'list', '--account', 'ada@example.test', '--json')
    expect(listed.stdout).not.toContain(secret)
    const [key] = JSON.parse(listed.stdout)
    expect(key).toMatchObject({
      name: 'laptop',
      group: 'default',
      status: 'active',
      quota_limit: '1',
      quota_reset: 'daily',
      rate_limit: {
        concurrency: 5,
        requests_per_minute: null,
        spend: [
          { window: '5h', usd: '1' },
          { window: '7d', usd: '2' },
        ],
      },
      allowed_models: ['demo/echo'],
      allowed_ips: ['127.0.0.1/32', '::1/128'],
      secret_start: secret.slice(0, 10),
      secret_end: secret.slice(-4),
    })

    expect((await run('key', 'disable', key.id)).stdout).toContain('is disabled')
    expect(await statusOf(gateway.origin, secret)).toBe(401)
    expect((await run('key', 'enable', '--name', 'laptop')).code).toBe(0)
    expect(await statusOf(gateway.origin, secret)).toBe(200)
    expect((await run('key', 'delete', '--name', 'laptop', '--account', 'ada@example.test')).code).toBe(0)
    expect(await statusOf(gateway.origin, secret)).toBe(401)
    expect(await run('key', 'enable', key.id)).toMatchObject({ code: 1, stderr: expect.stringContaining('deleted') })

    const proof = await run('check-ledger')
    expect(proof.code).toBe(0)
    expect(proof.stdout.trim().split('\n').at(-1)).toMatch(
      /^ok: 2 accounts, 4 ledger entries, \d+ usage records, \$0\.00/,
    )
    expect(await gateway.stop()).toBe(0)
    expect((await run('check-ledger')).stdout).toMatch(/^ok/)
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: `The ${engine} database is up to date.\n` })
  })

  longTest('takes custom keys and passwords from stdin, and refuses a taken and a guessable key alike', async () => {
    const gateway = await startGateway(environment)
    const create = (name: string, stdin: string) => {
      const args = [
        'key',
        'create',
        '--account',
        'bob@example.test',
        '--name',
        name,
        '--group',
        'default',
        '--custom-key-stdin',
      ]
      return runHere(environment, [...args, '--json'], stdin)
    }
    const opened = await command(
      environment,
      ['account', 'create', '--email', 'bob@example.test', '--password-stdin'],
      'correct horse\n',
    )
    expect(opened.code).toBe(0)
    await runHere(environment, ['account', 'credit', '--email', 'bob@example.test', '--amount', '1'])
    // Asked for before it exists: the gateway must not remember that it did not.
    expect(await statusOf(gateway.origin, 'bob-desk-7c44e0b19d52')).toBe(401)
    const made = await create('desk', 'bob-desk-7c44e0b19d52\r\n')
    expect(JSON.parse(made.stdout)).toMatchObject({ key: { name: 'desk' }, secret: 'bob-desk-7c44e0b19d52' })
    await expect.poll(() => statusOf(gateway.origin, 'bob-desk-7c44e0b19d52')).toBe(200)
    for (const refused of ['bob-desk-7c44e0b19d52', 'password-password-1234', 'short']) {
      const { code, stdout, stderr } = await create('other', refused)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^custom_key_unavailable: /)
      expect(stderr).not.toContain(refused)
    }
    expect(await create('other', '')).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing on stdin') })
  })

  longTest('finds a gateway healthy, and says which fault applies when it is not', async () => {
    const gateway = await startGateway(environment)
    const doctor = (key: string, ...more: string[]) =>
      runHere({ ...environment, TOLLGATE_API_KEY: key }, ['doctor', '--base-url', `${gateway.origin}/v1`, ...more])
    const healthy = await doctor('bob-desk-7c44e0b19d52', '--model', 'demo/echo')
    expect(healthy).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything works.') })
    const unknown = await doctor('bob-desk-000000000000')
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('key_unknown (HTTP 401)') })
    const model = await doctor('bob-desk-7c44e0b19d52', '--model', 'demo/ecko')
    expect(model).toMatchObject({ code: 1, stdout: expect.stringContaining('model_unknown (HTTP 404)') })
  })
})
