import { describe, expect, test } from 'vitest'
import { formatUsd } from '../../core/money.ts'
import { deployed, planFor, saidIn } from '../../../test/support/import-sources/litellm-plan.ts'

const OPENAI = { environment: { OPENAI_API_KEY: 'sk-of-openai' } }

describe('limits and times', () => {
  test('rpm and tpm are limits of the credential, which no other deployment shares', async () => {
    const place = { api_base: 'http://10.0.0.1/v1', api_key: 'k' }
    const plan = await planFor({
      model_list: [
        { model_name: 'a', litellm_params: { model: 'openai/a', ...place, rpm: 60, tpm: 90_000 } },
        { model_name: 'b', litellm_params: { model: 'openai/b', ...place, rpm: 60, tpm: 90_000 } },
        { model_name: 'c', litellm_params: { model: 'openai/c', ...place } },
      ],
    })
    expect(plan.upstreams.map(({ credentials: [only] }) => [only?.requestsPerMinute, only?.tokensPerMinute])).toEqual([
      [60, 90_000],
      [60, 90_000],
      [undefined, undefined],
    ])
    expect(saidIn(plan)).not.toMatch(/rpm|tpm/)
  })

  test.for([
    [{ weight: 3 }, { weight: 1 }, [3, 1]],
    // Where the first has no weight, LiteLLM draws by its rpm, else by its tpm, and those without by none.
    [{ rpm: 900 }, { rpm: 100 }, [900, 100]],
    [{ tpm: 40_000_000 }, { tpm: 10_000_000 }, [1_000_000, 250_000]],
    [{ rpm: 900 }, {}, [900, 0]],
    [{}, { rpm: 100 }, [1, 1]],
  ] as const)('shares of %j and %j are %j', async ([first, second, weights]) => {
    const of = (host: number, more: object) => ({
      model_name: 'm',
      litellm_params: { model: 'openai/m', api_base: `http://10.0.0.${host}/v1`, api_key: 'k', ...more },
    })
    const { models } = await planFor({ model_list: [of(1, first), of(2, second)] })
    expect(models[0]?.targets.map(({ weight }) => weight)).toEqual(weights)
  })

  test.for([
    [{ timeout: 30 }, {}, 30_000, null],
    [{ timeout: '2.5' }, {}, 2_500, null],
    [{ timeout: 30, stream_timeout: 5 }, {}, 30_000, 'the timeout holds for both'],
    [{ stream_timeout: 5 }, {}, 5_000, 'holds for all requests here'],
    [{}, { router_settings: { timeout: 45 } }, 45_000, null],
    [{ timeout: 30 }, { litellm_settings: { request_timeout: 600 } }, 30_000, null],
    [{ timeout: 'soon' }, {}, undefined, 'have a timeout that is not carried'],
    [{ timeout: -1 }, {}, undefined, 'have a timeout that is not carried'],
    [{ timeout: 1e9 }, {}, undefined, 'have a timeout that is not carried'],
  ] as const)('%j beside %j waits for %s ms', async ([params, settings, ms, sentence]) => {
    const litellm_params = { model: 'hosted_vllm/m', api_base: 'http://10.0.0.1/v1', ...params }
    const plan = await planFor({ ...settings, model_list: [{ model_name: 'm', litellm_params }] })
    expect(plan.upstreams[0]?.firstByteTimeoutMs).toBe(ms)
    if (sentence === null) expect(saidIn(plan)).not.toMatch(/timeout/)
    else expect(saidIn(plan)).toContain(sentence)
  })
})

test('headers are sent in lower case, and those that cannot be sent are named without their values', async () => {
  const { upstream, said } = await deployed(
    {
      model: 'hosted_vllm/m',
      api_base: 'http://10.0.0.1/v1',
      custom_user_agent: 'house/1.0',
      extra_headers: {
        'X-House': 'yes',
        'x-HOUSE': 'again',
        'X-From': 'os.environ/FROM',
        'X-Number': 7,
        TE: 'v4lue-te',
        'Accept-Encoding': 'v4lue-gzip',
        Expect: 'v4lue-expect',
        Authorization: 'v4lue-auth',
        'x tab': 'v4lue-name',
        'X-Tab': 'v4lue\tof-tab',
        'X-Wide': 'v4lue-ü',
        'X-Placeholder': '${V4LUE}',
        'X-Own': 'os.environ/TOLLGATE_SECRET',
      },
    },
    { environment: { FROM: 'here', TOLLGATE_SECRET: 'v4lue-own' } },
  )
  expect(upstream?.headers).toEqual({
    'x-house': 'again',
    'x-from': 'here',
    'x-number': '7',
    'user-agent': 'house/1.0',
  })
  for (const name of [
    'te',
    'accept-encoding',
    'expect',
    'authorization',
    'x tab',
    'x-tab',
    'x-wide',
    'x-placeholder',
    'x-own',
  ])
    expect(said).toContain(`have a header ${name} that is not carried`)
  expect(said).not.toMatch(/v4lue/i)
})

