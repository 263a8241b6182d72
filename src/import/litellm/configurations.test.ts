import { describe, expect, test } from 'vitest'
import { deployed, planFor, saidIn } from '../../../test/support/import-sources/litellm-plan.ts'

const OPENAI = { environment: { OPENAI_API_KEY: 'sk-of-openai' } }

describe('YAML', () => {
  test('merges are applied: what is written wins, then the first of several', async () => {
    const plan = await planFor(`
x-house: &house { api_base: "http://10.0.0.1/v1", api_key: sk-house, rpm: 60 }
x-slow: &slow { timeout: 30, rpm: 6, api_key: sk-slow }
model_list:
  - model_name: a
    litellm_params: { <<: *house, model: openai/gpt-a }
  - model_name: b
    litellm_params:
      model: openai/gpt-b
      api_key: sk-own
      <<: [*slow, *house]
`)
    expect(
      plan.upstreams.map(({ baseUrl, firstByteTimeoutMs, credentials: [only] }) => [
        baseUrl,
        only?.secret,
        only?.requestsPerMinute,
        firstByteTimeoutMs,
      ]),
    ).toEqual([
      ['http://10.0.0.1/v1', 'sk-house', 60, undefined],
      ['http://10.0.0.1/v1', 'sk-own', 6, 30_000],
    ])
    expect(saidIn(plan)).not.toContain('<<')
  })

  const deep = (link: (before: string) => string) =>
    'bcdefghijklmnopqrstuvwxyz'
      .split('')
      .map((name, i) => `${name}: &${name} ${link('abcdefghijklmnopqrstuvwxyz'[i] ?? '')}`)
  test.for([
    ['aliases that double', ['a: &a [1, 1]', ...deep((a) => `[*${a}, *${a}]`)].join('\n'), 'more aliases than'],
    [
      'merges that double',
      ['a: &a { k: 1 }', ...deep((a) => `{ <<: [*${a}, *${a}] }`)].join('\n'),
      'more aliases than',
    ],
    ['an alias within itself', 'a: &a { <<: *a }\nmodel_list: []', 'an alias that stands within what it names'],
    ['a merge of no map', 'a: &a [1]\nb: { <<: *a }\nmodel_list: []', 'leads to no map'],
    ['brackets by the million', '['.repeat(1_000_000), 'nested more deeply'],
    ['dashes by the million', '- '.repeat(1_000_000), 'nested more deeply'],
  ] as const)('%s are refused at once', async ([, text, sentence]) => {
    await expect(planFor(text)).rejects.toThrow(sentence)
  })

  test('an alias is used as often as a configuration has models', async () => {
    const entries = Array.from(
      { length: 300 },
      (_, i) => `  - { model_name: m${i}, litellm_params: { <<: *d, model: openai/m${i} } }`,
    )
    const plan = await planFor(
      ['x: &d { api_base: http://10.0.0.1/v1, api_key: k }', 'model_list:', ...entries].join('\n'),
    )
    expect([plan.models.length, plan.upstreams.length]).toEqual([300, 1])
  })
})

describe('credentials by name', () => {
  const config = (credential: object, params: object = {}) => ({
    credential_list: [{ credential_name: 'relay', ...credential }],
    model_list: [
      { model_name: 'm', litellm_params: { model: 'openai/gpt-4o', litellm_credential_name: 'relay', ...params } },
    ],
  })
  const VALUES = { api_base: 'http://10.0.0.2/v1', api_key: 'os.environ/RELAY' }
  const environment = { RELAY: 'sk-relay' }

  test.for([
    [{ credential_values: VALUES, credential_info: { provider: 'openai' } }, {}],
    // Early forms have the values beside the name: BerriAI/litellm#9114.
    [VALUES, {}],
    // A blank field says nothing: BerriAI/litellm#37152.
    [{ credential_values: VALUES }, { api_base: '', api_key: ' ' }],
  ] as const)('their address and key are taken: %j', async ([credential, params]) => {
    const { upstreams } = await planFor(config(credential, params), { environment })
    expect([upstreams[0]?.baseUrl, upstreams[0]?.credentials[0]?.secret]).toEqual(['http://10.0.0.2/v1', 'sk-relay'])
  })

  test('what the deployment says itself comes first, and one that is not in the list is named', async () => {
    const own = await planFor(config({ credential_values: VALUES }, { api_key: 'sk-own' }))
    expect(own.upstreams[0]?.credentials[0]?.secret).toBe('sk-own')
    const lacking = await planFor({ ...config({ credential_values: VALUES }), credential_list: [] }, OPENAI)
    expect(lacking.upstreams[0]?.credentials[0]?.isDisabled).toBe(true)
    expect(saidIn(lacking)).toContain('name a credential relay, which credential_list has not')
  })
})

