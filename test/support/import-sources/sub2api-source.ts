/** A database of sub2api as its releases make it on PostgreSQL, as far as an import reads it. */
import { drawnFrom } from './new-api-source.ts'
import { insertRows, type SourceDatabase } from './source-database.ts'
import { SUB2API_TABLES } from './sub2api-schema.ts'

export interface Sub2apiRows {
  readonly users: readonly { readonly id: number; readonly email: string; readonly balance: string }[]
  readonly keys: readonly {
    readonly id: number
    readonly user_id: number
    readonly key: string
    readonly group_id: number | null
  }[]
}

/** Group 1 is open, 2 exclusive, 3 sold as a plan. User 1 has a multiplier of its own in 1, user 2 may use 2, user 3 subscribes to 3. */
export async function makeSub2api(
  database: SourceDatabase,
  about: { readonly users: number; readonly passwordHash: string; readonly port: number; readonly nowMs: number },
): Promise<Sub2apiRows> {
  for (const [table, columns] of Object.entries(SUB2API_TABLES))
    await database.run(`create table ${table} (${columns})`)
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
  await insertRows(database, 'channels', [{ id: 1, name: 'prices' }])
  await insertRows(
    database,
    'channel_groups',
    [1, 2, 3].map((id) => ({ channel_id: 1, group_id: id })),
  )
  const perToken = {
    channel_id: 1,
    platform: 'openai',
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