const CATALOGUE = {
  named: 'a list',
  priceOf(name: string, provider?: string) {
    const input = ({ 'openai/gpt-4o': 2_500_000_000n, 'groq/gpt-4o': 9_000_000_000n } as Record<string, bigint>)[
      `${provider === 'groq' ? 'groq' : 'openai'}/${name}`
    ]
    const none = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null, units: null }
    return input === undefined ? null : { ...none, input: input as never, output: input as never }
  },
  namesOf: (provider: string) =>
    (
      { openai: ['gpt-4o', 'gpt-4o-mini', 'o3'], anthropic: ['claude-x'], groq: ['gpt-4o'] } as Record<
        string,
        readonly string[]
      >
    )[provider] ?? [],
}

describe('the price list that is shipped', () => {
  const inputOf = async (params: object, accepted: readonly 'catalogue'[], info = {}) => {
    const { plan, said } = await deployed(params, { ...OPENAI, catalogue: CATALOGUE, accepted, info })
    const input = plan.models[0]?.prices?.input
    return { input: input == null ? null : formatUsd(input), said, inexact: plan.approximations }
  }

  test('prices a model by its name at its provider, once it is accepted', async () => {
    const without = await inputOf({ model: 'openai/gpt-4o' }, [])
    expect([without.input, without.said]).toEqual([null, expect.stringContaining('--accept catalogue')])
    const accepted = await inputOf({ model: 'openai/gpt-4o' }, ['catalogue'])
    expect([accepted.input, accepted.inexact]).toEqual(['2.5', [{ name: 'catalogue', subjects: ['m, by a list'] }]])
    expect((await inputOf({ model: 'groq/gpt-4o', api_key: 'k' }, ['catalogue'])).input).toBe('9')
    expect((await inputOf({ model: 'gpt-4o' }, ['catalogue'])).input).toBe('2.5')
    expect((await inputOf({ model: 'openai/unknown' }, ['catalogue'])).input).toBe(null)
  })

  test('is that of the region where a cloud asks more there', async () => {
    const asked: unknown[] = []
    const catalogue = { ...CATALOGUE, priceOf: (...of: unknown[]) => (asked.push(of), null) }
    const google = { vertex_project: 'house-1', vertex_location: 'europe-west1' }
    await deployed({ model: 'vertex_ai/claude-x', ...google }, { catalogue, accepted: ['catalogue'] })
    const baseUrl = 'https://europe-west1-aiplatform.googleapis.com/v1/projects/house-1/locations/europe-west1'
    expect(asked).toEqual([['claude-x', 'vertex_ai', baseUrl]])
  })

  test('comes behind what the configuration says, and by base_model where a deployment has a name of its own', async () => {
    const cost = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 }
    expect((await inputOf({ model: 'openai/gpt-4o', ...cost }, ['catalogue'])).input).toBe('1')
    expect((await inputOf({ model: 'openai/ours' }, ['catalogue'], { base_model: 'openai/gpt-4o' })).input).toBe('2.5')
  })
})

