/** A database of new-api or one-api as their releases make it, as far as an import reads it, with users drawn at random. */
import { makeTables } from './new-api-schema.ts'
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

/** What the products write of every user. */
const REGISTERED = { used_quota: 0, request_count: 0, github_id: '', oidc_id: '', wechat_id: '', inviter_id: 0 }
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Draws the same rows for the same seed. */
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

/** Makes the tables of new-api, and rows as its handlers write them. */
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
  await makeTables(database, 'new-api')
  const rows = drawRows(about.users, drawnFrom(about.seed ?? 1))
  await insertRows(
    database,
    'users',
    rows.users.map((user) => ({
      ...user,
      password: about.passwordHash,
      display_name: `User ${user.id}`,
      role: user.id === 1 ? 100 : 1,
      ...REGISTERED,
      discord_id: '',
      telegram_id: '',
      linux_do_id: '',
      deleted_at: null,
      setting: '',
      // Each gets one at registration.
      aff_code: `a${user.id}`,
      created_at: 1_750_000_000,
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
  // As its form sends them, where nothing is filled in.
  const channel = {
    status: 1,
    priority: 0,
    weight: 0,
    base_url: '',
    other: '',
    model_mapping: '',
    channel_info: '{"is_multi_key":false,"multi_key_size":0,"multi_key_status_list":null,"multi_key_mode":""}',
    setting: '{"force_format":false,"thinking_to_content":false,"proxy":"","pass_through_body_enabled":false}',
    settings: '{}',
    open_ai_organization: '',
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
  await makeTables(database, 'one-api')
  const drawn = drawRows(about.users, drawnFrom(7))
  // Some are from an installation whose keys were shorter.
  const tokens = drawn.tokens.map((token, i) => (i % 5 === 0 ? { ...token, key: token.key.slice(0, 32) } : token))
  const of = { password: about.passwordHash, role: 1 }
  await insertRows(
    database,
    'users',
    drawn.users.map((user) => ({
      ...user,
      ...of,
      ...REGISTERED,
      display_name: user.username,
      access_token: String(user.id).padStart(32, 'a'),
      aff_code: `a${user.id}`,
    })),
  )
  const plain = {
    status: 1,
    created_time: 1_700_000_000,
    expired_time: -1,
    models: 'house-model,gpt-4o-mini',
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
      models: 'house-model,gpt-4o-mini',
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
