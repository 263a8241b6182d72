import type { SourceDatabase } from './source-database.ts'

/**
 * The tables of new-api and one-api, column by column with their defaults, as their migrations make them of the fields of
 * `model/*.go` (new-api of 2026-07, one-api 8df4a267): among the columns some whose names follow from the naming of fields
 * alone, such as `open_ai_organization`.
 */
type Columns = Readonly<Record<string, string>>

const ID = 'bigint primary key'
const COUNT = 'bigint default 0'
const TEXT = 'text'
const SHORT = 'varchar(255)'
const YES_OR_NO = 'boolean default false'

const SHARED_USER: Columns = {
  id: ID,
  username: SHORT,
  password: `${SHORT} not null`,
  display_name: SHORT,
  role: 'bigint default 1',
  status: 'bigint default 1',
  email: SHORT,
  github_id: SHORT,
  oidc_id: SHORT,
  wechat_id: SHORT,
  access_token: 'char(32)',
  quota: COUNT,
  used_quota: COUNT,
  request_count: COUNT,
  group: `varchar(64) default 'default'`,
  aff_code: 'varchar(32)',
  inviter_id: 'bigint',
}

const SHARED_TOKEN: Columns = {
  id: ID,
  user_id: 'bigint',
  status: 'bigint default 1',
  name: SHORT,
  created_time: 'bigint',
  accessed_time: 'bigint',
  expired_time: 'bigint default -1',
  remain_quota: COUNT,
  unlimited_quota: YES_OR_NO,
  used_quota: COUNT,
}

const SHARED_CHANNEL: Columns = {
  id: ID,
  type: COUNT,
  key: TEXT,
  status: 'bigint default 1',
  name: SHORT,
  weight: COUNT,
  created_time: 'bigint',
  test_time: 'bigint',
  response_time: 'bigint',
  base_url: `${SHORT} default ''`,
  other: TEXT,
  balance: 'decimal(20,6) default 0',
  balance_updated_time: 'bigint',
  models: TEXT,
  group: `varchar(64) default 'default'`,
  used_quota: COUNT,
  model_mapping: TEXT,
  priority: COUNT,
}

const OPTIONS: Columns = { key: 'varchar(128) primary key', value: TEXT }

const NEW_API: Readonly<Record<string, Columns>> = {
  users: {
    ...SHARED_USER,
    discord_id: SHORT,
    telegram_id: SHORT,
    aff_count: COUNT,
    aff_quota: COUNT,
    aff_history: COUNT,
    deleted_at: 'varchar(64)',
    linux_do_id: SHORT,
    setting: TEXT,
    remark: SHORT,
    stripe_customer: 'varchar(64)',
    created_at: 'bigint',
    last_login_at: COUNT,
  },
  tokens: {
    ...SHARED_TOKEN,
    key: 'varchar(128)',
    model_limits_enabled: YES_OR_NO,
    model_limits: TEXT,
    allow_ips: `${SHORT} default ''`,
    group: `${SHORT} default ''`,
    cross_group_retry: 'boolean',
    deleted_at: 'varchar(64)',
  },
  channels: {
    ...SHARED_CHANNEL,
    open_ai_organization: TEXT,
    test_model: TEXT,
    status_code_mapping: `varchar(1024) default ''`,
    auto_ban: 'bigint default 1',
    other_info: TEXT,
    tag: SHORT,
    setting: TEXT,
    param_override: TEXT,
    header_override: TEXT,
    remark: SHORT,
    channel_info: TEXT,
    settings: TEXT,
  },
  options: OPTIONS,
  two_fas: {
    id: ID,
    user_id: 'bigint',
    secret: `${SHORT} not null`,
    is_enabled: 'boolean',
    failed_attempts: COUNT,
    locked_until: 'varchar(64)',
    last_used_at: 'varchar(64)',
    created_at: 'varchar(64)',
    updated_at: 'varchar(64)',
    deleted_at: 'varchar(64)',
  },
  two_fa_backup_codes: { id: ID, user_id: 'bigint', code_hash: SHORT, is_used: 'boolean', deleted_at: 'varchar(64)' },
}

const ONE_API: Readonly<Record<string, Columns>> = {
  users: { ...SHARED_USER, lark_id: SHORT },
  // One engine pads its keys with blanks.
  tokens: { ...SHARED_TOKEN, key: 'char(48)', models: TEXT, subnet: `${SHORT} default ''` },
  channels: { ...SHARED_CHANNEL, config: TEXT, system_prompt: TEXT },
  options: OPTIONS,
}

export async function makeTables(database: SourceDatabase, product: 'new-api' | 'one-api'): Promise<void> {
  for (const [table, columns] of Object.entries(product === 'new-api' ? NEW_API : ONE_API)) {
    const written = Object.entries(columns).map(([name, type]) => `${database.quoted(name)} ${type}`)
    await database.run(`create table ${database.quoted(table)} (${written.join(', ')})`)
  }
}
