import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const CREDENTIAL = 'sk-of-the-provider'
const [PROMPT, COMPLETION, CACHED] = [1_001, 203, 301]

let upstream: ScriptedUpstream
let gateway: GatewayUnderTest
let directory: string
const asked: {
  readonly credential: string | undefined
  readonly title: string | undefined
  readonly model: unknown
}[] = []

beforeAll(async () => {
  upstream = await scriptedUpstream((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: unknown }
      const title = request.headers['x-title']
      asked.push({ credential: request.headers.authorization, title: String(title), model })
      const usage = {
        prompt_tokens: PROMPT,
        completion_tokens: COMPLETION,
        total_tokens: PROMPT + COMPLETION,
        prompt_tokens_details: { cached_tokens: CACHED },
      }
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model, choices, usage }))
    })
  })
  directory = await migratedDirectory()
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_DATA_DIR: directory } })
})
afterAll(async () => {
  await gateway.close()
  upstream.close()
})

const config = (base: string) => `
model_list:
  - model_name: house-model
    litellm_params:
      model: openai/gpt-house
      api_base: ${base}
      api_key: os.environ/HOUSE_KEY
      extra_headers: { X-Title: house }
      rpm: 60
      timeout: 90
    model_info:
      input_cost_per_token: 2.5e-06
      output_cost_per_token: 0.00001
      cache_read_input_token_cost: 0.00000025
  - model_name: house-model
    litellm_params: { model: openai/gpt-spare, api_base: "${base}", api_key: "os.environ/HOUSE_KEY", order: 2 }
  - model_name: listed-model
    litellm_params: { model: hosted_vllm/qwen, api_base: ${base} }
  - model_name: claude-model
    litellm_params: { model: anthropic/claude-x, api_key: os.environ/NOT_SET }
  - model_name: cloud-model
    litellm_params: { model: bedrock/anthropic.claude-x, aws_region_name: eu-west-1, aws_access_key_id: AKIA1, aws_secret_access_key: cloud/secret }
  - model_name: own-form
    litellm_params: { model: sagemaker/x }
  - model_name: openai/*
    litellm_params: { model: openai/*, api_key: sk-plain }
router_settings:
  model_group_alias: { nick-model: house-model }
  fallbacks: [{ house-model: [listed-model] }]
general_settings:
  master_key: sk-master
  database_url: postgresql://litellm-user:secret@db/litellm
`
const LISTED = {
  qwen: {
    input_cost_per_token: 1e-6,
    output_cost_per_token: 2e-6,
    input_cost_per_token_above_200k_tokens: 2e-6,
    output_cost_per_token_above_200k_tokens: 4e-6,
    search_context_cost_per_query: { search_context_size_low: 0.03 },
    output_cost_per_reasoning_token: 3e-6,
    citation_cost_per_token: 1e-6,
  },
}

async function run(text: string, ...more: string[]) {
  const path = `${directory}/config.yaml`
  await writeFile(path, text)
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET, HOUSE_KEY: CREDENTIAL }
  return runHere(environment, ['import', 'litellm', path, ...more])
}

async function listedFile(): Promise<string> {
  const path = `${directory}/prices.json`
  await writeFile(path, JSON.stringify(LISTED))
  return path
}

