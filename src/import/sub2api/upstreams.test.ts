import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { planFrom, targetsOf } from '../../../test/support/import-sources/sub2api-plan.ts'
import { accountRow, ADA, groupRow, inGroups, keyIn } from '../../../test/support/import-sources/sub2api-rows.ts'
import { readPlan } from '../read-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'

const MAPPING = { model_mapping: { house: 'house-v2' } }

/** The plan for accounts of which all are in the one group. */
async function planned(...accounts: readonly Row[]) {
  const usual = { platform: 'openai', type: 'apikey', status: 'active', credentials: credentials({}) }
  const tables = {
    users: [{ id: '1', email: 'a@example.test', password_hash: '', role: 'user', status: 'active', balance: '0' }],
    api_keys: [{ id: '1', user_id: '1', key: 'sk-0123456789abcdef', name: 'k', group_id: '1', status: 'active' }],
    groups: [{ id: '1', name: 'all', rate_multiplier: '1', status: 'active', platform: 'openai' }],
    accounts: accounts.map((account) => ({ ...usual, name: `account ${account['id']}`, ...account })),
    account_groups: accounts.map(({ id = '' }) => ({ account_id: id, group_id: '1', priority: '1' })),
    proxies: [
      { id: '1', protocol: 'socks5h', host: 'proxy.example.test', port: '1080', username: 'u', password: 'p' },
      { id: '2', protocol: 'ss', host: 'proxy.example.test', port: '1', username: '', password: '' },
    ],
  }
  const plan = await readPlan(rowsInMemory(tables), 'sub2api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 1,
  })
  return { ...plan, said: notesReport(plan.notes).join('\n') }
}

function credentials(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ api_key: 'sk-a', ...MAPPING, ...more })
}

test('of the credentials and the extra of an account each setting that says something is named, without what it says', async () => {
  const { said } = await planned({
    id: '1',
    credentials: credentials({ pool_mode: true, custom_error_codes: [], rules: [{ code: 429 }], intercept: false }),
    extra: JSON.stringify({ base_rpm: 15, quota_limit: 0, openai_passthrough: false, note: 'h1dden' }),
  })
  const listed = [...said.matchAll(/accounts 1: have ((?:credentials|extra)\.\w+), which is not carried/g)]
  expect(listed.map(([, name]) => name)).toEqual([
    'credentials.pool_mode',
    'credentials.rules',
    'extra.base_rpm',
    'extra.note',
  ])
  expect(said).not.toMatch(/h1dden/)
})

test('an account that is not schedulable, and one behind a proxy that cannot be used here, is asked nothing', async () => {
  const { upstreams, models, said } = await planned(
    { id: '1' },
    { id: '2', schedulable: 'f' },
    { id: '3', proxy_id: '2' },
    { id: '4', proxy_id: '1', schedulable: 't' },
  )
  expect(upstreams.map(({ proxyUrl, credentials: [only] }) => [proxyUrl, only?.isDisabled])).toEqual([
    [null, false],
    [null, true],
    [null, true],
    ['socks5://u:p@proxy.example.test:1080', false],
  ])
  // Once its proxy is set right, the one credential has to be enabled and nothing else.
  expect(models[0]?.targets.map(({ upstream }) => upstream)).toEqual(['account 1', 'account 3', 'account 4'])
  expect(said).toContain('accounts 2: are not active there')
  expect(said).toContain('accounts 3: name a proxy that cannot be used here: their credentials are disabled')
})

const PLACE = { users: [ADA], api_keys: [keyIn('1')], groups: [groupRow('1'), groupRow('2')] }

// The lowest first, as in Wei-Shaw/sub2api#972 and #4061.
test('accounts are asked in the order of their own priority, wherever their groups stand in their lists', async () => {
  const plan = await planFrom({
    ...PLACE,
    accounts: [accountRow('1', MAPPING, { priority: '90' }), accountRow('2', MAPPING, { priority: '5' })],
    account_groups: [...inGroups('1', '1', '2'), ...inGroups('2', '2', '1')],
  })
  expect(targetsOf(plan, 'house')).toEqual([
    'account 1: house-v2, 90, in group 1 and group 2',
    'account 2: house-v2, 5, in group 2 and group 1',
  ])
})

