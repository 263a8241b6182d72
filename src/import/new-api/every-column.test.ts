import { beforeAll, expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { ImportPlan } from '../import-plan.ts'
import { readPlan } from '../read-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const SECONDS = String(NOW / 1000)
const LATER = String(NOW / 1000 + 864_000)
const BCRYPT = `$2a$10$${'a'.repeat(53)}`
const KEY = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9nO2qR5tU8'

/** One row of each table, with something in every column of it that the import has rules for. */
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  users: [
    {
      id: '1',
      username: 'ada',
      password: BCRYPT,
      display_name: 'Ada',
      role: '10',
      status: '2',
      email: 'ada@example.test',
      quota: '1500000',
      used_quota: '77',
      request_count: '8',
      group: 'vip',
      oidc_id: 'person-1',
      github_id: 'g',
      discord_id: 'd',
      telegram_id: 't',
      wechat_id: 'w',
      linux_do_id: 'l',
      aff_code: 'abcd',
      setting: '{"notify_type":"webhook","quota_warning_threshold":100000,"webhook_url":"https://hook.example.test"}',
      deleted_at: null,
    },
    { id: '2', username: 'gone', status: '1', deleted_at: '2025-01-01' },
  ],
  tokens: [
    {
      id: '7',
      user_id: '1',
      key: KEY,
      status: '2',
      name: 'laptop',
      created_time: SECONDS,
      expired_time: LATER,
      remain_quota: '500000',
      used_quota: '250000',
      unlimited_quota: '0',
      model_limits_enabled: '1',
      model_limits: 'house,other',
      allow_ips: '10.0.0.1\n10.1.0.0/16',
      group: 'auto',
      auto_groups: '["fast","vip"]',
      cross_group_retry: '1',
      deleted_at: null,
    },
    { id: '8', user_id: '1', key: 'b'.repeat(48), status: '1', deleted_at: '2025-01-01' },
  ],
  channels: [
    {
      id: '1',
      type: '1',
      key: 'sk-a\nsk-b',
      status: '1',
      name: 'house',
      base_url: 'https://house.example.test',
      models: 'house,steps',
      group: 'vip,fast',
      priority: '3',
      weight: '4',
      model_mapping: '{"house":"house-v2"}',
      channel_info:
        '{"is_multi_key":true,"multi_key_status_list":{"1":2},"multi_key_size":2,"multi_key_mode":"polling"}',
      setting:
        '{"proxy":"http://proxy.example.test:8080","system_prompt":"be brief","force_format":true,"thinking_to_content":true,"pass_through_body_enabled":true,"system_prompt_override":false,"proxy_fallback_direct":true}',
      settings:
        '{"disable_store":true,"allow_service_tier":false,"upstream_model_update_ignored_models":[],"upstream_model_update_last_check_time":0,"nested":{"a":{"b":""}},"hidden":"s3cret"}',
      header_override: '{"X-Team":"red","x-caller":"{client_header:x-caller}"}',
      param_override: '{"temperature":0}',
      status_code_mapping: '{"400":"500"}',
      open_ai_organization: 'org-1',
    },
    { id: '2', type: '57', key: '{}', status: '1', name: 'personal' },
    { id: '3', type: '33', key: 'k', status: '1', name: 'bedrock', base_url: '' },
  ],
  abilities: [{ group: 'vip', model: 'house', channel_id: '1', enabled: '1' }],
  redemptions: [
    { id: '1', key: 'c'.repeat(32), status: '1', name: 'gift', quota: '500000', expired_time: LATER },
    { id: '2', key: 'd'.repeat(32), status: '3', quota: '500000' },
  ],
  subscription_plans: [
    {
      id: '1',
      title: 'Monthly',
      price_amount: '9.9',
      currency: 'USD',
      duration_unit: 'day',
      duration_value: '30',
      custom_seconds: '0',
      total_amount: '500000',
      quota_reset_period: 'never',
    },
  ],
  user_subscriptions: [
    {
      id: '1',
      user_id: '1',
      plan_id: '1',
      status: 'active',
      start_time: SECONDS,
      end_time: LATER,
      amount_used: '250000',
      next_reset_time: LATER,
      upgrade_group: 'fast',
    },
  ],
  two_fas: [
    { id: '1', user_id: '1', secret: 's3cret', is_enabled: '1', failed_attempts: '2', deleted_at: null },
    { id: '2', user_id: '2', secret: 's3cret', is_enabled: '1', deleted_at: null },
  ],
  two_fa_backup_codes: [{ id: '1', user_id: '1', code_hash: 's3cret', is_used: '0' }],
  passkey_credentials: [{ id: '1', user_id: '1', credential_id: 's3cret', public_key: 's3cret', deleted_at: null }],
  user_oauth_bindings: [{ id: '1', user_id: '1', provider_id: '2' }],
  logs: [{ id: '4', content: 'private' }],
  quota_data: [{ id: '5', quota: '1' }],
  top_ups: [{ id: '6', amount: '1' }],
  tasks: [{ id: '7', status: 'done' }],
  midjourneys: [{ id: '8', status: 'done' }],
  options: Object.entries({
    GroupRatio: '{"default":1,"vip":0.8,"fast":2}',
    GroupGroupRatio: '{"vip":{"fast":1.5}}',
    UserUsableGroups: '{"default":"all","auto":"the first"}',
    'group_ratio_setting.group_special_usable_group': '{"vip":{"+:fast":"quick"}}',
    AutoGroups: '["default"]',
    ModelRatio: '{"house":1.5,"nowhere":1}',
    ModelPrice: '{"nowhere-fixed":1}',
    CompletionRatio: '{"house":4}',
    CacheRatio: '{"house":0.1}',
    CreateCacheRatio: '{"house":1.25}',
    ImageRatio: '{"house":2}',
    AudioRatio: '{"house":10}',
    AudioCompletionRatio: '{"house":2}',
    'billing_setting.billing_mode': '{"steps":"tiered_expr"}',
    'billing_setting.billing_expr':
      '{"steps":"len <= 1000 ? tier(\\"a\\", p * 1 + c * 2) : tier(\\"b\\", p * 2 + c * 4)"}',
    'oidc.well_known': 'https://login.example.test/.well-known/openid-configuration',
    'oidc.client_secret': 's3cret',
    SMTPServer: 'mail.example.test',
  }).map(([key, value]) => ({ key, value })),
}