test('the models of LiteLLM’s configuration are served here, at their prices and by their credentials', async () => {
  const base = `http://127.0.0.1:${upstream.port}/v1`
  const more = ['--pricing', await listedFile()]
  const dry = await run(config(base), '--dry-run', ...more)
  expect([dry.code, dry.stderr]).toEqual([0, expect.not.stringContaining('Error')])
  for (const secret of [CREDENTIAL, 'sk-plain', 'sk-master', 'litellm-user', 'cloud/secret'])
    expect(dry.stdout).not.toContain(secret)
  for (const said of [
    'models         5, 3 with a price',
    'model_list 4: name an api_key that is not here',
    `HOUSE_KEY, for 127.0.0.1:${upstream.port}: taken`,
    'NOT_SET, for api.anthropic.com: not set',
    'bedrock: anthropic (bedrock), https://bedrock-runtime.eu-west-1.amazonaws.com',
    'model_list 6: are of sagemaker, which is not carried',
    'model_list 7: stand for many models (*)',
    'model_list listed-model: have citation_cost_per_token, which is not carried: what it is for is not counted here',
    'general_settings: names a database',
    'router_settings: has fallbacks to other models',
  ]) {
    expect(dry.stdout).toContain(said)
  }
  const first = await run(config(base), ...more)
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('model: 5 created, 0 changed')])
  const again = await run(config(base), ...more)
  expect(again.stdout).toContain('Nothing is different from the last import.')

  const account = await gateway.account({ balance: '1' })
  const group = (await gateway.store.groups.groups()).find(({ name }) => name === 'default')
  const { secret } = await gateway.key(account, { groupId: group?.id ?? '' })
  const call = async (model: string) => {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.text()
    return [response.status, response.headers.get('x-tollgate-cost')] as const
  }
  await expect.poll(async () => (await call('nick-model'))[0], { timeout: PATIENCE_MS }).toBe(200)
  // (1,001 − 301) × 2.5 + 301 × 0.25 + 203 × 10 USD for a million.
  expect(await call('house-model')).toEqual([200, '0.00385525'])
  expect(asked.at(-1)).toEqual({ credential: `Bearer ${CREDENTIAL}`, title: 'house', model: 'gpt-house' })
  expect(await call('listed-model')).toEqual([200, '0.001407'])
  expect(asked.at(-1)).toMatchObject({ model: 'qwen' })
  const limited = (await gateway.store.catalog.upstreams()).find(
    ({ firstByteTimeoutMs }) => firstByteTimeoutMs === 90_000,
  )
  expect(limited?.credentials.map(({ requestsPerMinute }) => requestsPerMinute)).toEqual([60])
  const cloud = async () => (await gateway.store.catalog.upstreams()).find(({ name }) => name === 'bedrock')
  const [credential] = (await cloud())?.credentials ?? []
  expect([(await cloud())?.passage, credential?.kind, credential?.settings]).toEqual([
    { dialect: 'bedrock' },
    'aws',
    { source: 'keys', access_key_id: 'AKIA1' },
  ])
  const later = await run(
    config(base)
      .replace('rpm: 60', 'rpm: 61')
      .replace('timeout: 90', 'max_parallel_requests: 9')
      .replace('aws_region_name', 'aws_role_name: "arn:aws:iam::1:role/x", aws_region_name')
      .replace('eu-west-1,', 'eu-west-1, aws_bedrock_runtime_endpoint: "https://bedrock.house.test",'),
    ...more,
  )
  expect(later.stdout).toContain('upstream: 0 created, 2 changed')
  const [assuming] = (await cloud())?.credentials ?? []
  expect([(await cloud())?.passage, assuming?.settings]).toEqual([
    { dialect: 'bedrock', region: 'eu-west-1' },
    { source: 'keys', access_key_id: 'AKIA1', role_arn: 'arn:aws:iam::1:role/x' },
  ])
  const changed = (await gateway.store.catalog.upstreams()).find(({ id }) => id === limited?.id)
  expect([changed?.firstByteTimeoutMs, changed?.credentials[0]?.requestsPerMinute]).toEqual([null, 61])
  const models = await gateway.store.catalog.models()
  const targets = models.find(({ name }) => name === 'house-model')?.targets ?? []
  expect(targets.map(({ model, priority }) => [model, priority])).toEqual([
    ['gpt-house', 0],
    ['gpt-spare', 1],
  ])
  expect(models.find(({ name }) => name === 'listed-model')?.prices?.rules?.lengthTiers).toHaveLength(1)
})