test('accounts share by their load factors, and where some have one the others by what they do at once', async () => {
  const shares = async (...factors: readonly (string | null)[]) => {
    const accounts = factors.map((factor, i) =>
      accountRow(String(i + 1), MAPPING, { load_factor: factor, concurrency: String(10 * (i + 1)) }),
    )
    const account_groups = accounts.flatMap(({ id }) => inGroups(id ?? '', '1'))
    const { models } = await planFrom({ ...PLACE, accounts, account_groups })
    return models[0]?.targets.map(({ weight }) => weight)
  }
  expect(await shares(null, null)).toEqual([1, 1])
  expect(await shares('7', null)).toEqual([7, 20])
})

test('an account that has expired is asked nothing, unless that was switched off; one that will is named', async () => {
  const over = { expires_at: '2026-08-31 00:00:00+00' }
  const { upstreams, models, report } = await planFrom({
    ...PLACE,
    accounts: [
      accountRow('1', MAPPING, over),
      accountRow('2', MAPPING, { ...over, auto_pause_on_expired: 'f' }),
      accountRow('3', MAPPING, { expires_at: '2026-09-02 00:00:00+00' }),
    ],
    account_groups: ['1', '2', '3'].flatMap((id) => inGroups(id, '1')),
  })
  expect(upstreams.map(({ credentials: [only] }) => only?.isDisabled)).toEqual([true, false, false])
  expect(models[0]?.targets.map(({ upstream }) => upstream)).toEqual(['account 2', 'account 3'])
  expect(report).toMatch(/accounts 1: are not active there, or have expired/)
  expect(report).toMatch(/accounts 2, 3: stop at their expires_at there/)
})

/**
 * Cases of Wei-Shaw/sub2api#2431 and #3735 (relays that have chat completions alone). By its `buildOpenAIEndpointURL`, `GetOpenAIBaseURL`, `GetAPI
 * base URL + /responses, /chat/completions, /messages or /models/….
 */
test.each([
  ['openai', {}, {}, 'openai https://api.openai.com/v1'],
  ['openai', { base_url: 'https://relay.test' }, {}, 'openai https://relay.test/v1'],
  ['openai', { base_url: 'https://relay.test/' }, {}, 'openai https://relay.test/v1'],
  ['openai', { base_url: 'https://relay.test/v1' }, {}, 'openai https://relay.test/v1'],
  ['openai', { base_url: 'https://relay.test/api/v3' }, {}, 'openai https://relay.test/api/v3'],
  ['openai', { base_url: 'https://relay.test/v1.5' }, {}, 'openai https://relay.test/v1.5'],
  ['openai', { base_url: 'https://relay.test/v1beta2' }, {}, 'openai https://relay.test/v1beta2'],
  ['openai', { base_url: 'https://relay.test/v1/responses' }, {}, 'openai https://relay.test/v1'],
  ['openai', { base_url: 'https://relay.test/vision' }, {}, 'openai https://relay.test/vision/v1'],
  [
    'openai',
    { base_url: 'https://relay.test' },
    { openai_responses_supported: false },
    'openai-chat https://relay.test/v1',
  ],
  [
    'openai',
    { base_url: 'https://relay.test/v4/chat/completions' },
    { openai_responses_supported: false },
    'openai-chat https://relay.test/v4',
  ],
  ['openai', {}, { openai_responses_supported: true }, 'openai https://api.openai.com/v1'],
  [
    'openai',
    {},
    { openai_responses_supported: false, openai_responses_mode: 'force_responses' },
    'openai https://api.openai.com/v1',
  ],
  ['openai', {}, { openai_responses_mode: 'force_chat_completions' }, 'openai-chat https://api.openai.com/v1'],
  ['openai', {}, { openai_responses_supported: 'false' }, 'openai https://api.openai.com/v1'],
  ['anthropic', {}, {}, 'anthropic https://api.anthropic.com/v1'],
  ['anthropic', { base_url: 'https://relay.test' }, {}, 'anthropic https://relay.test/v1'],
  ['anthropic', { base_url: 'https://relay.test/api/v3' }, {}, 'anthropic https://relay.test/api/v3/v1'],
  ['gemini', { base_url: 'https://relay.test' }, {}, 'gemini https://relay.test/v1beta'],
  ['gemini', { base_url: 'https://relay.test/v1' }, {}, 'gemini https://relay.test/v1/v1beta'],
  ['kimi', {}, {}, 'openai-chat https://api.moonshot.cn/v1'],
  ['kimi', { account_mode: 'coding' }, {}, 'openai-chat https://api.kimi.com/coding/v1'],
  ['kimi', { account_mode: 'coding', api_protocol: 'anthropic' }, {}, 'anthropic https://api.kimi.com/coding/v1'],
  ['zhipu', {}, {}, 'openai-chat https://open.bigmodel.cn/api/paas/v4'],
  ['zhipu', { api_protocol: 'anthropic' }, {}, 'anthropic https://open.bigmodel.cn/api/anthropic/v1'],
  ['deepseek', {}, {}, 'openai-chat https://api.deepseek.com/v1'],
  ['deepseek', { base_url: 'https://relay.test' }, {}, 'openai-chat https://relay.test/v1'],
])('an account of %s with %j and %j is called where it is there', async (...[platform, given, extra, called]) => {
  const { upstreams } = await planFrom({
    ...PLACE,
    accounts: [accountRow('1', { ...MAPPING, ...given }, { platform, extra: JSON.stringify(extra) })],
  })
  expect(upstreams.map(({ protocol, baseUrl }) => `${protocol} ${baseUrl}`)).toEqual([called])
})

