import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { runHere } from '../../support/command-here.ts'
import { TEST_SECRET } from '../../support/gateway-under-test.ts'
import { makeNewApi } from '../../support/import-sources/new-api-source.ts'
import { sqliteSource } from '../../support/import-sources/source-database.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../../support/scripted-upstream.ts'
import { migratedDirectory } from '../../support/test-servers.ts'
import { attack, longAttack } from '../attack.ts'

/* Hostile imports: what was written by others and an admin tries, a configuration or a database of another gateway. */

/** Variables that stand beside a gateway, each with a value of its own. */
const OWN = (
  'TOLLGATE_BACKUP_PASSPHRASE tollgate_secret TOLLGATE_ADMIN_TOKEN IMPORT_PASSWORD PGPASSWORD PGSSLKEY NODE_OPTIONS ' +
  'OTEL_SERVICE_NAME AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NODE_AUTH_TOKEN NPM_TOKEN POSTGRES_PASSWORD ' +
  'MYSQL_PWD SSH_AUTH_SOCK HOME PATH HTTPS_PROXY KUBECONFIG GOOGLE_APPLICATION_CREDENTIALS LITELLM_MASTER_KEY ' +
  'LITELLM_SALT_KEY CI_JOB_TOKEN DOCKER_AUTH_CONFIG REDIS_PASSWORD DATABASE_PASSWORD GIT_ASKPASS XDG_RUNTIME_DIR'
).split(' ')

/** What moves the cursor, begins a line, turns a direction, or is not seen. */
const MOVES = [
  '\u001B[2J\u001B[H',
  '\r',
  '\n--confirm 000000000000',
  '\u202E',
  '\u0000',
  '\u2028',
  '\u009B1m',
  '\u200B',
]

let host: ScriptedUpstream
let directory = ''
const sent: string[] = []

beforeAll(async () => {
  directory = await migratedDirectory()
  host = await scriptedUpstream((request, response) => {
    request.resume()
    sent.push(JSON.stringify([request.url, request.headers]))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o' }] }))
  })
})
afterAll(() => host.close())

attack(
  'a configuration gets none of this gateway’s secrets to its providers, in whatever place it names them',
  async () => {
    const base = `http://127.0.0.1:${host.port}/v1`
    const values = Object.fromEntries(OWN.map((name) => [name, `the-value-of-${name}-and-of-no-other`.toLowerCase()]))
    const ways = OWN.flatMap((name) => [
      { model: 'openai/gpt-4o', api_base: base, api_key: `os.environ/${name}` },
      { model: 'openai/gpt-4o', api_base: `os.environ/${name}`, api_key: `os.environ/${name}` },
      { model: 'openai/gpt-4o', api_base: base, api_key: 'sk-plain', organization: `os.environ/${name}` },
      { model: 'openai/gpt-4o', api_base: base, api_key: 'sk-plain', extra_headers: { 'x-a': `os.environ/${name}` } },
      { model: `openai/os.environ/${name}`, api_base: base, api_key: 'sk-plain' },
    ])
    const path = join(directory, 'hostile.yaml')
    const list = ways.map((params, at) => ({ model_name: `m${at}`, litellm_params: params }))
    await writeFile(path, JSON.stringify({ model_list: list }))
    const environment = { ...values, TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
    for (const more of [['--dry-run', '--test'], ['--test']]) {
      const { code, stdout, stderr } = await runHere(environment, ['import', 'litellm', path, ...more])
      expect([code, stderr.split('\n').filter((line) => !line.includes('…'))]).toEqual([0, ['']])
      for (const value of [...Object.values(values), TEST_SECRET]) {
        expect(sent.join('\n') + stdout + stderr).not.toContain(value)
      }
    }
    expect(sent.length).toBeGreaterThan(0)
  },
)

longAttack('a database moves nothing on the terminal of who imports it, or lists what came of it', async () => {
  for (const [at, move] of MOVES.entries()) {
    // SQLite takes a null into a text as a value alone.
    const written = move === '\u0000' ? '' : move
    const place = await migratedDirectory()
    const source = sqliteSource(join(place, 'source.db'))
    const ratios = JSON.stringify({ [`default`]: 1, [`group${written}x`]: 2 })
    await makeNewApi(source, {
      users: 4,
      seed: at + 1,
      passwordHash: 'x',
      options: { GroupRatio: ratios, UserUsableGroups: ratios, [`odd${written}option`]: 'x' },
      channels: [
        {
          id: 1,
          type: 1,
          name: `a${written}b`,
          key: 'sk-a',
          models: `m${written}n,plain`,
          group: `group${written}x,default`,
        },
      ].map((channel) => ({ ...channel, base_url: `http://127.0.0.1:${host.port}` })),
    })
    const named = move === '\u0000' ? "char(0) || 'x'" : `'${move}x'`
    await source.run(`update users set display_name = ${named}, username = ${named} || id, email = ''`)
    await source.run(`update tokens set name = ${named}`)
    const environment = { TOLLGATE_DATA_DIR: place, TOLLGATE_SECRET: TEST_SECRET }
    const words = ['import', 'new-api', source.url, '--admins', 'keep', '--accept', 'completion-ratio']
    for (const args of [
      [...words, '--dry-run', '--test'],
      words,
      ['account', 'list'],
      ['key', 'list'],
      ['key', 'list', '--json'],
      ['plan', 'list'],
    ]) {
      const { stdout, stderr } = await runHere(environment, args)
      expect(stdout, args.join(' ')).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
      expect(stdout, args.join(' ')).not.toMatch(/^--confirm/m)
      expect(stderr).not.toContain('\u001B')
      if (args.includes('--json')) expect(() => void JSON.parse(stdout)).not.toThrow()
    }
    await source.close()
  }
})