describe('names with a star', () => {
  const star = (name: string, model: string, more = {}) => ({ model_name: name, litellm_params: { model, ...more } })
  const planned = async (list: readonly object[], about: Parameters<typeof planFor>[1] = {}) => {
    const environment = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a' }
    const plan = await planFor(
      { model_list: list },
      { environment, catalogue: CATALOGUE, wildcards: 'catalogue', ...about },
    )
    const served = plan.models.map(
      ({ name, targets }) => `${name} → ${targets.map(({ upstream, model }) => `${upstream} ${model}`).join(', ')}`,
    )
    return { plan, served, said: saidIn(plan) }
  }

  test('are left out without a flag, and the report says which there are', async () => {
    const { served, said } = await planned([star('openai/*', 'openai/*')], { wildcards: null })
    expect([served, said]).toEqual([
      [],
      expect.stringContaining('--wildcards catalogue serves those of the price list'),
    ])
  })

  test('stand for the models of the provider, which LiteLLM also knows without it', async () => {
    const { served } = await planned([star('openai/*', 'openai/*')])
    expect(served).toEqual([
      'openai/gpt-4o → openai gpt-4o',
      'gpt-4o → openai gpt-4o',
      'openai/gpt-4o-mini → openai gpt-4o-mini',
      'gpt-4o-mini → openai gpt-4o-mini',
      'openai/o3 → openai o3',
      'o3 → openai o3',
    ])
  })

  test.for([
    // BerriAI/litellm#2788
    ['*', 'openai/*', {}, ['gpt-4o → openai gpt-4o', 'gpt-4o-mini → openai gpt-4o-mini', 'o3 → openai o3']],
    // BerriAI/litellm#13078
    [
      'genai/test/*',
      'openai/*',
      { api_base: 'http://10.0.0.9/v1' },
      ['genai/test/gpt-4o → openai gpt-4o', 'genai/test/gpt-4o-mini → openai gpt-4o-mini', 'genai/test/o3 → openai o3'],
    ],
    ['fast-*', 'openai/gpt-*-mini', {}, ['fast-4o → openai gpt-4o-mini']],
  ] as const)('%s of %s is what it is there', async ([name, model, more, expected]) => {
    expect((await planned([star(name, model, more)])).served).toEqual(expected)
  })

  test('of all providers are those whose key is there', async () => {
    const { served } = await planned([star('*', '*')])
    expect(served).toContain('openai/gpt-4o → openai gpt-4o')
    expect(served).toContain('claude-x → anthropic claude-x')
    expect(served.join()).not.toContain('groq')
  })

  test('come behind names that are written out, and short ones behind longer ones', async () => {
    const { served } = await planned([
      star('openai/*', 'openai/*'),
      star('openai/gpt-4o*', 'openai/gpt-4o*', { api_base: 'http://10.0.0.7/v1' }),
      star('openai/o3', 'openai/o3', { api_base: 'http://10.0.0.8/v1' }),
    ])
    expect(served).toContain('openai/gpt-4o-mini → openai 2 gpt-4o-mini')
    expect(served).toContain('openai/o3 → openai 3 o3')
  })

  // BerriAI/litellm#8095
  test('are what the upstream lists, where that is wanted', async () => {
    const asked: string[] = []
    const listModels = (upstream: { readonly baseUrl: string }) => {
      asked.push(upstream.baseUrl)
      return Promise.resolve(['deepseek-r1:14b', 'x'.repeat(500)])
    }
    const list = [star('ollama_chat/*', 'ollama_chat/*', { api_base: 'http://10.0.0.1:11434' })]
    const { served, said } = await planned(list, { wildcards: 'upstream', listModels })
    expect([served, asked]).toEqual([
      ['ollama_chat/deepseek-r1:14b → ollama_chat deepseek-r1:14b'],
      ['http://10.0.0.1:11434/v1'],
    ])
    expect(said).toContain('that no model can have')
    const silent = await planned(list, { wildcards: 'upstream', listModels: () => Promise.resolve(null) })
    expect([silent.served, silent.said]).toEqual([[], expect.stringContaining('gave no list')])
  })

  test('of clouds are those of their list that are asked in the region, each by its protocol, behind names that are written', async () => {
    const listed = [
      'us.anthropic.claude-x-v1:0',
      'eu.anthropic.claude-x-v1:0',
      'global.anthropic.claude-x-v1:0',
      'amazon.nova-x-v1:0',
      'amazon.titan-embed-x',
      'us-east-1/amazon.nova-x-v1:0',
    ]
    const ofCloud = { bedrock: listed, vertex_ai: ['claude-x', 'gemini-x'], azure: ['gpt-x'] } as Record<
      string,
      string[]
    >
    const catalogue = { ...CATALOGUE, namesOf: (provider: string) => ofCloud[provider] ?? [] }
    const aws = { aws_access_key_id: 'AKIA1', aws_secret_access_key: 's', aws_region_name: 'eu-central-1' }
    const google = { vertex_project: 'house-1', vertex_location: 'global' }
    const list = [
      star('bedrock/*', 'bedrock/*', aws),
      star('bedrock/amazon.*', 'bedrock/amazon.*', { ...aws, aws_region_name: 'eu-west-1' }),
      star('claude', 'vertex_ai/claude-x', google),
      star('vertex_ai/*', 'vertex_ai/*', google),
      star('azure/*', 'azure/*', { api_base: 'https://house.openai.azure.com', api_key: 'k' }),
    ]
    const { plan, served, said } = await planned(list, { catalogue })
    const at = Object.fromEntries(plan.upstreams.map(({ name, protocol, baseUrl }) => [name, `${protocol} ${baseUrl}`]))
    const shown = served.map((line) => line.replace(/→ (.+) (?=\S+$)/, (_, name: string) => `→ ${at[name]} `))
    const [central, west] = ['eu-central-1', 'eu-west-1'].map(
      (region) => `https://bedrock-runtime.${region}.amazonaws.com`,
    )
    const vertex = 'https://aiplatform.googleapis.com/v1/projects/house-1/locations/global'
    expect(shown.filter((line) => /[/](?:amazon|eu|us|global)\./.test(line))).toEqual([
      `bedrock/eu.anthropic.claude-x-v1:0 → anthropic ${central} eu.anthropic.claude-x-v1:0`,
      `bedrock/global.anthropic.claude-x-v1:0 → anthropic ${central} global.anthropic.claude-x-v1:0`,
      `bedrock/amazon.nova-x-v1:0 → converse ${west} amazon.nova-x-v1:0`,
    ])
    expect(shown).toContain(`claude → anthropic ${vertex} claude-x`)
    expect(shown).toContain(`vertex_ai/gemini-x → gemini ${vertex} gemini-x`)
    expect(said).toContain('stand for many deployments (*) of Azure, whose names no list has')
    expect(said).not.toContain('do not chat')
    const without = await planned(list.slice(0, 1), { catalogue, wildcards: null })
    expect([without.served, without.said]).toEqual([[], expect.stringContaining('--wildcards catalogue serves')])
  })

  test.for(['openai/gpt-4o', 'openai/*-*-*'])('that leave open what they stand for are named: %s', async (model) => {
    const { served, said } = await planned([star('any-*', model)])
    expect([served, said]).toEqual([[], expect.stringContaining('have no names of their own there')])
  })

  test('are part of what a key may call by them, and each has its price', async () => {
    const { plan } = await planned([star('openai/*', 'openai/*')], { accepted: ['catalogue'] })
    expect(plan.models.map(({ name, prices }) => [name, prices === null])).toContainEqual(['openai/gpt-4o', false])
  })
})

