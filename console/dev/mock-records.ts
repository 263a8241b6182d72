import type { UsageRecordView } from '../../src/contract/usage.ts'

const MINUTE_MS = 60_000

const NO_TOKENS: UsageRecordView['tokens'] = {
  input: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  output: null,
  reasoning: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
}

const PLAIN: UsageRecordView = {
  id: 'req_',
  created_at: '',
  account_id: 'acc_01kb3v5x2e',
  key_id: 'key_laptop',
  key_name: 'laptop',
  group: 'default',
  model: 'claude-sonnet-5',
  protocol: 'anthropic-messages',
  stream: true,
  outcome: 'completed',
  fault: null,
  detail: null,
  http_status: 200,
  tokens: { ...NO_TOKENS, input: 2_318, cache_read: 41_920, cache_write: 1_203, output: 1_187, reasoning: 402 },
  units: null,
  usage_source: 'reported',
  capped: false,
  multiplier: '0.85',
  cost: '0.035569313',
  price_lines: [
    { kind: 'input', tokens: 2_318, count: 2_318, per: 1_000_000, price: '3', multiplier: '0.85', cost: '0.0059109' },
    {
      kind: 'cache_read',
      tokens: 41_920,
      count: 41_920,
      per: 1_000_000,
      price: '0.3',
      multiplier: '0.85',
      cost: '0.0106896',
    },
    {
      kind: 'cache_write',
      tokens: 1_203,
      count: 1_203,
      per: 1_000_000,
      price: '3.75',
      multiplier: '0.85',
      cost: '0.0038345625',
    },
    {
      kind: 'output',
      tokens: 1_187,
      count: 1_187,
      per: 1_000_000,
      price: '15',
      multiplier: '0.85',
      cost: '0.01513425',
    },
  ],
  paid_by_balance: '0.005569313',
  paid_by_subscriptions: [{ subscription_id: 'sub_pro', usd: '0.03' }],
  attempts: [
    { upstream: 'upstream-1', model: null, fault: 'upstream_overloaded', status: 529, total_ms: 420 },
    { upstream: 'upstream-2', model: null, fault: null, status: 200, total_ms: 6_900 },
  ],
  client: 'claude-cli/2.4.1 (external, cli)',
  first_byte_ms: 1_260,
  total_ms: 7_340,
}

const FREE = { cost: '0', price_lines: [], paid_by_balance: '0', paid_by_subscriptions: [] }
const REFUSED = { ...FREE, outcome: 'refused' as const, tokens: NO_TOKENS, usage_source: 'none' as const, attempts: [] }

/** What is special about one record of the mock. */
const KINDS: readonly Partial<UsageRecordView>[] = [
  {},
  {
    model: 'gpt-5.5',
    protocol: 'openai-responses',
    client: 'codex_cli_rs/0.121.0',
    attempts: [{ upstream: 'upstream-1', model: null, fault: null, status: 200, total_ms: 3_020 }],
    first_byte_ms: 610,
    total_ms: 3_050,
    multiplier: '1',
    tokens: { ...NO_TOKENS, input: 8_120, cache_read: 0, output: 640, reasoning: 0 },
    price_lines: [
      { kind: 'input', tokens: 8_120, count: 8_120, per: 1_000_000, price: '2.5', multiplier: '1', cost: '0.0203' },
      { kind: 'output', tokens: 640, count: 640, per: 1_000_000, price: '10', multiplier: '1', cost: '0.0064' },
    ],
    cost: '0.0267',
    paid_by_balance: '0.0267',
    paid_by_subscriptions: [],
  },
  {
    ...REFUSED,
    model: 'gpt-5.5-turbo',
    protocol: 'openai-chat',
    fault: 'model_unknown',
    http_status: 404,
    client: 'OpenAI/Python 3.1.0',
    key_id: 'key_ci',
    key_name: 'continuous integration',
    group: null,
    multiplier: null,
    stream: false,
    first_byte_ms: null,
    total_ms: 2,
  },
  {
    model: 'deepseek-v4',
    protocol: 'openai-chat',
    group: 'saver',
    key_id: 'key_night',
    key_name: 'nightly batch',
    usage_source: 'estimated',
    stream: false,
    multiplier: '0.6',
    tokens: { ...NO_TOKENS, input: 1_904, output: 388 },
    price_lines: [
      {
        kind: 'input',
        tokens: 1_904,
        count: 1_904,
        per: 1_000_000,
        price: '0.27',
        multiplier: '0.6',
        cost: '0.000308448',
      },
      { kind: 'output', tokens: 388, count: 388, per: 1_000_000, price: '1.1', multiplier: '0.6', cost: '0.00025608' },
    ],
    cost: '0.000564528',
    paid_by_balance: '0.000564528',
    paid_by_subscriptions: [],
    attempts: [{ upstream: 'upstream-1', model: null, fault: null, status: 200, total_ms: 11_000 }],
    client: 'curl/8.18.0',
    first_byte_ms: 11_010,
    total_ms: 11_020,
  },
  {
    ...FREE,
    outcome: 'failed',
    model: 'claude-opus-5',
    fault: 'upstream_overloaded',
    http_status: 529,
    tokens: NO_TOKENS,
    usage_source: 'none',
    attempts: [
      { upstream: 'upstream-1', model: null, fault: 'upstream_overloaded', status: 529, total_ms: 380 },
      { upstream: 'upstream-2', model: null, fault: 'upstream_timeout', status: null, total_ms: 10_020 },
    ],
    group: 'pro',
    key_id: 'key_team',
    key_name: 'team agents',
    multiplier: '1.2',
    first_byte_ms: null,
    total_ms: 10_450,
  },
  { outcome: 'aborted', http_status: null, capped: true, first_byte_ms: 900, total_ms: 2_450 },
  { ...REFUSED, fault: 'balance_exhausted', http_status: 402, first_byte_ms: null, total_ms: 1 },
  {},
]

/** About two hundred records of the last weeks, the newest first. */
export function mockRecords(nowMs: number): readonly UsageRecordView[] {
  return Array.from({ length: 180 }, (_, index) => ({
    ...PLAIN,
    ...KINDS[index % KINDS.length],
    id: `req_01kb${(1_000_000 - index * 37).toString(36)}x7q2m9v4h`,
    created_at: new Date(nowMs - (index * index + 3 * index + 2) * MINUTE_MS).toISOString(),
  }))
}