let plan: ImportPlan
let said = ''
beforeAll(async () => {
  plan = await readPlan(rowsInMemory(TABLES), 'new-api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: 'https://login.example.test/',
    nowMs: NOW,
  })
  said = notesReport(plan.notes).join('\n')
})

const usd = (amount: NanoUsd | null | undefined) => (amount == null ? null : formatUsd(amount))

test('of users all is carried that accounts have, and the rest is named', () => {
  expect(plan.accounts).toMatchObject([
    {
      id: '1',
      email: 'ada@example.test',
      name: 'Ada',
      passwordHash: BCRYPT,
      role: 'admin',
      isActive: false,
      stated: '1500000 units',
      madeOf: 'ada',
      oidcSubject: 'person-1',
      wantsMail: false,
    },
  ])
  expect(usd(plan.accounts[0]?.balance)).toBe('3')
  expect(plan.accounts[0]?.openGroups).toEqual(['fast·vip', 'vip'])
  expect(said).toMatch(/users 2: deleted there/)
  for (const way of ['github', 'discord', 'telegram', 'wechat', 'linux_do'])
    expect(said).toContain(`users 1: sign-in by ${way} is not carried`)
  expect(said).toContain('users 1: have webhook_url in their setting, which is not carried\n')
  expect(said).toMatch(
    /users 1: have quota_warning_threshold in their setting.*: a low balance is the same for all here/,
  )
  for (const column of ['used_quota', 'request_count', 'aff_code'])
    expect(said).toContain(`users 1: have ${column}, which is not carried`)
})

test('of second factors and passkeys whose they are is named, and nothing that they hold', () => {
  expect(said).toContain('users 1: sign in with a second factor there, and by their password alone here')
  expect(said).toContain('users 1: have passkeys, which are not carried')
  expect(said).not.toMatch(/(?:two_fas|passkey_credentials).*not carried/)
  expect(said).toContain('two_fa_backup_codes: 1 row')
})

test('of keys everything is carried', () => {
  expect(plan.keys).toMatchObject([
    {
      id: '7',
      accountId: '1',
      secret: `sk-${KEY}`,
      isActive: false,
      name: 'laptop',
      createdAt: NOW,
      expiresAt: NOW + 864_000_000,
      allowedModels: ['house', 'other'],
      group: 'fast·vip',
      fallbackGroups: ['vip'],
    },
  ])
  expect(plan.keys[0]?.allowedIps).toHaveLength(2)
  expect([usd(plan.keys[0]?.quotaLimit), usd(plan.keys[0]?.quotaUsed)]).toEqual(['1.5', '0.5'])
  expect(said).toMatch(/tokens 8: are deleted there/)
})

