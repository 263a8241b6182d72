import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testUpstreams } from '../../src/app/cli/import-test.ts'
import type { ImportPlan } from '../../src/import/import-plan.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi } from '../support/import-sources/new-api-source.ts'
import { type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const asked: string[] = []
let upstream: ScriptedUpstream
let source: SourceDatabase
let environment: Record<string, string> = {}

beforeAll(async () => {
  upstream = await scriptedUpstream((request, response) => {
    request.resume()
    asked.push(`${request.method} ${request.url}`)
    const { authorization, 'x-team': team } = request.headers
    const isKnown =
      authorization === 'Bearer sk-good' || (authorization === 'Bearer sk-team' && team === 'red-and-blue')
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    const refusal = { error: { message: 'no such key: sk-wrong' } }
    response.end(JSON.stringify(isKnown ? { object: 'list', data: [{ id: 'one' }, { id: 'two' }] } : refusal))
  })
  const directory = await migratedDirectory()
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  source = sqliteSource(join(directory, 'new-api.db'))
  const here = { type: 1, base_url: `http://127.0.0.1:${upstream.port}`, group: 'default' }
  await makeNewApi(source, {
    users: 1,
    passwordHash: 'x',
    channels: [
      { ...here, id: 1, name: 'good', key: 'sk-good', models: 'one,nick', model_mapping: '{"nick":"three"}' },
      { ...here, id: 2, name: 'refused', key: 'sk-wrong', models: 'one' },
      { ...here, id: 3, name: 'away', key: 'sk-good', models: 'one', base_url: 'http://127.0.0.1:1' },
      { ...here, id: 5, name: 'team', key: 'sk-team', models: 'one', header_override: '{"X-Team":"red-and-blue"}' },
      { ...here, id: 4, name: 'off', key: 'sk-off', models: 'one', status: 2 },
    ],
  })
})
afterAll(async () => {
  await source.close()
  upstream.close()
})

const EMPTY_PLAN: ImportPlan = {
  product: 'new-api',
  groups: [],
  upstreams: [],
  models: [],
  plans: [],
  accounts: [],
  keys: [],
  subscriptions: [],
  codes: [],
  notes: [],
  approximations: [],
}

const run = (...more: string[]) => runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep', ...more])

test('with --test each upstream is asked for its list of models, with its headers, and what came of it is said without a secret', async () => {
  const { code, stdout, stderr } = await run('--dry-run', '--test')
  expect(code).toBe(0)
  expect(stdout).toContain(`Upstreams, asked for their lists of models:
  good: ok, lists 2 models, and not three
  refused: failed: It refused the credential. It said: no such key: …
  away: failed: Nothing listens at its address: the connection was refused.
  off: not asked: its credentials are disabled
  team: ok, lists 2 models
`)
  expect(stdout).not.toMatch(/sk-(?:good|wrong|off|team)/)
  expect(stderr).toContain('testing upstreams: 5 …\n')
  expect(asked).toEqual(['GET /v1/models', 'GET /v1/models', 'GET /v1/models'])
})

test('an upstream that cannot be asked at all ends the test of no other, and nothing that it holds is shown', async () => {
  const remarks: string[] = []
  const host = { remark: (text: string) => void remarks.push(text), isTerminal: false, nowMs: () => Date.now() }
  const good = {
    id: '1',
    protocol: 'openai-chat',
    baseUrl: `http://127.0.0.1:${upstream.port}/v1`,
    credentials: [{ name: 'default', secret: 'sk-good', isDisabled: false }],
    proxyUrl: null,
    headers: {},
    maxConcurrency: null,
  } as const
  const upstreams = [
    { ...good, name: 'upper case', headers: { 'X-House': 's3cret' } },
    { ...good, name: 'of the connection', headers: { te: 's3cret' } },
    { ...good, name: 'a line', headers: { 'x-house': 's3cret\r\nx: y' } },
    { ...good, name: 'no proxy', proxyUrl: 's3cret' },
    { ...good, name: 'no address', baseUrl: 's3cret' },
    { ...good, name: 'well' },
  ]
  const plan = { ...EMPTY_PLAN, upstreams }
  const said = await testUpstreams(plan, host)
  expect(said).toBe(`Upstreams, asked for their lists of models:
  upper case: not asked: a header name that cannot be sent
  of the connection: not asked: a header name that cannot be sent
  a line: not asked: a value of x-house that cannot be sent
  no proxy: not asked: no request can be made of what it is configured with
  no address: not asked: no request can be made of what it is configured with
  well: ok, lists 2 models
`)
})

test('without it no upstream is asked anything', async () => {
  asked.length = 0
  expect((await run('--dry-run')).stdout).not.toContain('asked for their lists')
  expect(asked).toEqual([])
})
