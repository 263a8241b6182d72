import { SOLD_MODEL } from './release-plan.ts'
import type { Caller } from './stepped-gateway.ts'

/** A call with the counts that the fake upstream reports. */
const SMALL_CALL = 'fake/echo?input=20&cached=5&output=100'
const USUAL_CALL = 'fake/echo?input=4800&cached=3100&output=260'
/** A call whose answer begins and then falls silent for as long as the database is made. */
const SILENT_CALL = 'fake/stalls-mid-stream?hold_ms=600000'
const REFUSED_CALL = 'fake/overloaded'

export const SILENT_MODEL = 'slow-model'
export const REFUSED_MODEL = 'busy-model'
/** A model whose prices have rules. */
export const RULED_MODEL = 'ruled-model'

/** Settings, upstreams, models, groups and plans, each with most of what can be set on it. */
export async function makeCatalogue(
  admin: Caller,
  { upstreamUrl, nowMs }: { upstreamUrl: string; nowMs: number },
): Promise<void> {
  await admin.ask('PATCH', '/api/settings', {
    site_name: 'Release',
    registration: 'open',
    top_up_url: 'https://pay.example.test/top-up',
    support_address: 'help@example.test',
    capture_requests: true,
    account_limits: { concurrency: 50, max_keys: 100 },
  })
  await makeUpstreams(admin, upstreamUrl)
  await makeModels(admin, nowMs)
  await admin.ask('POST', '/api/groups', {
    name: 'pro',
    multiplier: '1.25',
    open: false,
    open_to_roles: ['operator'],
    cache: { ttl_seconds: 600, price: '0.1', shared: false },
  })
  await admin.ask('POST', '/api/groups', { name: 'saver', multiplier: '0.5', models: [SOLD_MODEL] })
  const plan = { days: 60, price: '20', limits: { requests_per_minute: 120 } }
  await admin.ask('POST', '/api/plans', {
    ...plan,
    name: 'Pro',
    groups: ['default', 'pro'],
    quotas: [
      { window: '5h', usd: '1' },
      { window: 'term', usd: '40' },
    ],
  })
  await admin.ask('POST', '/api/plans', { ...plan, name: 'Night shift', groups: ['saver'], quotas: [] })
}

async function makeUpstreams(admin: Caller, base: string): Promise<void> {
  await admin.ask('POST', '/api/upstreams', {
    name: 'openai-main',
    protocol: 'openai',
    base_url: `${base}/v1`,
    spend_per_day: '50',
    headers: { 'x-team': 'release' },
    remove_headers: ['user-agent'],
    max_concurrency: 40,
    credentials: [
      { name: 'main', secret: 'sk-upstream-main-for-tests', realm: 'org-release', spend_per_day: '30' },
      { name: 'spare', secret: 'sk-upstream-spare-for-tests', weight: 0, requests_per_minute: 60, shadow: [] },
    ],
  })
  const { id } = await admin.ask<{ id: string }>('POST', '/api/upstreams', {
    name: 'anthropic-main',
    protocol: 'anthropic',
    base_url: `${base}/v1`,
    timeout_ms: 600_000,
    credentials: [{ name: 'only', secret: 'sk-ant-upstream-for-tests' }],
  })
  await admin.ask('PATCH', `/api/upstreams/${id}/credentials/only`, { disabled: true })
}

async function makeModels(admin: Caller, nowMs: number): Promise<void> {
  const sizes = { context_tokens: 400_000, max_output_tokens: 4_000 }
  const target = (model: string) => [{ upstream: 'openai-main', model, cost: { factor: '0.6' }, min_margin: '0.1' }]
  const price = { input: '2.5', output: '10', cache_read: '0.25' }
  const { id } = await admin.ask<{ id: string }>('POST', '/api/models', {
    ...sizes,
    name: SOLD_MODEL,
    price,
    targets: target(USUAL_CALL),
    hedge_after_ms: 60_000,
  })
  await admin.ask('PATCH', `/api/models/${id}`, {
    price: { ...price, input: '2' },
    effective_at: new Date(nowMs + 300 * 86_400_000).toISOString(),
  })
  await admin.ask('POST', '/api/models', { ...sizes, name: SILENT_MODEL, price, targets: target(SILENT_CALL) })
  await admin.ask('POST', '/api/models', { ...sizes, name: REFUSED_MODEL, price, targets: target(REFUSED_CALL) })
  await admin.ask('POST', '/api/models', {
    ...sizes,
    max_output_tokens: 100,
    name: RULED_MODEL,
    price: {
      ...price,
      tiers: [{ above_input_tokens: 128_000, input: '5', output: '20', cache_read: '0.5' }],
      service_tiers: { flex: { factor: '0.5' } },
      per_call: { web_search: '0.01' },
    },
    targets: target(SMALL_CALL),
  })
  await admin.ask('POST', '/api/models', { name: 'picture-model', price: { per_image: '0.04' }, targets: [] })
}