test.for([
  ['no YAML', 'model_list: [', 'The source is not valid YAML'],
  ['without models', 'general_settings: {}', 'The source has no model_list'],
  ['with an entry that names no model', 'model_list: [{ model_name: a }]', 'Entry 1 of model_list has no model_name'],
  ['empty', '', 'The source has no model_list'],
] as const)('a file that is %s is refused in one sentence', async ([, text, sentence]) => {
  const { code, stderr } = await run(text)
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
})

/** What the upstream of the next test was sent as a credential. */
const credentials: (string | undefined)[] = []

const OWN = {
  AWS_BEARER_TOKEN_BEDROCK: 'a-token-of-the-cloud',
  DATABASE_URL: 'postgresql://books:pa55word@127.0.0.1:1/books',
  IMPORT_PASSWORD: 'a-password-of-a-database',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a-token-of-the-traces',
  PGPASSWORD: 'a-password-of-postgres',
  REDIS_URL: 'redis://:pa55word@127.0.0.1:1',
  TOLLGATE_ADMIN_TOKEN: 'an-admin-token-that-is-only-for-tests',
  TOLLGATE_BACKUP_PASSPHRASE: 'a-passphrase-of-backups',
  TOLLGATE_SECRET: TEST_SECRET,
}

describe('a configuration that names environment variables', () => {
  let host: ScriptedUpstream
  let base: string
  beforeAll(async () => {
    host = await scriptedUpstream((request, response) => {
      request.resume()
      credentials.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o' }] }))
    })
    base = `http://127.0.0.1:${host.port}/v1`
  })
  afterAll(() => host.close())

  const PROVIDERS = { HOUSE_KEY: CREDENTIAL, OPENAI_API_KEY: 'sk-of-openai' }
  const tried = async (text: string, more: readonly string[] = [], own: Record<string, string> = {}) => {
    credentials.length = 0
    const path = `${directory}/named.yaml`
    await writeFile(path, text)
    const place = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
    const given = { ...PROVIDERS, HOUSE_BASE: base, ...place, ...own }
    return runHere(given, ['import', 'litellm', path, '--dry-run', '--test', ...more])
  }
  const entry = (params: object) => JSON.stringify({ model_list: [{ model_name: 'm', litellm_params: params }] })
  const model = 'openai/gpt-4o'

  test.each(Object.entries(OWN))('is never sent %s, also where it is allowed by name', async (name, value) => {
    const text = entry({ model, api_base: base, api_key: `os.environ/${name}` })
    const { stdout } = await tried(text, [], { [name]: value })
    expect(credentials).toEqual([])
    expect(stdout).toContain(`${name}, for 127.0.0.1:${host.port}: never taken`)
    expect(stdout).not.toContain(value)
    const allowed = await tried(text, ['--variables', name], { [name]: value })
    expect([allowed.code, credentials]).toEqual([2, []])
    expect(allowed.stderr).toContain(`--variables names ${name}, which is this gateway’s own or the machine’s`)
  })

  test('is never sent a key that requests to AWS may be signed with, also where that is allowed by name', async () => {
    const AWS_SECRET_ACCESS_KEY = 'a-secret-of-the-cloud'
    const text = entry({ model, api_base: base, api_key: 'os.environ/AWS_SECRET_ACCESS_KEY' })
    const { code, stdout } = await tried(text, ['--variables', 'AWS_SECRET_ACCESS_KEY'], { AWS_SECRET_ACCESS_KEY })
    expect([code, credentials]).toEqual([0, []])
    expect(stdout).toContain(`AWS_SECRET_ACCESS_KEY, for 127.0.0.1:${host.port}: never taken`)
    expect(stdout).not.toContain(AWS_SECRET_ACCESS_KEY)
  })

  test.each([
    ['named', { model, api_key: 'os.environ/HOUSE_KEY' }, 'HOUSE_KEY', CREDENTIAL],
    ['that its provider reads by itself', { model }, 'OPENAI_API_KEY', PROVIDERS.OPENAI_API_KEY],
  ])(
    'is sent one %s only where a flag allows it, and the report says to which host',
    async (...[, params, name, value]) => {
      const text = entry({ ...params, api_base: base })
      const { stdout } = await tried(text)
      expect(credentials).toEqual([])
      expect(stdout).toContain(`${name}, for 127.0.0.1:${host.port}: not taken; allow it with --variables ${name}`)
      expect((await tried(text, ['--variables', 'ANOTHER'])).stdout).toContain('not taken')
      expect(credentials).toEqual([])
      const allowed = await tried(text, ['--variables', name])
      expect(allowed.stdout).toContain(`${name}, for 127.0.0.1:${host.port}: taken`)
      expect(allowed.stdout).not.toContain(value)
      expect(credentials).toEqual([`Bearer ${value}`])
    },
  )

  test('an import that tests nothing takes others unasked, and says so first, but those that are named alone where some are', async () => {
    const path = `${directory}/named.yaml`
    await writeFile(path, entry({ model, api_base: base, api_key: 'os.environ/HOUSE_KEY' }))
    const dry = (...more: string[]) => {
      const given = { ...PROVIDERS, TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
      return runHere(given, ['import', 'litellm', path, '--dry-run', ...more])
    }
    expect((await dry()).stdout).toContain(`HOUSE_KEY, for 127.0.0.1:${host.port}: taken`)
    expect((await dry('--variables', 'ANOTHER')).stdout).toContain('HOUSE_KEY, for 127.0.0.1')
    expect((await dry('--variables', 'ANOTHER')).stdout).toContain('not taken')
  })

  test('names with a star are looked up at their upstream by a variable only where a flag allows it', async () => {
    const path = `${directory}/star.yaml`
    const params = { model: 'openai/*', api_base: base, api_key: 'os.environ/HOUSE_KEY' }
    await writeFile(path, JSON.stringify({ model_list: [{ model_name: 'house/*', litellm_params: params }] }))
    const looked = (...more: string[]) => {
      credentials.length = 0
      const given = { ...PROVIDERS, TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
      return runHere(given, ['import', 'litellm', path, '--dry-run', '--wildcards', 'upstream', ...more])
    }
    const shut = await looked()
    expect([credentials, shut.stdout]).toEqual([[], expect.stringContaining('allow it with --variables HOUSE_KEY')])
    const allowed = await looked('--variables', 'HOUSE_KEY')
    expect([credentials, allowed.stdout]).toEqual([
      [`Bearer ${CREDENTIAL}`],
      expect.stringContaining('models house/gpt-4o: have no price'),
    ])
  })

  test('an address in a variable is not printed, and is asked only where it is allowed', async () => {
    const text = entry({ model, api_base: 'os.environ/HOUSE_BASE', api_key: 'os.environ/HOUSE_KEY' })
    const { stdout } = await tried(text, ['--variables', 'HOUSE_KEY'])
    expect([stdout.includes(base), credentials]).toEqual([false, []])
    const allowed = await tried(text, ['--variables', 'HOUSE_BASE,HOUSE_KEY'])
    expect(allowed.stdout).not.toContain(base)
    expect(allowed.stdout).toContain('openai: openai-chat, the address in HOUSE_BASE')
    expect(allowed.stdout).toContain('HOUSE_KEY, for the address in HOUSE_BASE: taken')
    expect(credentials).toEqual([`Bearer ${CREDENTIAL}`])
    const secret = entry({ model, api_base: 'os.environ/DATABASE_URL', api_key: 'sk-plain' })
    const { stdout: said } = await tried(secret, [], { DATABASE_URL: OWN.DATABASE_URL })
    expect(said).not.toContain('pa55word')
  })

  test('a name that every object has stands for no variable', async () => {
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      const { code, stdout } = await tried(entry({ model, api_base: base, api_key: `os.environ/${name}` }))
      expect([code, credentials], name).toEqual([0, []])
      expect(stdout).toContain('not set')
    }
  })
})
