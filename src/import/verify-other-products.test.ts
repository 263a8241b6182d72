import { describe, expect, test } from 'vitest'
import { key, LISTS, planOf, status, usd, verified } from '../../test/support/import-sources/verified-plan.ts'
import { ONE_PPM } from '../core/money.ts'

/** Answers of sub2api’s handlers: `handler/gateway_handler.go`, `handler/admin/channel_handler.go`, its wrapped answers. */
describe('sub2api', () => {
  const channel = (input_price: number) => ({
    status: 'active',
    group_ids: [1, 2],
    model_pricing: [
      {
        models: ['gpt-4o'],
        billing_mode: 'token',
        input_price,
        output_price: 1e-5,
        cache_read_price: 2.5e-7,
        cache_write_price: 3.125e-6,
        intervals: [],
      },
      {
        models: ['mini'],
        billing_mode: 'token',
        input_price: 1.5e-7,
        output_price: 6e-7,
        cache_read_price: null,
        intervals: [],
      },
    ],
  })
  const answersOf = (input: number, rate = 0.5) => ({
    '/v1/models': LISTS,
    '/v1/usage': { isValid: true, mode: 'unrestricted' },
    '/api/v1/admin/groups/all': {
      code: 0,
      data: [
        { id: 1, name: 'default', rate_multiplier: 1 },
        { id: 2, name: 'vip', rate_multiplier: rate },
      ],
    },
    '/api/v1/admin/channels': { code: 0, data: { items: [channel(input)], total: 1 } },
  })

  test('prices and multipliers are compared with an admin key, which goes to its own paths alone', async () => {
    const { isSame, asked, summary } = await verified(planOf('sub2api'), answersOf(2.5e-6), { adminKey: 'admin-k3y' })
    expect([isSame, summary]).toEqual([true, expect.stringContaining('the prices of 2 models, no difference')])
    for (const { path, headers } of asked)
      expect(headers['x-api-key']).toBe(path.startsWith('/api/v1/admin/') ? 'admin-k3y' : undefined)
  })

  test('a changed price, and a changed multiplier, are found', async () => {
    expect((await verified(planOf('sub2api'), answersOf(3e-6), { adminKey: 'a' })).text).toContain(
      'price of gpt-4o in default: A here $0.0075, there $0.008',
    )
    expect((await verified(planOf('sub2api'), answersOf(2.5e-6, 0.8), { adminKey: 'a' })).text).toContain(
      'price of gpt-4o in vip: A here $0.00375, there $0.006',
    )
  })

  test('channels are read page by page', async () => {
    const pages: string[] = []
    const many = { ...answersOf(2.5e-6), '/api/v1/admin/channels': undefined }
    const plan = planOf('sub2api')
    const { isSame } = await verified(plan, many, {
      adminKey: 'a',
      answer(path) {
        if (!path.startsWith('/api/v1/admin/channels')) return undefined
        pages.push(path)
        const items =
          pages.length === 1 ? Array.from({ length: 100 }, () => ({ status: 'disabled' })) : [channel(2.5e-6)]
        return { code: 0, data: { items, total: 101 } }
      },
    })
    expect([isSame, pages.length]).toEqual([true, 2])
  })

  test('without an admin key the report says that prices are not known', async () => {
    const { isSame, text, asked } = await verified(planOf('sub2api'), answersOf(9))
    expect([isSame, text]).toEqual([true, expect.stringContaining('give the admin API key in IMPORT_VERIFY_KEY')])
    expect(asked.some(({ path }) => path.startsWith('/api/'))).toBe(false)
  })

  test('what it says of a key itself is compared', async () => {
    const plan = planOf('sub2api', { keys: [key('one', { quotaLimit: usd(5) }), key('two')] })
    const usage = (headers: Readonly<Record<string, string>>) =>
      headers['authorization']?.includes('-one-') === true
        ? { isValid: true, quota: { limit: 5, used: 1, remaining: 4 } }
        : { isValid: false, quota: { limit: 7 } }
    const { text } = await verified(plan, { ...answersOf(2.5e-6), '/v1/usage': usage })
    expect(text).toContain('not valid there, and works here: "two"')
    expect(text).toContain('a quota of $7 there, and another here: "two"')
    expect(text).not.toContain('"one"')
  })
})

/** Answers of LiteLLM’s proxy to `GET /model/info`: one entry for each deployment, with its built-in prices filled in. */
const HASH = 'ab'.repeat(32)

