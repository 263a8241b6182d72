import { beforeAll, expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { ImportPlan } from '../import-plan.ts'
import { readPlan } from '../read-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const AGO = '2026-01-01T23:00:00Z'
const LATER = '2026-01-12T00:00:00Z'
const BCRYPT = `$2a$10$${'a'.repeat(53)}`
const KEY = `sk-${'0123456789abcdef'.repeat(4)}`
const GROUP = { rate_multiplier: '1', status: 'active', is_exclusive: 'f', subscription_type: 'standard' }
const ACCOUNT = { type: 'apikey', status: 'active', concurrency: '10', priority: '50', rate_multiplier: '1' }

/** One row of each table, with something in every column of it that the import has rules for. */
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  users: [
    {
      id: '1',
      email: 'ada@example.test',
      username: 'Ada',
      password_hash: BCRYPT,
      role: 'admin',
      status: 'active',
      balance: '3.12345678',
      frozen_balance: '0.5',
      concurrency: '5',
      rpm_limit: '60',
      balance_notify_enabled: 'f',
      balance_notify_threshold: '2',
      balance_notify_threshold_type: 'percentage',
      created_at: AGO,
    },
    { id: '2', email: 'gone@example.test', deleted_at: AGO },
  ],
  auth_identities: [
    {
      id: '1',
      user_id: '1',
      provider_type: 'oidc',
      issuer: 'https://login.example.test',
      provider_subject: 'person-1',
    },
    { id: '2', user_id: '1', provider_type: 'github', issuer: 'github', provider_subject: '99' },
    { id: '3', user_id: '1', provider_type: 'oidc', issuer: 'https://other.example.test', provider_subject: 'p' },
  ],
  user_platform_quotas: [
    {
      id: '1',
      user_id: '1',
      platform: 'openai',
      daily_limit_usd: '0',
      weekly_limit_usd: null,
      monthly_limit_usd: null,
    },
    {
      id: '2',
      user_id: '1',
      platform: 'gemini',
      daily_limit_usd: '5',
      weekly_limit_usd: null,
      monthly_limit_usd: null,
    },
    { id: '3', user_id: '1', platform: 'anthropic', daily_limit_usd: null, weekly_limit_usd: null },
  ],
  groups: [
    {
      ...GROUP,
      id: '1',
      name: 'all',
      rate_multiplier: '1.2500',
      platform: 'openai',
      fallback_group_id: '2',
      fallback_group_id_on_invalid_request: '2',
      claude_code_only: 't',
      model_routing: '{"a":[1]}',
      messages_dispatch_enabled: 't',
      models_list_config: '{"a":1}',
      max_reasoning_effort: 'high',
      default_mapped_model: 'house',
      model_pricing: '{"house":1}',
    },
    { ...GROUP, id: '2', name: 'friends', platform: 'openai', is_exclusive: 't' },
    {
      ...GROUP,
      id: '3',
      name: 'sold',
      platform: 'openai',
      subscription_type: 'subscription',
      peak_rate_enabled: 't',
      peak_start: '14:00',
      peak_end: '18:00',
      peak_rate_multiplier: '1.5000',
      daily_limit_usd: '1',
      weekly_limit_usd: '5',
      monthly_limit_usd: '15',
    },
    { ...GROUP, id: '4', name: 'mixed', platform: 'composite' },
  ],
  user_allowed_groups: [{ user_id: '1', group_id: '2' }],
  user_group_rate_multipliers: [{ user_id: '1', group_id: '1', rate_multiplier: '0.75', rpm_override: '9' }],
  composite_model_routes: [
    route('1', { public_model: 'fast', target_platform: 'openai', upstream_model: 'house' }),
    route('2', { public_model: 'clever', target_platform: 'anthropic', upstream_model: 'sonnet' }),
    route('3', { public_model: 'gpt-*', match_type: 'prefix', target_platform: 'openai' }),
    route('4', { public_model: 'off', target_platform: 'openai', enabled: 'f' }),
    route('5', { public_model: 'one', target_platform: 'openai', endpoint: 'responses' }),
    route('6', { public_model: 'fast', target_platform: 'anthropic', upstream_model: 'other', priority: '9' }),
  ],
  api_keys: [
    {
      id: '5',
      user_id: '1',
      key: KEY,
      name: 'laptop',
      group_id: '1',
      status: 'inactive',
      quota: '50',
      quota_used: '12.5',
      expires_at: LATER,
      ip_whitelist: '["10.0.0.1"]',
      ip_blacklist: '["10.0.0.2"]',
      rate_limit_5h: '20',
      rate_limit_1d: '0',
      rate_limit_7d: '70',
      usage_5h: '3.25',
      usage_1d: '1',
      usage_7d: '7',
      window_5h_start: AGO,
      window_1d_start: AGO,
      window_7d_start: AGO,
      created_at: AGO,
    },
    { id: '6', user_id: '1', key: `${KEY}0`, name: 'nowhere', group_id: null, status: 'active' },
  ],
  accounts: [
    {
      ...ACCOUNT,
      id: '1',
      name: 'house',
      platform: 'openai',
      credentials: '{"api_key":"sk-a","base_url":"https://house.example.test","model_mapping":{"house":"house-v2"}}',
      load_factor: '7',
      proxy_id: '1',
      rate_multiplier: '0.5',
    },
    {
      ...ACCOUNT,
      id: '2',
      name: 'claude',
      platform: 'anthropic',
      credentials: '{"api_key":"sk-b","model_mapping":{"house":"haiku"}}',
    },
    {
      ...ACCOUNT,
      id: '3',
      name: 'personal',
      platform: 'anthropic',
      type: 'oauth',
      credentials: '{"access_token":"t0ken"}',
    },
    { ...ACCOUNT, id: '4', name: 'cloud', platform: 'anthropic', type: 'bedrock' },
  ],
  proxies: [{ id: '1', protocol: 'http', host: 'proxy.example.test', port: '8080', username: 'u', password: 'pr0xy' }],
  account_groups: [
    { account_id: '1', group_id: '1', priority: '2' },
    { account_id: '1', group_id: '4', priority: '2' },
    { account_id: '2', group_id: '4', priority: '3' },
  ],
  channels: [{ id: '1', name: 'prices', status: 'active' }],
  channel_groups: ['1', '2', '3', '4'].map((id) => ({ id, channel_id: '1', group_id: id })),
  channel_model_pricing: [
    {
      id: '1',
      channel_id: '1',
      models: '["house","fast","clever","nowhere"]',
      billing_mode: 'token',
      input_price: '0.00000125',
      output_price: '0.00001',
      cache_read_price: '0.000000125',
      cache_write_price: '0.0000015',
      per_request_price: null,
    },
  ],
  channel_pricing_intervals: [
    { id: '1', pricing_id: '1', min_tokens: '0', max_tokens: '1000', input_price: '0.000001' },
  ],
  subscription_plans: [
    { id: '1', group_id: '3', name: 'Monthly', price: '9.90', validity_days: '30', validity_unit: 'day' },
  ],
  user_subscriptions: [
    {
      id: '1',
      user_id: '1',
      group_id: '3',
      starts_at: AGO,
      expires_at: LATER,
      status: 'active',
      daily_window_start: AGO,
      daily_usage_usd: '0.5',
      weekly_window_start: AGO,
      weekly_usage_usd: '1',
      monthly_window_start: AGO,
      monthly_usage_usd: '2',
    },
    { id: '2', user_id: '1', group_id: '3', expires_at: LATER, status: 'suspended' },
  ],
  redeem_codes: [
    code('1', { type: 'balance', value: '25' }),
    code('2', { type: 'subscription', group_id: '3', validity_days: '7' }),
    code('3', { type: 'concurrency', value: '5' }),
    code('4', { type: 'invitation' }),
    code('5', { type: 'balance', value: '25', status: 'used' }),
  ],
  promo_codes: [{ id: '1', code: 'pr0mo' }],
  payment_orders: [{ id: '2', amount: '1' }],
  usage_logs: [{ id: '3', total_cost: '1' }],
  settings: [
    { id: '4', key: 'smtp_host', value: 'm4il' },
    { id: '5', key: 'site_logo', value: '' },
  ],
}

