/** A database of sub2api as its releases make it on PostgreSQL, as far as an import reads it. */
import { drawnFrom } from './new-api-source.ts'
import { insertRows, type SourceDatabase } from './source-database.ts'

export interface Sub2apiRows {
  readonly users: readonly { readonly id: number; readonly email: string; readonly balance: string }[]
  readonly keys: readonly {
    readonly id: number
    readonly user_id: number
    readonly key: string
    readonly group_id: number | null
  }[]
}

const TABLES = [
  `create table users (id bigint primary key, email varchar(255), username varchar(100), password_hash varchar(255),
    role varchar(20), status varchar(20), balance decimal(20,8), frozen_balance decimal(20,8), concurrency int, rpm_limit int,
    deleted_at timestamptz, created_at timestamptz)`,
  `create table groups (id bigint primary key, name varchar(100), rate_multiplier decimal(10,4), status varchar(20),
    is_exclusive boolean, subscription_type varchar(20), daily_limit_usd decimal(20,8), weekly_limit_usd decimal(20,8),
    monthly_limit_usd decimal(20,8), platform varchar(50), deleted_at timestamptz)`,
  `create table user_allowed_groups (user_id bigint, group_id bigint)`,
  `create table user_group_rate_multipliers (user_id bigint, group_id bigint, rate_multiplier decimal(10,4))`,
  `create table api_keys (id bigint primary key, user_id bigint, key varchar(128), name varchar(100), group_id bigint,
    status varchar(20), quota decimal(20,8), quota_used decimal(20,8), expires_at timestamptz, ip_whitelist jsonb,
    ip_blacklist jsonb, rate_limit_5h decimal(20,8), rate_limit_1d decimal(20,8), rate_limit_7d decimal(20,8),
    usage_5h decimal(20,8), usage_1d decimal(20,8), usage_7d decimal(20,8), window_5h_start timestamptz,
    window_1d_start timestamptz, window_7d_start timestamptz, deleted_at timestamptz, created_at timestamptz)`,
  `create table accounts (id bigint primary key, name varchar(100), platform varchar(50), type varchar(20),
    credentials jsonb, status varchar(20), concurrency int, priority int, load_factor int, proxy_id bigint,
    rate_multiplier decimal(10,4), deleted_at timestamptz)`,
  `create table account_groups (account_id bigint, group_id bigint, priority int)`,
  `create table channel_model_pricing (id bigint primary key, channel_id bigint, models jsonb, billing_mode varchar(20),
    input_price decimal(20,12), output_price decimal(20,12), cache_read_price decimal(20,12),
    cache_write_price decimal(20,12), per_request_price decimal(20,12))`,
  `create table channel_pricing_intervals (id bigint primary key, pricing_id bigint, min_tokens int, max_tokens int,
    input_price decimal(20,12), output_price decimal(20,12), cache_read_price decimal(20,12), cache_write_price decimal(20,12))`,
  `create table subscription_plans (id bigint primary key, group_id bigint, name varchar(100), price decimal(20,2),
    validity_days int, validity_unit varchar(10))`,
  `create table user_subscriptions (id bigint primary key, user_id bigint, group_id bigint, starts_at timestamptz,
    expires_at timestamptz, status varchar(20), daily_window_start timestamptz, daily_usage_usd decimal(20,10),
    weekly_window_start timestamptz, weekly_usage_usd decimal(20,10), monthly_window_start timestamptz,
    monthly_usage_usd decimal(20,10), deleted_at timestamptz)`,
  `create table redeem_codes (id bigint primary key, code varchar(32), type varchar(20), value decimal(20,8),
    status varchar(20), group_id bigint, validity_days int, expires_at timestamptz)`,
]