describe('fallbacks between models', () => {
  const of = (name: string, host: number, cost: number) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_base: `http://10.0.0.${host}/v1`, api_key: 'k' },
    model_info: { input_cost_per_token: cost, output_cost_per_token: cost },
  })
  const config = (settings: object) => ({
    ...settings,
    model_list: [of('a', 1, 1e-6), of('b', 2, 2e-6), of('c', 3, 3e-6)],
  })
  const targetsOf = async (settings: object, hasFallbacks = true) => {
    const plan = await planFor(config(settings), { hasFallbacks })
    const shown = plan.models.map(({ name, targets, prices }) => [
      name,
      targets.map(({ model, priority }) => `${model}@${priority}`).join(' '),
      prices?.input == null ? null : formatUsd(prices.input),
    ])
    return { shown, said: saidIn(plan) }
  }
  const ROUTER = { router_settings: { fallbacks: [{ a: ['b', 'c'] }] } }

  // BerriAI/litellm#25503
  test('are targets behind the model’s own, at the price of the model that was asked for', async () => {
    const { shown } = await targetsOf(ROUTER)
    expect(shown).toEqual([
      ['a', 'a@0 b@1 c@2', '1'],
      ['b', 'b@0', '2'],
      ['c', 'c@0', '3'],
    ])
  })

  test('are named without a flag', async () => {
    const { shown, said } = await targetsOf(ROUTER, false)
    expect([shown[0]?.[1], said]).toEqual(['a@0', expect.stringContaining('--fallbacks makes them targets')])
  })

  test.for([
    [{ litellm_settings: { fallbacks: [{ b: ['a'] }] } }, ['a@0', 'b@0 a@1', 'c@0'], null],
    [{ router_settings: { default_fallbacks: ['c'] } }, ['a@0 c@1', 'b@0 c@1', 'c@0'], null],
    [{ router_settings: { fallbacks: [{ '*': ['c'] }, { a: ['b'] }] } }, ['a@0 b@1', 'b@0 c@1', 'c@0'], null],
    [
      { router_settings: { fallbacks: [{ a: ['gone'] }] } },
      ['a@0', 'b@0', 'c@0'],
      'fall back to gone, which is not served here',
    ],
    [
      { router_settings: { context_window_fallbacks: [{ a: ['b'] }] } },
      ['a@0', 'b@0', 'c@0'],
      'fallbacks for prompts that are too long or refused',
    ],
  ] as const)('%j', async ([settings, targets, sentence]) => {
    const { shown, said } = await targetsOf(settings)
    expect(shown.map(([, each]) => each)).toEqual(targets)
    expect(said).toContain(sentence ?? '')
  })
})