describe('LiteLLM', () => {
  const info = (model_name: string, model_info: object) => ({
    model_name,
    litellm_params: { model: 'openai/x' },
    model_info,
  })
  const GPT = {
    input_cost_per_token: 2.5e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 2.5e-7,
    cache_creation_input_token_cost: 3.125e-6,
  }
  const MINI = {
    input_cost_per_token: 1.5e-7,
    output_cost_per_token: 6e-7,
    cache_read_input_token_cost: 1.5e-8,
    cache_creation_input_token_cost: 1.875e-7,
  }
  const answersOf = (...data: readonly object[]) => ({
    '/model/info': { data },
    '/key/info': { key: HASH, info: { models: [], blocked: null, team_id: null } },
  })
  const keys = [key('hash', { secret: { hash: `sha256:${HASH}`, end: 'abcd' } })]
  const plan = planOf('litellm', {
    keys,
    groups: [{ name: 'default', multiplier: ONE_PPM, isOpen: true, isEnabled: true }],
  })

  test('its list of deployments is compared with a master key, and its keys by their hashes', async () => {
    const { isSame, text, asked } = await verified(
      plan,
      answersOf(info('gpt-4o', GPT), info('mini', MINI), info('openai/*', {})),
      { adminKey: 'sk-master' },
    )
    expect([isSame, text]).toEqual([true, expect.stringContaining('1 keys and the prices of 2 models, no difference')])
    expect(asked.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
      ['/model/info', 'Bearer sk-master'],
      [`/key/info?key=${HASH}`, 'Bearer sk-master'],
    ])
  })

  test.for([
    [{ models: ['mini'] }, 'here and not there: gpt-4o: "hash" (…abcd)'],
    [{ models: [], blocked: true }, 'blocked there, and works here: "hash" (…abcd)'],
    [{ models: ['a-set-of-models'] }, null],
    [{ models: ['openai/*'] }, null],
    [{ models: ['all-team-models'], team_id: 't' }, null],
  ] as const)('of a key it says %j', async ([of, sentence]) => {
    const answers = { ...answersOf(info('gpt-4o', GPT), info('mini', MINI)), '/key/info': { info: of } }
    const { isSame, text } = await verified(plan, answers, { adminKey: 'k' })
    expect([isSame, text]).toEqual([sentence === null, expect.stringContaining(sentence ?? 'no difference')])
  })

  test('a model that a key may call there alone, and a key that is gone, are found', async () => {
    const narrow = { ...plan, keys: plan.keys.map((each) => ({ ...each, allowedModels: ['mini'] })) }
    const both = {
      ...answersOf(info('gpt-4o', GPT), info('mini', MINI)),
      '/key/info': { info: { models: ['mini', 'gpt-4o'] } },
    }
    expect((await verified(narrow, both, { adminKey: 'k' })).text).toContain('there and not here: gpt-4o: "hash"')
    const gone = { ...both, '/key/info': status(404) }
    expect((await verified(plan, gone, { adminKey: 'k' })).text).toContain('not there any more, and works here: "hash"')
    const silent = await verified(plan, { ...both, '/key/info': status(500) }, { adminKey: 'k' })
    expect([silent.isSame, silent.text]).toEqual([
      false,
      expect.stringContaining('1 key: it answered with the status 500'),
    ])
  })

  test('another price at any of the deployments, a model more and one less are found', async () => {
    const dearer = {
      ...GPT,
      input_cost_per_token_above_200k_tokens: 5e-6,
      output_cost_per_token_above_200k_tokens: 2e-5,
    }
    const { text, isSame } = await verified(
      plan,
      answersOf(info('gpt-4o', GPT), info('gpt-4o', dearer), info('new', MINI)),
      {
        adminKey: 'k',
      },
    )
    expect(isSame).toBe(false)
    expect(text).toContain('price of gpt-4o in default: C here $0.83, there $1.66')
    expect(text).toContain('there and not here: new')
    expect(text).toContain('here and not there: mini')
  })

  test('cached input without a price is free there, which is a difference', async () => {
    const bare = { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 }
    const { text } = await verified(plan, answersOf(info('gpt-4o', bare), info('mini', MINI)), { adminKey: 'k' })
    expect(text).toContain('price of gpt-4o in default: B here')
    expect(text).not.toContain('A here')
  })

  test('without a master key nothing is compared, and the run fails', async () => {
    const { isSame, text, asked } = await verified(plan, answersOf())
    expect([isSame, asked, text]).toEqual([
      false,
      [],
      expect.stringContaining('give the master key in IMPORT_VERIFY_KEY'),
    ])
  })
})