/** Group 1 is open, 2 exclusive, 3 sold as a plan. User 1 has a multiplier of its own in 1, user 2 may use 2, user 3 subscribes to 3. */
export async function makeSub2api(
  database: SourceDatabase,
  about: { readonly users: number; readonly passwordHash: string; readonly port: number; readonly nowMs: number },
): Promise<Sub2apiRows> {
  for (const table of TABLES) await database.run(table)
  const draw = drawnFrom(3)
  const ago = (hours: number) => new Date(about.nowMs - hours * 3_600_000).toISOString()
  const hex = () => Array.from({ length: 64 }, () => draw(16).toString(16)).join('')
  const users = Array.from({ length: about.users }, (_, i) => ({
    id: i + 1,
    email: `user${i + 1}@example.test`,
    balance: `${draw(1000)}.${String(draw(100_000_000)).padStart(8, '0')}`,
  }))
  const keys = users.map(({ id }) => ({
    id: 500 + id,
    user_id: id,
    key: `sk-${hex()}`,
    group_id: id === 5 ? null : id === 2 ? 2 : id === 3 ? 3 : 1,
  }))
  await insertRows(
    database,
    'users',
    users.map((user) => ({
      ...user,
      username: `User ${user.id}`,
      password_hash: about.passwordHash,
      role: user.id === 1 ? 'admin' : 'user',
      status: 'active',
      frozen_balance: 0,
      concurrency: 5,
      rpm_limit: 0,
      deleted_at: null,
      created_at: ago(1000),
    })),
  )
  const group = {
    status: 'active',
    daily_limit_usd: null,
    weekly_limit_usd: null,
    monthly_limit_usd: null,
    platform: 'openai',
    deleted_at: null,
  }
  await insertRows(database, 'groups', [
    { ...group, id: 1, name: 'all', rate_multiplier: '1.2500', is_exclusive: false, subscription_type: 'standard' },
    { ...group, id: 2, name: 'friends', rate_multiplier: '0.5000', is_exclusive: true, subscription_type: 'standard' },
    {
      ...group,
      id: 3,
      name: 'sold',
      rate_multiplier: '1',
      is_exclusive: false,
      subscription_type: 'subscription',
      daily_limit_usd: '10',
      monthly_limit_usd: '100',
    },
  ])
  await insertRows(database, 'user_allowed_groups', [{ user_id: 2, group_id: 2 }])
  await insertRows(database, 'user_group_rate_multipliers', [{ user_id: 1, group_id: 1, rate_multiplier: '0.7500' }])
  await insertRows(
    database,
    'api_keys',
    keys.map((key) => ({
      ...key,
      name: `key ${key.id}`,
      status: key.id === 504 ? 'inactive' : 'active',
      quota: key.id === 501 ? '50' : 0,
      quota_used: key.id === 501 ? '12.5' : 0,
      expires_at: null,
      ip_whitelist: '[]',
      ip_blacklist: '[]',
      rate_limit_5h: key.id === 501 ? '20' : 0,
      rate_limit_1d: 0,
      rate_limit_7d: 0,
      usage_5h: key.id === 501 ? '3.25' : 0,
      usage_1d: 0,
      usage_7d: 0,
      window_5h_start: key.id === 501 ? ago(1) : null,
      window_1d_start: null,
      window_7d_start: null,
      deleted_at: null,
      created_at: ago(500),
    })),
  )
  const account = {
    status: 'active',
    concurrency: 10,
    priority: 50,
    load_factor: null,
    proxy_id: null,
    rate_multiplier: '1',
    deleted_at: null,
  }
  const credentials = {
    api_key: 'sk-upstream',
    base_url: `http://127.0.0.1:${about.port}`,
    model_mapping: { 'house-model': 'house-v2', 'fixed-model': 'fixed', 'long-model': 'long', free: 'free' },
  }
  await insertRows(database, 'accounts', [
    { ...account, id: 1, name: 'house', platform: 'openai', type: 'apikey', credentials: JSON.stringify(credentials) },
    {
      ...account,
      id: 2,
      name: 'personal',
      platform: 'anthropic',
      type: 'oauth',
      credentials: '{"access_token":"a-secret"}',
    },
  ])
  await insertRows(
    database,
    'account_groups',
    [1, 2, 3].map((id) => ({ account_id: 1, group_id: id, priority: 1 })),
  )
  const perToken = {
    channel_id: 1,
    billing_mode: 'token',
    input_price: '0.00000125',
    output_price: '0.00001',
    cache_read_price: '0.000000125',
    cache_write_price: null,
    per_request_price: null,
  }
  const perRequest = { input_price: null, output_price: null, cache_read_price: null, per_request_price: '0.0415' }
  await insertRows(database, 'channel_model_pricing', [
    { ...perToken, id: 1, models: '["house-model"]' },
    { ...perToken, ...perRequest, id: 2, models: '["fixed-model"]', billing_mode: 'per_request' },
    { ...perToken, id: 3, models: '["long-model"]' },
  ])
  await insertRows(database, 'channel_pricing_intervals', [
    { id: 1, pricing_id: 3, min_tokens: 0, max_tokens: 4000, input_price: '0.00000077', output_price: '0.00000333' },
  ])
  await insertRows(database, 'subscription_plans', [
    { id: 1, group_id: 3, name: 'Monthly', price: '9.90', validity_days: 1, validity_unit: 'month' },
  ])
  await insertRows(database, 'user_subscriptions', [
    {
      id: 1,
      user_id: 3,
      group_id: 3,
      starts_at: ago(48),
      expires_at: ago(-240),
      status: 'active',
      daily_window_start: ago(2),
      daily_usage_usd: '4.5',
      weekly_window_start: null,
      weekly_usage_usd: 0,
      monthly_window_start: ago(48),
      monthly_usage_usd: '30',
      deleted_at: null,
    },
  ])
  const code = { status: 'unused', group_id: null, validity_days: 0, expires_at: null }
  await insertRows(database, 'redeem_codes', [
    { ...code, id: 1, code: '0123456789abcdef0123456789abcdef', type: 'balance', value: '25' },
    {
      ...code,
      id: 2,
      code: 'fedcba9876543210fedcba9876543210',
      type: 'subscription',
      value: 0,
      group_id: 3,
      validity_days: 7,
    },
    { ...code, id: 3, code: '00000000000000000000000000000000', type: 'concurrency', value: 5 },
  ])
  return { users, keys }
}