test('of channels what an upstream has is carried, and each override is named', () => {
  expect(plan.upstreams).toMatchObject([
    {
      id: '1',
      name: 'house',
      protocol: 'openai-chat',
      baseUrl: 'https://house.example.test/v1',
      credentials: [
        { secret: 'sk-a', isDisabled: false },
        { secret: 'sk-b', isDisabled: true },
      ],
      proxyUrl: 'http://proxy.example.test:8080',
      headers: { 'x-team': 'red', 'openai-organization': 'org-1' },
    },
  ])
  const target = { upstream: 'house', priority: 0, weight: 4, groups: ['vip', 'fast', 'fast·vip'] }
  expect(plan.models.map(({ name, targets }) => ({ name, targets }))).toMatchObject([
    { name: 'house', targets: [{ ...target, model: 'house-v2' }] },
    { name: 'steps', targets: [{ ...target, model: 'steps' }] },
  ])
  expect(said).toContain('channels 2: are personal subscriptions')
  expect(said).toContain('channels 3: are of type 33')
  expect(said).toContain('channels 1: override x-caller in a way that is not carried')
  for (const column of ['param_override', 'status_code_mapping'])
    expect(said).toContain(`channels 1: have a ${column}, which is not carried`)
})

test('of the settings of a channel its proxy is carried, and each other that says something is named, without what it says', () => {
  const listed = [...said.matchAll(/channels 1: have ((?:settings?|channel_info)\.\w+), which is not carried/g)]
  expect(listed.map(([, name]) => name)).toEqual([
    'setting.system_prompt',
    'setting.force_format',
    'setting.thinking_to_content',
    'setting.pass_through_body_enabled',
    'setting.proxy_fallback_direct',
    'settings.disable_store',
    'settings.hidden',
    'channel_info.multi_key_mode',
  ])
  expect(said).not.toMatch(/be brief|polling/)
})

test('a channel behind a proxy that cannot be used here is not asked directly, and a setting that cannot be read is named', async () => {
  const { channels: [first] = [], ...others } = TABLES
  const channel = { ...first, channel_info: '{}', key: 'sk-a', models: 'house' }
  const channels = [
    { ...channel, id: '1', name: 'lost', setting: '{"proxy":"ss://proxy.example.test:1"}' },
    { ...channel, id: '4', name: 'names', setting: '{"proxy":"socks5h://u:p@proxy.example.test:1"}' },
    { ...channel, id: '5', name: 'torn', setting: '{"proxy', model_mapping: '["house"]' },
  ]
  const { upstreams, models, notes } = await readPlan(rowsInMemory({ ...others, channels }), 'new-api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: NOW,
  })
  expect(upstreams.map(({ proxyUrl, credentials }) => [proxyUrl, credentials[0]?.isDisabled])).toEqual([
    [null, true],
    ['socks5://u:p@proxy.example.test:1', false],
    [null, false],
  ])
  expect(models[0]?.targets.map(({ upstream }) => upstream)).toEqual(['names', 'torn'])
  const listed = notesReport(notes).join('\n')
  expect(listed).toContain('channels 1: name a proxy that cannot be used here: their credentials are disabled')
  for (const column of ['setting', 'model_mapping'])
    expect(listed).toContain(`channels 5: have a ${column} that is not a JSON object`)
})

test('of prices every ratio, and an expression by length, is carried', () => {
  const [house, steps] = plan.models.map(({ prices }) => prices)
  expect({
    input: usd(house?.input),
    output: usd(house?.output),
    cacheRead: usd(house?.cacheRead),
    cacheWrite: usd(house?.cacheWrite),
    cacheWrite1h: usd(house?.cacheWrite1h),
    imageInput: usd(house?.other?.imageInput),
    audioInput: usd(house?.other?.audioInput),
    audioOutput: usd(house?.other?.audioOutput),
  }).toEqual({
    input: '3',
    output: '12',
    cacheRead: '0.3',
    cacheWrite: '3.75',
    cacheWrite1h: '6',
    imageInput: '6',
    audioInput: '30',
    audioOutput: '60',
  })
  expect([usd(steps?.input), usd(steps?.rules?.lengthTiers[0]?.prices.output)]).toEqual(['1', '4'])
})