function route(id: string, row: Row): Row {
  const usual = { match_type: 'exact', endpoint: 'any', priority: '1', enabled: 't', upstream_model: null }
  return { id, group_id: '4', ...usual, ...row }
}

function code(id: string, row: Row): Row {
  return { id, code: id.repeat(32), status: 'unused', expires_at: LATER, ...row }
}

let plan: ImportPlan
let said = ''
beforeAll(async () => {
  plan = await readPlan(rowsInMemory(TABLES), 'sub2api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: 'https://login.example.test',
    nowMs: NOW,
  })
  said = notesReport(plan.notes).join('\n')
})

const usd = (amount: NanoUsd | null | undefined) => (amount == null ? null : formatUsd(amount))

test('of users all is carried that accounts have, and the rest is named with its reason', () => {
  expect(plan.accounts).toMatchObject([
    {
      id: '1',
      email: 'ada@example.test',
      name: 'Ada',
      passwordHash: BCRYPT,
      role: 'admin',
      isActive: true,
      openGroups: ['all·0.75', 'friends'],
      limits: { concurrency: 5, requestsPerMinute: 60 },
      createdAt: Date.parse(AGO),
      oidcSubject: 'person-1',
      wantsMail: false,
    },
  ])
  expect(usd(plan.accounts[0]?.balance)).toBe('3.12345678')
  expect(said).toContain('users 2: deleted there')
  expect(said).toContain('users 1: have a frozen balance, which is not carried')
  for (const column of ['balance_notify_threshold', 'balance_notify_threshold_type'])
    expect(said).toContain(`users 1: have ${column}, which is not carried: a low balance is the same for all here`)
  expect(said).toContain('auth_identities 2: sign-in by github is not carried')
  expect(said).toContain('auth_identities 3: sign-in by OIDC is not carried, as its issuer is not TOLLGATE_OIDC_ISSUER')
})

