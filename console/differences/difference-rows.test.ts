import { expect, test } from 'vitest'
import type { Difference } from '../api/api-problem.ts'
import { texts as accountEn } from '../dictionaries/account-en.ts'
import { texts as accountZhCn } from '../dictionaries/account-zh-cn.ts'
import { texts as accountsEn } from '../dictionaries/accounts-en.ts'
import { texts as accountsZhCn } from '../dictionaries/accounts-zh-cn.ts'
import { texts as announcementsEn } from '../dictionaries/announcements-en.ts'
import { texts as groupsEn } from '../dictionaries/groups-en.ts'
import { texts as groupsZhCn } from '../dictionaries/groups-zh-cn.ts'
import type { Language } from '../language.ts'
import { texts as modelFactsEn } from '../dictionaries/model-facts-en.ts'
import { texts as modelSettingsEn } from '../dictionaries/model-settings-en.ts'
import { texts as modelsEn } from '../dictionaries/models-en.ts'
import { texts as oneAccountEn } from '../dictionaries/one-account-en.ts'
import { texts as oneAccountZhCn } from '../dictionaries/one-account-zh-cn.ts'
import { texts as paymentSettingsEn } from '../dictionaries/payment-settings-en.ts'
import { texts as paymentsEn } from '../dictionaries/payments-en.ts'
import { texts as pricesEn } from '../dictionaries/prices-en.ts'
import { texts as settingsEn } from '../dictionaries/settings-en.ts'
import { sharedEn } from '../dictionaries/shared-en.ts'
import { sharedZhCn } from '../dictionaries/shared-zh-cn.ts'
import { texts as upstreamsEn } from '../dictionaries/upstreams-en.ts'
import { formatList } from '../format/list.ts'
import { formatExactMoney } from '../format/money.ts'
import { formatNumber } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { accountWords } from './account-words.ts'
import { groupWords, modelWords, upstreamWords } from './catalogue-words.ts'
import { differenceRows, type FieldWords, type ValueFormat } from './difference-rows.ts'
import { announcementWords, paymentWords, settingWords } from './setting-words.ts'

const english = formatIn('en')
const chinese = formatIn('zh-CN')

const group = groupWords({ groups: groupsEn, accounts: accountsEn })
const chineseGroup = groupWords({ groups: groupsZhCn, accounts: accountsZhCn })
const shared = sharedEn
const model = modelWords(
  { prices: pricesEn, models: modelsEn, settings: modelSettingsEn, takes: modelFactsEn, shared },
  english,
)

test('fields are called as their form calls them, and values are what it offers', () => {
  const differences = [
    { field: 'multiplier', current: '1.5', yours: '2' },
    { field: 'enabled', current: true, yours: false },
    { field: 'models', current: ['*'], yours: ['gpt-5', 'claude'] },
    { field: 'open_to_roles', current: [], yours: ['auditor', 'admin'] },
  ]
  expect(inEnglish(group, differences)).toEqual([
    'Multiplier: ×1.5 | ×2',
    'Enabled: Yes | No',
    'Models: All models, including ones added later | gpt-5, claude',
    'Roles: none | Auditor, Admin',
  ])
  expect(inChinese(chineseGroup, differences)).toEqual([
    '倍率: ×1.5 | ×2',
    '启用: 是 | 否',
    `模型: ${groupsZhCn.form.everyModel} | gpt-5、claude`,
    '角色: 无 | 审计员、管理员',
  ])
})

test('what the page has no name for is as the API has it, and nothing is JSON', () => {
  const differences = [
    { field: 'cache', current: null, yours: { ttl_seconds: 3600, shared: true } },
    { field: 'constructor', current: 1, yours: '2026-11-28T16:00:00.000Z' },
  ]
  expect(differenceRows(differences, group, { shared, format: english })).toEqual([
    { label: null, field: 'cache', theirs: ['none'], mine: ['ttl_seconds: 3,600, shared: Yes'] },
    { label: null, field: 'constructor', theirs: ['1'], mine: ['at 2026-11-28T16:00'] },
  ])
})