test('a price of a model that is served nowhere is named', () => {
  expect(said).toContain('models nowhere-fixed, nowhere: have a price there, and no channel serves them')
})

test('of groups every multiplier and who may use them is carried', () => {
  expect(plan.groups.map(({ name, multiplier, isOpen }) => [name, multiplier, isOpen])).toEqual([
    ['default', 1_000_000n, true],
    ['vip', 800_000n, false],
    ['fast', 2_000_000n, false],
    ['fast·vip', 1_500_000n, false],
  ])
})

test('plans, subscriptions and codes are carried, and what is over or without a counterpart is named', () => {
  expect(plan.plans).toMatchObject([{ id: '1', name: 'Monthly', days: 30, quotas: [{ window: 'term' }] }])
  expect([usd(plan.plans[0]?.price), usd(plan.plans[0]?.quotas[0]?.usd)]).toEqual(['9.9', '1'])
  expect(plan.subscriptions).toMatchObject([
    { accountId: '1', plan: 'Monthly', startsAt: NOW, endsAt: NOW + 864_000_000, spent: [{ used: 500_000_000n }] },
  ])
  expect(plan.codes).toMatchObject([{ id: '1', code: 'c'.repeat(32), expiresAt: NOW + 864_000_000 }])
  expect(said).toContain('redemptions 2: are used, disabled or deleted')
  expect(said).toContain('user_subscriptions 1: put their user into another group until they end')
})

test('each table that stays behind is named with its rows, each setting by its name, and no secret is shown', () => {
  for (const table of ['logs', 'quota_data', 'top_ups', 'tasks', 'midjourneys', 'user_oauth_bindings', 'abilities'])
    expect(said).toMatch(new RegExp(`${table}: 1 row`))
  expect(said).toContain('options SMTPServer, oidc.client_secret: are settings that are not carried')
  expect(said).not.toMatch(/s3cret|private|hook\.example|sk-a|c{32}/)
})

test('a sign-in by OIDC is carried where it is at the provider that people sign in by here, and named elsewhere', async () => {
  const elsewhere = await readPlan(rowsInMemory(TABLES), 'new-api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: 'https://other.example.test',
    nowMs: NOW,
  })
  expect(elsewhere.accounts[0]?.oidcSubject).toBeNull()
  expect(notesReport(elsewhere.notes).join('\n')).toContain('users 1: sign-in by OIDC is not carried, as its issuer')
})

test('of one-api’s own columns the limits of keys are carried, and what its channels have more is named', async () => {
  const { users = [], channels = [], options = [] } = TABLES
  const [user] = users
  const [channel] = channels
  const token = { id: '7', user_id: '1', key: KEY, status: '1', name: 'laptop', expired_time: '-1' }
  const quota = { remain_quota: '1', used_quota: '0', unlimited_quota: '0' }
  const tables = {
    users: [{ ...user, setting: null }],
    tokens: [{ ...token, ...quota, models: 'house', subnet: '10.0.0.0/8,192.168.0.0/16' }],
    channels: [{ ...channel, type: '50', priority: '-1', config: '{"region":"r"}', system_prompt: 'be brief' }],
    options: [...options, { key: 'ModelRatio', value: '{"house":1.5,"other(14)":2}' }],
  }
  const ofOneApi = await readPlan(rowsInMemory(tables), 'one-api', {
    accepted: new Set(),
    negative: null,
    admins: 'none',
    pricing: null,
    oidcIssuer: null,
    nowMs: NOW,
  })
  expect(ofOneApi.keys).toMatchObject([{ allowedModels: ['house'], group: 'vip', fallbackGroups: [] }])
  expect(ofOneApi.keys[0]?.allowedIps).toHaveLength(2)
  expect(ofOneApi.accounts[0]?.role).toBe('user')
  expect(ofOneApi.models[0]?.targets).toMatchObject([{ priority: 0, weight: 1 }])
  const listed = notesReport(ofOneApi.notes).join('\n')
  expect(listed).toContain('channels 1: have config.region, which is not carried')
  expect(listed).toContain('channels 1: have a system_prompt, which is not carried')
  expect(listed).toMatch(/models nowhere-fixed, .*\bother: have a price there, and no channel serves them/)
})
