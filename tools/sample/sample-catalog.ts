import type { ModelView } from '../../src/contract/models.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { SENTINELS } from '../fake-upstream/model-name.ts'
import type { SampleApi } from './sample-api.ts'

/** The path below the fake upstream at which each protocol's clients expect it. */
const UPSTREAMS = { openai: '/v1', anthropic: '/v1', gemini: '/v1beta' } as const

/** What a call of a model costs here is what a conversation would: the fake upstream reports these counts. */
const USUAL_CALL = 'fake/echo?input=48000&cached=31000&output=2600'

const TARGETS = Object.keys(UPSTREAMS).map((protocol) => `${protocol}-main`)

/** Upstreams of every protocol, all of them the fake one, and a target for each seeded model. */
export async function connectUpstreams(admin: SampleApi, fakeUrl: string): Promise<void> {
  for (const [protocol, path] of Object.entries(UPSTREAMS)) {
    await admin.ask('POST', '/api/upstreams', { name: `${protocol}-main`, protocol, base_url: fakeUrl + path })
  }
  const { data: models } = await admin.ask<Page<ModelView>>('GET', '/api/models?limit=50')
  for (const { id } of models) {
    const targets = TARGETS.map((upstream) => ({ upstream, model: USUAL_CALL }))
    await admin.ask('PATCH', `/api/models/${id}`, { targets, context_tokens: 400_000, max_output_tokens: 128_000 })
  }
}

/** Models as they are rarely, which the pages show as well: charged by the image, without a price, without a target. */
export async function addRareModels(admin: SampleApi): Promise<void> {
  const targets = [{ upstream: 'openai-main', model: 'fake/echo' }]
  const add = (body: object) => admin.ask('POST', '/api/models', body)
  await add({ name: 'picture-4', price: { per_image: '0.04' }, targets })
  await add({ name: 'grok-6-preview', price: null, targets })
  await add({ name: 'gpt-4.2-legacy', price: { input: '2', output: '8' } })
  await add({
    name: 'qwen4-coder-480b-instruct',
    price: RULED,
    context_tokens: 262_144,
    targets,
  })
}

/** Dearer for long prompts and in a hurry, with fees for calls. */
const RULED = {
  input: '0.4',
  output: '1.6',
  cache_read: '0.04',
  tiers: [{ above_input_tokens: 128_000, input: '0.8', output: '3.2', cache_read: '0.08' }],
  service_tiers: { priority: { input: '0.9', output: '3.6' }, flex: { factor: '0.5' } },
  inference_geo: { us: { factor: '1.1' } },
  per_call: { web_search: '0.01', code_interpreter: '0.03' },
}

/** A few models where there are none. */
export async function addFirstModels(admin: SampleApi, fakeUrl: string): Promise<void> {
  await connectUpstreams(admin, fakeUrl)
  const prices = { 'claude-sonnet-5': ['3', '15'], 'gpt-5.5': ['2.5', '10'], 'gemini-4-flash': ['0.3', '2.5'] } as const
  for (const [name, [input, output]] of Object.entries(prices)) {
    const targets = TARGETS.map((upstream) => ({ upstream, model: USUAL_CALL }))
    const sizes = { context_tokens: 400_000, max_output_tokens: 128_000 }
    await admin.ask('POST', '/api/models', { name, price: { input, output }, ...sizes, targets })
  }
}

/** All that the fake upstream can be asked to do, as models: `fake/echo`, `fake/overloaded`, `fake/cut-mid-stream` … */
export async function addFakeModels(admin: SampleApi): Promise<void> {
  for (const sentinel of SENTINELS) {
    const name = `fake/${sentinel}`
    const targets = TARGETS.map((upstream) => ({ upstream, model: name }))
    const price = { input: '2.5', output: '10', cache_read: '0.25' }
    const sizes = { context_tokens: 200_000, max_output_tokens: 64_000 }
    await admin.ask('POST', '/api/models', { name, price, ...sizes, targets })
  }
}