test('a quota of a platform is named: one of 0 blocks there, one of null is none, and the others limit', () => {
  expect(said).toMatch(/user_platform_quotas 1: block users whose ids are 1 on openai, which nothing does here/)
  expect(said).toMatch(/user_platform_quotas 2: limit users whose ids are 1 on gemini/)
  expect(said).not.toMatch(/user_platform_quotas 3|anthropic, (?:which|and limits)/)
})

test('of keys everything is carried but the addresses that are shut out', () => {
  expect(plan.keys).toMatchObject([
    {
      id: '5',
      secret: KEY,
      name: 'laptop',
      group: 'all·0.75',
      isActive: false,
      expiresAt: Date.parse(LATER),
      createdAt: Date.parse(AGO),
      rateLimit: {
        spend: [
          { window: '5h', usd: 20_000_000_000n },
          { window: '7d', usd: 70_000_000_000n },
        ],
      },
      spent: [
        { window: '5h', used: 3_250_000_000n, endsAt: Date.parse(AGO) + 5 * 3_600_000 },
        { window: '7d', used: 7_000_000_000n },
      ],
    },
    { id: '6', isActive: false },
  ])
  expect(plan.keys[0]?.allowedIps).toHaveLength(1)
  expect([usd(plan.keys[0]?.quotaLimit), usd(plan.keys[0]?.quotaUsed)]).toEqual(['50', '12.5'])
  expect(said).toContain('api_keys 5: have an ip_blacklist, which is not carried')
  expect(said).toContain('api_keys 6: are in no group: they are imported disabled')
})

test('of groups multipliers and who may use them are carried, and each other setting is named', () => {
  expect(plan.groups.map(({ name, multiplier, isOpen }) => [name, multiplier, isOpen])).toEqual([
    ['all', 1_250_000n, true],
    ['friends', 1_000_000n, false],
    ['sold', 1_000_000n, false],
    ['mixed', 1_000_000n, true],
    ['all·0.75', 750_000n, false],
  ])
  const listed = [
    'fallback_group_id',
    'fallback_group_id_on_invalid_request',
    'claude_code_only',
    'model_routing',
    'messages_dispatch_enabled',
    'models_list_config',
    'max_reasoning_effort',
    'model_pricing',
  ]
  for (const column of listed) expect(said).toMatch(new RegExp(`groups 1: have ${column}, which is not carried`))
  expect(said).toMatch(/groups 3: have peak_rate_enabled, which is not carried: .* \(there ×1\.5 from 14:00 to 18:00\)/)
  expect(said).toMatch(/groups 1: have default_mapped_model, .*: it stands for every name/)
  expect(said).toMatch(/multipliers row 1: have rpm_override, which/)
})