test('prices are amounts by their kinds, times are durations, and each target has a line', () => {
  const target = { upstream: 'acme', model: 'gpt', priority: 0, weight: 1, groups: [], cost: { factor: '0.6' } }
  expect(
    inEnglish(model, [
      { field: 'price', current: null, yours: { input: '2.5', output: '10', tiers: [{ above_input_tokens: 200000 }] } },
      { field: 'timeout_ms', current: 90_000, yours: 1500 },
      { field: 'price_locked', current: null, yours: true },
      { field: 'kind', current: null, yours: 'chat' },
      { field: 'targets', current: [], yours: [target, { ...target, weight: 2, cost: { factor: null, input: '1' } }] },
    ]),
  ).toEqual([
    'Input: none | $2.50',
    'Output: none | $10.00',
    'Long prompts: none | Input tokens above: 200,000',
    'End a request after: 1 min 30 s | 1.5 s',
    'Price locked: No | Yes',
    'Kind: Detected | Chat',
    'Routing: none | Upstream: acme, Model at the upstream: gpt, Priority: 0, Weight: 1, Cost (×0.6); Upstream: acme, Model at the upstream: gpt, Priority: 0, Weight: 2, Cost (Input: $1.00)',
  ])
})

test('rules of a model have a row for each fact that differs, and those of a target stand in its line', () => {
  const target = { upstream: 'acme', rules: { stops: 1_000_000_000, tool_schema: ['items', 'no_tuples'] } }
  expect(
    inEnglish(model, [
      {
        field: 'rules',
        current: { temperature: 'refused', seed: 'taken', efforts: ['low'] },
        yours: { temperature: 'not_while_reasoning', seed: 'taken', choices: false },
      },
      { field: 'targets', current: [], yours: [target] },
    ]),
  ).toEqual([
    'Effort levels: low | none',
    'Temperature: Rejected | Only without reasoning',
    'Several answers per request (n): none | No',
    'Routing: none | Upstream: acme, What the model takes there (Most stop sequences: No limit, Requirements on tool schemas: Arrays describe items, No tuples)',
  ])
})

test('what is planned, and texts in two languages, have a row for each part that differs', () => {
  const planned = { effective_at: '2027-01-01T00:00:00.000Z', price: { input: '5', output: null }, by: 'acc_1' }
  expect(inEnglish(model, [{ field: 'scheduled', current: planned, yours: null }])).toEqual([
    'Takes effect: at 2027-01-01T00:00 | none',
    'Price: Input: $5.00 | No price',
  ])
  const announcement = announcementWords({ announcements: announcementsEn, accounts: accountsEn })
  expect(
    inEnglish(announcement, [
      { field: 'title', current: { en: 'Old', 'zh-CN': '旧' }, yours: { en: 'New', 'zh-CN': '旧' } },
      { field: 'audience', current: { to: 'all' }, yours: { to: 'role', role: 'finance' } },
    ]),
  ).toEqual(['Title (English): Old | New', 'Audience: All accounts | Role: Finance'])
  const payments = paymentWords({ settings: paymentSettingsEn, payments: paymentsEn, shared }, english)
  const stripe = { on: false, currency: 'eur', per_usd: '0.9' }
  expect(
    inEnglish(payments, [
      { field: 'amounts', current: ['5', '10'], yours: ['2'] },
      { field: 'stripe', current: stripe, yours: { ...stripe, on: true, currency: 'usd' } },
    ]),
  ).toEqual([
    'Amounts on offer: $5.00, $10.00 | $2.00',
    'Let accounts pay this way (Stripe): No | Yes',
    'Currency (Stripe): eur | usd',
  ])
})

