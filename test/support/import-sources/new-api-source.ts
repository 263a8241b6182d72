/** A database of new-api or one-api as their releases make it, as far as an import reads it, with users drawn at random. */
import { insertRows, type SourceDatabase, type Value } from './source-database.ts'

/** bcrypt of `correct horse battery`, at a low cost for the tests’ sake. */
export const SOURCE_PASSWORD = 'correct horse battery'

export interface SourceUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly quota: number
  readonly group: string
  readonly status: number
}

export interface SourceToken {
  readonly id: number
  readonly user_id: number
  readonly key: string
  readonly remain_quota: number
  readonly used_quota: number
  readonly unlimited_quota: boolean
}

export interface NewApiRows {
  readonly users: readonly SourceUser[]
  readonly tokens: readonly SourceToken[]
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The same rows for the same seed. */
export function drawnFrom(seed: number): (below: number) => number {
  let state = BigInt(seed) + 1n
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn
    return Number((state >> 33n) % BigInt(below))
  }
}

function drawnKey(draw: (below: number) => number, length = 48): string {
  return Array.from({ length }, () => BASE62.charAt(draw(62))).join('')
}

/** Makes the tables of new-api; `more` SQL stands for what a test changes. */
export async function makeNewApi(
  database: SourceDatabase,
  about: {
    readonly users: number
    readonly seed?: number
    readonly passwordHash: string
    readonly options?: Readonly<Record<string, string>>
    readonly channels?: readonly Readonly<Record<string, Value>>[]
  },
): Promise<NewApiRows> {
  const q = (name: string) => database.quoted(name)
  await database.run(`create table ${q('users')} (${q('id')} bigint primary key, ${q('username')} varchar(64),
    ${q('password')} varchar(128), ${q('display_name')} varchar(64), ${q('role')} bigint, ${q('status')} bigint,
    ${q('email')} varchar(128), ${q('quota')} bigint, ${q('used_quota')} bigint, ${q('request_count')} bigint,
    ${q('group')} varchar(64), ${q('github_id')} varchar(64), ${q('deleted_at')} varchar(64), ${q('setting')} text)`)
  await database.run(`create table ${q('tokens')} (${q('id')} bigint primary key, ${q('user_id')} bigint,
    ${q('key')} varchar(128), ${q('status')} bigint, ${q('name')} varchar(128), ${q('created_time')} bigint,
    ${q('expired_time')} bigint, ${q('remain_quota')} bigint, ${q('unlimited_quota')} boolean, ${q('used_quota')} bigint,
    ${q('model_limits_enabled')} boolean, ${q('model_limits')} text, ${q('allow_ips')} varchar(200),
    ${q('group')} varchar(64), ${q('cross_group_retry')} boolean, ${q('deleted_at')} varchar(64))`)
  await database.run(`create table ${q('channels')} (${q('id')} bigint primary key, ${q('type')} bigint, ${q('key')} text,
    ${q('status')} bigint, ${q('name')} varchar(128), ${q('base_url')} varchar(200), ${q('models')} text,
    ${q('group')} varchar(128), ${q('priority')} bigint, ${q('weight')} bigint, ${q('model_mapping')} text,
    ${q('channel_info')} text, ${q('setting')} text, ${q('header_override')} text)`)
  await database.run(`create table ${q('options')} (${q('key')} varchar(128) primary key, ${q('value')} text)`)
  const rows = drawRows(about.users, drawnFrom(about.seed ?? 1))
  await insertRows(
    database,
    'users',
    rows.users.map((user) => ({
      ...user,
      password: about.passwordHash,
      display_name: `User ${user.id}`,
      role: user.id === 1 ? 100 : 1,
      used_quota: 0,
      request_count: 0,
      github_id: '',
      deleted_at: null,
      setting: '',
    })),
  )
  await insertRows(
    database,
    'tokens',
    rows.tokens.map((token) => ({
      ...token,
      status: 1,
      name: `key ${token.id}`,
      created_time: 1_760_000_000 + token.id,
      expired_time: -1,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      cross_group_retry: false,
      deleted_at: null,
    })),
  )
  const channel = {
    status: 1,
    priority: 0,
    weight: 0,
    model_mapping: '',
    channel_info: '',
    setting: '',
    header_override: '',
  }
  await insertRows(
    database,
    'channels',
    (about.channels ?? []).map((each) => ({ ...channel, ...each })),
  )
  await insertRows(
    database,
    'options',
    Object.entries(about.options ?? {}).map(([key, value]) => ({ key, value })),
  )
  return rows
}