const CARD = { channel_id: '1', input_price: '0.000001', output_price: '0.000004', cache_read_price: '0.0000001' }

test('an account without a map serves what has a price for its platform, and is asked in groups of its platform alone', async () => {
  const plan = await planFrom({
    ...PLACE,
    groups: [groupRow('1'), groupRow('2', { platform: 'anthropic' })],
    accounts: [accountRow('1'), accountRow('2', {}, { platform: 'anthropic' })],
    account_groups: [...inGroups('1', '1', '2'), ...inGroups('2', '1', '2')],
    channels: [{ id: '1', name: 'prices' }],
    channel_groups: [
      { id: '1', channel_id: '1', group_id: '1' },
      { id: '2', channel_id: '1', group_id: '2' },
    ],
    channel_model_pricing: [
      { ...CARD, id: '1', platform: 'openai', models: '["gpt-a","both"]' },
      { ...CARD, id: '2', platform: 'anthropic', models: '["claude-a","both","claude-b*"]' },
    ],
  })
  expect(Object.fromEntries(plan.models.map(({ name }) => [name, targetsOf(plan, name)]))).toEqual({
    'gpt-a': ['account 1: gpt-a, 50, in group 1'],
    'claude-a': ['account 2: claude-a, 50, in group 2'],
    both: ['account 1: both, 50, in group 1', 'account 2: both, 50, in group 2'],
  })
})

test('names that a channel gives to models are served as what they stand for, at its price', async () => {
  const model_mapping = JSON.stringify({
    openai: { fast: 'gpt-a', 'quick-*': 'gpt-b' },
    anthropic: { fast: 'claude-a' },
  })
  const plan = await planFrom({
    ...PLACE,
    accounts: [accountRow('1', { model_mapping: { 'gpt-*': 'gpt-a-2026', quick: 'no' } })],
    account_groups: inGroups('1', '1'),
    channels: [{ id: '1', name: 'prices', model_mapping }],
    channel_groups: [{ id: '1', channel_id: '1', group_id: '1' }],
    channel_model_pricing: [{ ...CARD, id: '1', platform: 'openai', models: '["gpt-a"]' }],
  })
  expect(targetsOf(plan, 'fast')).toEqual(['account 1: gpt-a-2026, 50, in group 1'])
  expect(plan.models.find(({ name }) => name === 'fast')?.prices?.input).toBe(1_000_000_000n)
  expect(plan.report).toMatch(/accounts 1: map models by patterns, which are carried for what has a price/)
})