test('limits are named and written as in their forms, and groups by their names', () => {
  const differences = [
    { field: 'role', current: 'auditor', yours: 'finance' },
    { field: 'limits', current: null, yours: { concurrency: null, spend: [{ window: '1d', usd: '5' }] } },
    { field: 'raise', current: null, yours: { limits: { max_keys: 3 }, ends_at: '2027-01-01T00:00:00Z' } },
    { field: 'multipliers', current: [], yours: [{ group: 'grp_1', multiplier: '0.5' }] },
    { field: 'open_groups', current: ['grp_1', 'gone'], yours: [] },
  ]
  const groupName = (id: string): string => (id === 'grp_1' ? 'vip' : id)
  const texts = { accounts: accountsEn, one: oneAccountEn, own: accountEn, shared }
  expect(inEnglish(accountWords(texts, english, groupName), differences)).toEqual([
    'Role: Auditor | Finance',
    'Limits: none | Concurrent requests: ∞, Spending in 5 hours: ∞, Spending in 1 day: $5.00, Spending in 7 days: ∞',
    'Temporary raise: none | API keys: 3, Until: at 2027-01-01T00:00',
    'Custom multipliers: none | vip: ×0.5',
    'Closed groups: vip, gone | none',
  ])
  const inTheirs = { accounts: accountsZhCn, one: oneAccountZhCn, own: accountZhCn, shared: sharedZhCn }
  expect(inChinese(accountWords(inTheirs, chinese, groupName), differences.slice(0, 2))).toEqual([
    '角色: 审计员 | 财务',
    '限额: 无 | 并发请求数：∞、5 小时消费：∞、1 天消费：$5.00、7 天消费：∞',
  ])
})

test('credentials are named, each on its line, and that there are some is not said twice', () => {
  const upstream = upstreamWords({ upstreams: upstreamsEn }, english)
  const pool = [
    { name: 'default', weight: 1, realm: null, spend_per_day: null, shadow: [], has_mark: false },
    { name: 'second', weight: 2, requests_per_minute: 60, spend_per_day: '5', shadow: ['spend_per_day'] },
  ]
  expect(
    inEnglish(upstream, [
      { field: 'has_credential', current: true, yours: false },
      { field: 'credentials', current: pool, yours: [] },
      { field: 'spend_per_day', current: null, yours: '12.5' },
    ]),
  ).toEqual([
    'Credentials: default, Weight: 1; second, Weight: 2, Requests per minute: 60, Daily spending cap: $5.00, Shadow rules: Daily spending cap | none',
    'Daily spending cap, USD: none | $12.50',
  ])
})

test('settings are called as on their page', () => {
  const settings = settingWords({ settings: settingsEn, shared }, english)
  expect(
    inEnglish(settings, [
      { field: 'registration', current: 'open', yours: 'invitation' },
      { field: 'public_models', current: true, yours: false },
      { field: 'top_up_url', current: null, yours: 'https://pay.example.test' },
      { field: 'account_limits', current: { max_keys: 5 }, yours: { max_keys: null } },
    ]),
  ).toEqual([
    'Registration: Open | By invitation',
    'Public models page: On | Off',
    'Top-up page: Not set | https://pay.example.test',
    'Account limits: API keys: 5 | API keys: ∞',
  ])
})

function inEnglish(words: FieldWords, differences: readonly Difference[]): readonly string[] {
  return differenceRows(differences, words, { shared, format: english }).map(line)
}

function inChinese(words: FieldWords, differences: readonly Difference[]): readonly string[] {
  return differenceRows(differences, words, { shared: sharedZhCn, format: chinese }).map(line)
}

function line({ label, theirs, mine }: ReturnType<typeof differenceRows>[number]): string {
  return `${label}: ${theirs.join('; ')} | ${mine.join('; ')}`
}

function formatIn(language: Language): ValueFormat {
  return {
    exactMoney: (amount) => formatExactMoney(amount, language),
    number: (count) => formatNumber(count, language),
    list: (names) => formatList(names, language),
    time: (time) => `at ${time.slice(0, 16)}`,
    duration: (durationMs) => formatDuration(durationMs, language),
  }
}