describe('variables that the configuration sets', () => {
  const config = (environment_variables: object, api_key = 'os.environ/HOUSE') => ({
    environment_variables,
    model_list: [{ model_name: 'm', litellm_params: { model: 'openai/gpt-4o', api_key } }],
  })

  test('are the source of os.environ/…, and need no permission', async () => {
    const plan = await planFor(config({ HOUSE: 'sk-house' }), { variables: new Set() })
    expect(plan.upstreams[0]?.credentials[0]?.secret).toBe('sk-house')
    expect(plan.variables).toEqual([{ name: 'HOUSE', to: 'api.openai.com', state: 'configured' }])
  })

  test('are the source of what LiteLLM reads by itself, the address too', async () => {
    const set = { OPENAI_API_KEY: 'sk-set', OPENAI_API_BASE: 'http://10.0.0.3/v1' }
    const plan = await planFor({
      environment_variables: set,
      model_list: [{ model_name: 'm', litellm_params: { model: 'openai/gpt-4o' } }],
    })
    const [upstream] = plan.upstreams
    expect([upstream?.baseUrl, upstream?.protocol, upstream?.credentials[0]?.secret]).toEqual([
      'http://10.0.0.3/v1',
      'openai-chat',
      'sk-set',
    ])
  })

  test('lead on to a variable of this machine only where that may be read', async () => {
    const environment = { OUTSIDE: 'sk-outside' }
    const led = config({ HOUSE: 'os.environ/OUTSIDE' })
    expect((await planFor(led, { environment })).upstreams[0]?.credentials[0]?.secret).toBe('sk-outside')
    const shut = await planFor(led, { environment, variables: new Set() })
    expect(shut.upstreams[0]?.credentials[0]?.isDisabled).toBe(true)
  })

  test.for(['TOLLGATE_SECRET', 'DATABASE_URL', 'AWS_SECRET_ACCESS_KEY'])(
    'never %s, however it is led to',
    async (own) => {
      const environment = { [own]: 'a-secret-of-this-machine' }
      for (const text of [
        config({}, `os.environ/${own}`),
        config({ HOUSE: `os.environ/${own}` }),
        config({ [own]: 'x' }, `os.environ/${own}`),
      ]) {
        const plan = await planFor(text, { environment, variables: new Set([own]) })
        expect(JSON.stringify([plan.upstreams, plan.variables, plan.notes])).not.toContain('a-secret-of-this-machine')
        expect(plan.upstreams[0]?.credentials[0]?.isDisabled).toBe(true)
      }
    },
  )
})

// Nikita-Filonov/ai-review#107
test.for(['${OPENAI_API_KEY}', '$OPENAI_API_KEY', 'Bearer ${KEY}', '{{ key }}', '%KEY%', '<your-key>'])(
  'the placeholder %s is named, and not taken for a secret',
  async (api_key) => {
    const { credential, said } = await deployed({ model: 'openai/gpt-4o', api_key })
    expect([credential?.isDisabled, credential?.secret]).toEqual([true, 'none'])
    expect(said).toMatch(/have \S.* in place of an api_key, which LiteLLM sends as it is written/)
  },
)

describe('included files', () => {
  const entry = (name: string) =>
    `model_list: [{ model_name: ${name}, litellm_params: { model: hosted_vllm/x, api_base: "http://10.0.0.1" } }]\n`
  const namesOf = async (text: string, files: Readonly<Record<string, string>>) =>
    (await planFor(text, { files })).models.map(({ name }) => name)

  test('are read from where the including file is, and their lists put behind its own', async () => {
    const files = { 'models/b.yaml': `include: c.yaml\n${entry('b')}`, 'models/c.yaml': entry('c') }
    expect(await namesOf(`include: [models/b.yaml]\n${entry('a')}`, files)).toEqual(['a', 'b', 'c'])
    // BerriAI/litellm#40031
    expect(await namesOf('include: [models/b.yaml]\n', files)).toEqual(['b', 'c'])
  })

  test.for([
    ['itself', 'include: config.yaml\n', {}, 'leads back to itself'],
    ['one that includes it again', 'include: b.yaml\n', { 'b.yaml': 'include: config.yaml\n' }, 'leads back to itself'],
    ['one that is not there', 'include: [b.yaml]\n', {}, 'which is not there'],
    ['a directory', 'include: [b]\n', { 'b/c.yaml': '' }, 'cannot be read, or is not a file'],
    ['a device without an end', 'include: [/dev/zero]\n', {}, 'cannot be read, or is not a file'],
    ['a file that is too large', 'include: [b.yaml]\n', { 'b.yaml': `x: ${'y'.repeat(5_000_000)}` }, 'is too large'],
    [
      'no YAML',
      'include: [b.yaml]\n',
      { 'b.yaml': 'model_list: [sk-in-the-text' },
      'The included file "b.yaml" is not valid YAML',
    ],
    [
      'ever another one',
      'include: [1.yaml]\n',
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i + 1}.yaml`, `include: [${i + 2}.yaml]\n`])),
      'more than 5 files deep',
    ],
    [
      'each other many times',
      `include: [${Array.from({ length: 60 }, () => 'b.yaml').join(', ')}]\n`,
      { 'b.yaml': 'x: 1\n' },
      'includes more than 50 files',
    ],
  ] as const)('a file that includes %s is refused in one sentence', async ([, text, files, sentence]) => {
    const plan = planFor(`${text}${entry('a')}`, { files })
    await expect(plan).rejects.toThrow(sentence)
    await expect(plan).rejects.not.toThrow('sk-in-the-text')
  })
})
