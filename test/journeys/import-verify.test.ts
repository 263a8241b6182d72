import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pricing, type RunningNewApi, runningNewApi, saying } from '../support/import-sources/running-new-api.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { migratedDirectory } from '../support/test-servers.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

const USERS = 12
let source: RunningNewApi
let elsewhere: ScriptedUpstream
beforeAll(async () => {
  source = await runningNewApi(USERS)
  elsewhere = await scriptedUpstream(saying('{"data":[]}'))
})
afterEach(() => {
  source.otherwise = {}
  source.asked.length = 0
})
afterAll(async () => {
  await source.close()
  elsewhere.close()
})

const verified = (...more: string[]) => source.run('--verify', source.origin, ...more)

test('a source that runs is asked for its lists alone, and one that says what the plan says has no difference', async () => {
  const { code, stdout, stderr } = await verified('--dry-run')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/Compared with the running source: \d+ keys and the prices of 2 models, no difference\./),
  ])
  expect(stdout).toContain('Nothing was written.')
  expect(new Set(source.asked)).toEqual(new Set(['GET /v1/models', 'GET /api/pricing', 'GET /api/status']))
  for (const { key } of source.rows.tokens) expect(stdout + stderr).not.toContain(key.slice(0, 12))
})

test('a price that was changed is found, refuses the import, and is imported where that is accepted', async () => {
  source.otherwise = { '/api/pricing': saying(JSON.stringify(pricing({ model_ratio: 0.5 }))) }
  const dry = await verified('--dry-run')
  expect([dry.code, dry.stdout]).toEqual([
    1,
    expect.stringContaining('price of house-b in default: A here $0.002625, there $0.0035'),
  ])
  const refused = await verified()
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('--accept differences imports it all the same'),
  ])
  expect((await source.run('--dry-run')).stdout).toContain('Nothing was written')
  const accepted = await verified('--accept', 'differences')
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('model: 2 created')])
})

test.for([
  ['lacks a model', { data: [{ id: 'house-a' }] }, 'here and not there: house-b'],
  [
    'has another model',
    { data: [{ id: 'house-a' }, { id: 'house-b' }, { id: 'house-c' }] },
    'there and not here: house-c',
  ],
] as const)('a list that %s is found, with the keys by their names', async ([, list, sentence]) => {
  source.otherwise = { '/v1/models': saying(JSON.stringify(list)) }
  const { code, stdout } = await verified('--dry-run')
  expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`${sentence}: "key \\d+" \\(sk-`))])
})

test.for([
  ['breaks off', saying('{"data": [{"id": "house'), 'it answered with something else than JSON'],
  ['is a page', saying('<!doctype html><title>Sign in</title>'), 'it answered with something else than JSON'],
  ['is huge', saying(`{"data":["${'x'.repeat(17 * 2 ** 20)}"]}`), 'its answer has more than 16 MB'],
  ['is nested without end', saying('['.repeat(1_000_000)), 'it answered with something else than JSON'],
  ['fails', saying('{}', 500), 'it answered with the status 500'],
] as const)('a list that %s is said, and no agreement', async ([, script, sentence]) => {
  source.otherwise = { '/v1/models': script }
  const { code, stdout } = await verified('--dry-run')
  expect([code, stdout]).toEqual([1, expect.stringContaining(sentence)])
  // After so many failures in a row the rest is not asked for.
  expect(source.asked.filter((each) => each.endsWith('/v1/models')).length).toBeLessThanOrEqual(USERS)
})

test('a redirect is not followed, so that no key goes to another place', async () => {
  const location = `http://127.0.0.1:${elsewhere.port}/v1/models`
  source.otherwise = { '/v1/models': saying('', 302, { location }) }
  const { code, stdout } = await verified('--dry-run')
  expect([code, stdout, elsewhere.asked]).toEqual([1, expect.stringContaining('redirects are not followed'), 0])
})

test('what is not an address is refused, and one where nothing answers is said', async () => {
  for (const url of [
    'new-api.example.test',
    'ftp://127.0.0.1',
    'http://user:pass@127.0.0.1',
    'http://127.0.0.1/?key=x',
  ]) {
    const { code, stderr } = await source.run('--dry-run', '--verify', url)
    expect([code, stderr]).toEqual([2, expect.stringContaining('it must be the address of the running source')])
  }
  const { code, stdout } = await source.run('--dry-run', '--verify', 'http://127.0.0.1:1')
  expect([code, stdout]).toEqual([1, expect.stringContaining('the connection was refused')])
  const history = await source.run('--history', '/nowhere', '--verify', source.origin)
  expect([history.code, history.stderr]).toEqual([2, expect.stringContaining('it takes no --verify')])
})

test('LiteLLM is asked with its master key, which stands in a variable and is not printed', async () => {
  const cost = {
    input_cost_per_token: 1e-6,
    output_cost_per_token: 2e-6,
    cache_read_input_token_cost: 1e-7,
    cache_creation_input_token_cost: 1e-6,
  }
  const params = { model: 'hosted_vllm/m', api_base: 'http://127.0.0.1:1' }
  const directory = await migratedDirectory()
  const path = join(directory, 'config.yaml')
  await writeFile(path, JSON.stringify({ model_list: [{ model_name: 'm', litellm_params: params, model_info: cost }] }))
  const askedWith: (string | undefined)[] = []
  elsewhere.script = (request, response) => {
    askedWith.push(`${request.url} ${request.headers.authorization}`)
    const there = { ...cost, output_cost_per_token: 3e-6 }
    saying(JSON.stringify({ data: [{ model_name: 'm', model_info: there }] }))(request, response)
  }
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET, IMPORT_VERIFY_KEY: 'sk-m4ster' }
  const address = `http://127.0.0.1:${elsewhere.port}/v1`
  const { code, stdout, stderr } = await runHere(environment, [
    'import',
    'litellm',
    path,
    '--dry-run',
    '--verify',
    address,
  ])
  expect([code, stdout]).toEqual([1, expect.stringContaining('price of m in default: A here $0.002, there $0.0025')])
  expect(askedWith).toEqual(['/model/info Bearer sk-m4ster'])
  expect(stdout + stderr).not.toContain('m4ster')
})
