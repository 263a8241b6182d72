import type { Product } from './import-plan.ts'
import { hasColumns, ImportRefusal, type SourceReader, textIn } from './source.ts'

/** Columns by which a database is known, whatever it is called. The first that fits wins. */
const MARKS: readonly (readonly [Product, readonly (readonly [table: string, ...columns: string[]])[]])[] = [
  ['new-api', [['tokens', 'group', 'model_limits_enabled']]],
  ['one-api', [['tokens', 'subnet', 'models']]],
  [
    'sub2api',
    [
      ['api_keys', 'key'],
      ['groups', 'rate_multiplier'],
    ],
  ],
  ['litellm', [['litellm_verificationtoken', 'token']]],
]

/** Tables without which there is nothing to move: a migration of the source was cut short, or it is much older. */
const NEEDED: Readonly<Record<Product, Readonly<Record<string, readonly string[]>>>> = {
  'new-api': {
    users: ['id', 'username', 'password', 'role', 'status', 'quota', 'group'],
    tokens: ['id', 'user_id', 'key', 'status', 'name', 'expired_time', 'remain_quota', 'unlimited_quota', 'used_quota'],
    channels: ['id', 'type', 'key', 'status', 'name', 'models', 'group'],
    options: ['key', 'value'],
  },
  'one-api': {
    users: ['id', 'username', 'password', 'role', 'status', 'quota', 'group'],
    tokens: ['id', 'user_id', 'key', 'status', 'name', 'expired_time', 'remain_quota', 'unlimited_quota', 'used_quota'],
    channels: ['id', 'type', 'key', 'status', 'name', 'models', 'group'],
    options: ['key', 'value'],
  },
  sub2api: {
    users: ['id', 'email', 'password_hash', 'role', 'status', 'balance'],
    api_keys: ['id', 'user_id', 'key', 'name', 'group_id', 'status'],
    groups: ['id', 'name', 'rate_multiplier', 'status'],
    accounts: ['id', 'name', 'platform', 'type', 'credentials', 'status'],
  },
  litellm: {
    litellm_verificationtoken: ['token', 'key_name', 'spend', 'expires', 'models', 'user_id', 'team_id', 'max_budget'],
    litellm_usertable: ['user_id', 'user_email', 'spend', 'models', 'max_budget'],
    litellm_teamtable: ['team_id', 'team_alias', 'spend', 'models', 'max_budget', 'blocked'],
  },
}

/** Throws ImportRefusal for a database that is empty, another product's, or lacks what every version of it has. */
export async function requireProduct(source: SourceReader, wanted: Product): Promise<void> {
  if (source.columns.size === 0)
    throw new ImportRefusal('The source has no tables: name the database that the old gateway uses.')
  if (await isOneHub(source)) {
    throw new ImportRefusal(
      'The source is of one-hub or done-hub, whose keys are encoded ids and whose groups and prices have tables of their own, which are not read: nothing is imported from it.',
    )
  }
  const found = MARKS.find(([, marks]) =>
    marks.every(([table, ...columns]) => hasColumns(source, table, ...columns)),
  )?.[0]
  if (found === undefined) {
    throw new ImportRefusal(
      `The source is not known as ${wanted}, nor as another product that can be read; it has ${shown(source)}.`,
    )
  }
  if (found !== wanted) {
    throw new ImportRefusal(
      `The source is a database of ${found}: run "tollgate import ${found}${found === 'litellm' ? ' config.yaml --database …' : ''}" instead of ${wanted}.`,
    )
  }
  const missing = Object.entries(NEEDED[found]).flatMap(([table, columns]) =>
    columns.filter((column) => !hasColumns(source, table, column)).map((column) => `${table}.${column}`),
  )
  if (missing.length > 0) {
    throw new ImportRefusal(
      `The source is a database of ${found} without ${missing.join(', ')}: let a current ${found} finish its migration first.`,
    )
  }
}

/** Whether it is a fork of one-api that has gone its own way: by what it has beside, whether it noted its last plain key or not. */
async function isOneHub(source: SourceReader): Promise<boolean> {
  if (hasColumns(source, 'tokens', 'key') && hasColumns(source, 'user_groups', 'symbol', 'ratio')) return true
  if (!hasColumns(source, 'options', 'key')) return false
  for await (const row of source.rows('options', ['key'])) if (textIn(row, 'key') === 'OldTokenMaxId') return true
  return false
}

const TABLES_SHOWN = 12
const COLUMNS_SHOWN = 40

function shown({ columns }: SourceReader): string {
  const tables = [...columns].map(([table, names]) => `${table} (${[...names].slice(0, COLUMNS_SHOWN).join(', ')})`)
  return tables.slice(0, TABLES_SHOWN).join('; ')
}

/** What the releases of each product came to have one after the other, and the columns that show it. */
const GENERATIONS: Readonly<Record<Product, readonly (readonly [has: string, table: string, column: string])[]>> = {
  'new-api': [
    ['several keys for a channel', 'channels', 'channel_info'],
    ['fallback groups of keys', 'tokens', 'cross_group_retry'],
    ['plans', 'subscription_plans', 'id'],
    ['groups of a key’s own for auto', 'tokens', 'auto_groups'],
  ],
  'one-api': [
    ['settings of channels', 'channels', 'config'],
    ['system prompts of channels', 'channels', 'system_prompt'],
  ],
  sub2api: [
    ['limits by the minute', 'users', 'rpm_limit'],
    ['sign-in by other sites', 'auth_identities', 'issuer'],
    ['composite groups', 'composite_model_routes', 'public_model'],
    ['quotas of platforms', 'user_platform_quotas', 'platform'],
    ['prices of groups', 'groups', 'model_pricing'],
  ],
  litellm: [],
}

/** What tells the generation of a source, which names no version: what it has of that, the newest last. */
export function generationOf(source: Pick<SourceReader, 'columns'>, product: Product): readonly string[] {
  return GENERATIONS[product].flatMap(([has, table, column]) => (hasColumns(source, table, column) ? [has] : []))
}