function drawRows(count: number, draw: (below: number) => number): NewApiRows {
  const groups = ['default', 'default', 'default', 'vip', 'svip']
  const users = Array.from({ length: count }, (_, i): SourceUser => {
    const id = i + 1
    return {
      id,
      username: `user${id}`,
      // Some have none, and some the same as another.
      email: draw(10) === 0 ? '' : draw(40) === 0 ? 'twice@example.test' : `user${id}@example.test`,
      quota: draw(50_000_000),
      group: groups[draw(groups.length)] ?? 'default',
      status: draw(25) === 0 ? 2 : 1,
    }
  })
  const tokens = users.map(({ id }): SourceToken => ({
    id: 10_000 + id,
    user_id: id,
    key: drawnKey(draw),
    remain_quota: draw(1_000_000),
    used_quota: draw(1_000_000),
    unlimited_quota: draw(2) === 0,
  }))
  return { users, tokens }
}

/** Makes the tables of one-api, whose keys one engine pads with blanks. */
export async function makeOneApi(
  database: SourceDatabase,
  about: { readonly users: number; readonly passwordHash: string; readonly port: number },
): Promise<NewApiRows> {
  const q = (name: string) => database.quoted(name)
  await database.run(`create table ${q('users')} (${q('id')} bigint primary key, ${q('username')} varchar(64),
    ${q('password')} varchar(128), ${q('display_name')} varchar(64), ${q('role')} bigint, ${q('status')} bigint,
    ${q('email')} varchar(128), ${q('quota')} bigint, ${q('group')} varchar(64))`)
  await database.run(`create table ${q('tokens')} (${q('id')} bigint primary key, ${q('user_id')} bigint,
    ${q('key')} char(48), ${q('status')} bigint, ${q('name')} varchar(128), ${q('created_time')} bigint,
    ${q('expired_time')} bigint, ${q('remain_quota')} bigint, ${q('unlimited_quota')} boolean, ${q('used_quota')} bigint,
    ${q('models')} text, ${q('subnet')} varchar(200))`)
  await database.run(`create table ${q('channels')} (${q('id')} bigint primary key, ${q('type')} bigint, ${q('key')} text,
    ${q('status')} bigint, ${q('name')} varchar(128), ${q('base_url')} varchar(200), ${q('models')} text,
    ${q('group')} varchar(128), ${q('priority')} bigint, ${q('weight')} bigint, ${q('model_mapping')} text)`)
  await database.run(`create table ${q('options')} (${q('key')} varchar(128) primary key, ${q('value')} text)`)
  const drawn = drawRows(about.users, drawnFrom(7))
  // Some are from an installation whose keys were shorter.
  const tokens = drawn.tokens.map((token, i) => (i % 5 === 0 ? { ...token, key: token.key.slice(0, 32) } : token))
  const of = { password: about.passwordHash, role: 1 }
  await insertRows(
    database,
    'users',
    drawn.users.map((user) => ({ ...user, ...of, display_name: user.username })),
  )
  const plain = {
    status: 1,
    created_time: 1_700_000_000,
    expired_time: -1,
    models: 'house-model',
    subnet: '10.0.0.0/8,127.0.0.1',
  }
  await insertRows(
    database,
    'tokens',
    tokens.map((token) => ({ ...token, ...plain, name: `key ${token.id}` })),
  )
  await insertRows(database, 'channels', [
    {
      id: 1,
      // Of an OpenAI-compatible API here, and of nothing that is carried in new-api.
      type: 50,
      key: 'sk-upstream',
      status: 1,
      name: 'house',
      base_url: `http://127.0.0.1:${about.port}/v1`,
      models: 'house-model',
      group: 'default,vip,svip',
      priority: 3,
      weight: 0,
      model_mapping: '',
    },
  ])
  await insertRows(database, 'options', [
    { key: 'ModelRatio', value: '{"house-model":1.5}' },
    { key: 'CompletionRatio', value: '{"house-model":2}' },
    { key: 'GroupRatio', value: '{"default":1,"vip":0.9,"svip":0.85}' },
  ])
  return { users: drawn.users, tokens }
}