test('a composite group serves the models of its routes by accounts of their platforms, and no others', () => {
  const first = { upstream: 'house', weight: 7 }
  const second = { upstream: 'claude', weight: 10 }
  expect(plan.models.map(({ name, targets }) => ({ name, targets }))).toMatchObject([
    { name: 'house', targets: [{ ...first, model: 'house-v2', priority: 50, groups: ['all', 'all·0.75'] }] },
    { name: 'fast', targets: [{ ...first, model: 'house-v2', priority: 50, groups: ['mixed'] }] },
    { name: 'clever', targets: [{ ...second, model: 'sonnet', priority: 50, groups: ['mixed'] }] },
  ])
  expect(said).toMatch(/composite_model_routes 3, 5: stand for many names, or for one endpoint alone/)
  expect(said).toMatch(/composite_model_routes 4: are disabled or deleted there/)
  expect(said).toMatch(/composite_model_routes 6: are of a model that another route names too/)
})

test('of accounts what an upstream has is carried, at what it costs, and personal ones are refused', () => {
  expect(plan.upstreams).toMatchObject([
    {
      id: '1',
      baseUrl: 'https://house.example.test/v1',
      credentials: [{ secret: 'sk-a' }],
      proxyUrl: 'http://u:pr0xy@proxy.example.test:8080',
      maxConcurrency: 10,
    },
    { id: '2', protocol: 'anthropic' },
  ])
  expect(plan.models[0]?.targets[0]?.costFactor).toBe(500_000n)
  expect(said).toContain('accounts 3: are personal subscriptions')
  expect(said).toContain('accounts 4: are of anthropic by bedrock, which is not carried')
})

test('of prices each kind and each interval is carried', () => {
  const prices = plan.models[0]?.prices
  expect({
    input: usd(prices?.input),
    output: usd(prices?.output),
    cacheRead: usd(prices?.cacheRead),
    cacheWrite: usd(prices?.cacheWrite),
    above: prices?.rules?.lengthTiers.map((tier) => [tier.aboveInputTokens, usd(tier.prices.input)]),
  }).toEqual({ input: '1', output: '10', cacheRead: '0.125', cacheWrite: '1.5', above: [[1_000, '1.25']] })
  expect(said).toContain('models nowhere: have a price there, and no channel serves them')
})

test('plans, subscriptions and codes are carried with what was used, and the kinds without a counterpart are named', () => {
  expect(plan.plans).toMatchObject([
    { name: 'Monthly', groups: ['sold'], days: 30, quotas: [{ window: '1d' }, { window: '7d' }, { window: '30d' }] },
  ])
  expect(plan.subscriptions).toMatchObject([
    { id: '1', plan: 'Monthly', spent: [{ used: 500_000_000n }, { used: 1_000_000_000n }, { used: 2_000_000_000n }] },
  ])
  expect(plan.codes).toMatchObject([
    { id: '1', grants: { usd: 25_000_000_000n }, expiresAt: Date.parse(LATER) },
    { id: '2', grants: { plan: 'Monthly', days: 7 } },
  ])
  expect(said).toContain('user_subscriptions 2: are suspended: not carried before a run that finds them active')
  expect(said).toContain('redeem_codes 3: are of the kind concurrency, which is not carried: an admin sets that limit')
  expect(said).toContain('redeem_codes 4: are of the kind invitation, which is not carried: invite people by links')
  expect(said).toContain('redeem_codes 5: are used or disabled')
})

test('each table that stays behind is named with its rows, and no secret is shown', () => {
  expect(said).toContain('settings smtp_host: are settings')
  for (const table of ['promo_codes', 'payment_orders', 'usage_logs'])
    expect(said).toMatch(new RegExp(`${table}: 1 row`))
  expect(said).not.toContain('site_logo')
  expect(said).not.toMatch(/t0ken|pr0xy|pr0mo|m4il|sk-a|sk-0|1{32}/)
})
