import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hashPassword } from '../../src/access/password.ts'
import type { Seeded } from '../seed/seed-database.ts'
import { SAMPLE_EMAIL, SAMPLE_PASSWORD } from './sample-plan.ts'

/** The seeded models, most used first, by the names that they get. */
const MODELS = [
  'gpt-5.5',
  'claude-sonnet-5',
  'gpt-5.5-mini',
  'claude-haiku-5',
  'claude-opus-5',
  'deepseek-v4',
  'qwen-4-max',
  'kimi-k3',
  'glm-5',
  'gpt-5.5-nano',
  'mistral-large-4',
  'gemini-4-flash',
] as const

const KEYS = [
  'laptop',
  'Claude Code',
  'nightly report',
  'build server',
  'Cherry Studio',
  'notebook',
  'staging',
  'trial',
]
const GROUPS = { 'seeded-saver': 'saver', 'seeded-fast': 'priority' }

/** Gives what was seeded the names that people give, and its first account an address and a password. */
export async function nameSeededRows(directory: string, { accountIds, keyIds }: Seeded): Promise<void> {
  const hash = await hashPassword(SAMPLE_PASSWORD)
  const accountId = accountIds[0] ?? ''
  changeRows(directory, (database) => {
    const tables = database
      .prepare(
        `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
          where m.type = 'table' and c.name in ('model', 'upstream_model', 'group_name')`,
      )
      .all()
    const rename = (from: string, to: string): void => {
      for (const { table, column } of tables) {
        const name = `"${String(column)}"`
        database.prepare(`update "${String(table)}" set ${name} = ? where ${name} = ?`).run(to, from)
      }
    }
    for (const [index, name] of MODELS.entries()) {
      rename(`seeded/model-${index + 1}`, name)
      database.prepare('update models set name = ? where name = ?').run(name, `seeded/model-${index + 1}`)
    }
    for (const [from, to] of Object.entries(GROUPS)) {
      rename(from, to)
      database.prepare('update "groups" set name = ? where name = ?').run(to, from)
    }
    const nameKey = database.prepare('update api_keys set name = ?, name_lower = ? where id = ?')
    const nameInRecords = database.prepare('update usage_records set key_name = ? where key_id = ?')
    for (const [index, id] of keyIds.entries()) {
      const name = KEYS[index] ?? `spare ${index}`
      nameKey.run(name, name.toLowerCase(), id)
      if (index < KEYS.length) nameInRecords.run(name, id)
    }
    database.exec(`update api_keys set status = 'active', expires_at = null where account_id = '${accountId}'`)
    database
      .prepare('update accounts set email = ?, email_lower = ?, password_hash = ? where id = ?')
      .run(SAMPLE_EMAIL, SAMPLE_EMAIL, hash, accountId)
    varyRecords(database, accountId)
  })
}

/** Changes of the newest records of an account: looks of a request that do not change what it cost. */
const VARIETIES: readonly (readonly [position: number, change: string])[] = [
  [0, `wire = 'anthropic-messages', client = 'claude-cli/2.4.1 (external, cli)'`],
  [1, `wire = 'openai-responses', client = 'codex_cli_rs/0.121.0'`],
  [2, `is_stream = 0, usage_source = 'estimated', client = 'curl/8.18.0'`],
  [
    3,
    `attempts_json = '[{"upstreamName":"openai-main","model":"m","fault":"upstream_overloaded","status":529,"totalMs":420},'
      || '{"upstreamName":"anthropic-main","model":"m","fault":null,"status":200,"totalMs":3100}]'`,
  ],
  [4, `wire = 'gemini', client = 'GeminiCLI/0.39.1 (linux; x64)'`],
  [6, `is_capped = 1, outcome = 'aborted', http_status = null`],
]

function varyRecords(database: DatabaseSync, accountId: string): void {
  const newest = database
    .prepare(`select id from usage_records where account_id = ? and outcome = 'completed' order by id desc limit 20`)
    .all(accountId)
  for (const [position, change] of VARIETIES) {
    const id = newest[position]?.['id']
    if (id !== undefined) database.prepare(`update usage_records set ${change} where id = ?`).run(id)
  }
}

/**
 * What no run has twice alike, set to something: how long the calls took that were made since `sinceMs`. And what only
 * another program could bring about: a key of a declarative file, a passkey, an alert that a receiver did not take.
 */
export function settleRows(directory: string, about: { readonly accountId: string; readonly sinceMs: number }): void {
  changeRows(directory, (database) => {
    database
      .prepare('update usage_records set first_byte_ms = 610, total_ms = 2940 where created_at >= ? and total_ms > 10')
      .run(about.sinceMs)
    database
      .prepare('update usage_records set total_ms = 3 where created_at >= ? and total_ms <= 10')
      .run(about.sinceMs)
    database
      .prepare(`update api_keys set is_managed = 1 where account_id = ? and name = 'build server'`)
      .run(about.accountId)
    database
      .prepare(
        `insert into passkeys (id, account_id, name, credential_id, public_key, counter, device_type, is_synced, created_at)
          values ('psk_sample', ?, 'Laptop', 'sample', 'sample', 0, 'multiDevice', 1, ?)`,
      )
      .run(about.accountId, about.sinceMs - 50 * 86_400_000)
    database.exec('delete from alert_deliveries')
    const alerts = database.prepare('select id, created_at from alerts order by created_at desc, id').all()
    const deliver = database.prepare(
      'insert into alert_deliveries (alert_id, way, tries, next_try_at, delivered_at, failure) values (?, ?, ?, null, ?, ?)',
    )
    for (const [index, { id = null, created_at = null }] of alerts.entries()) {
      deliver.run(id, 'mail', 1, created_at, null)
      if (index === 0) deliver.run(id, 'webhook', 9, null, 'The receiver returned 503.')
    }
  })
}

/**
 * Makes the one-time link of the first start sign the sample's account in, as an admin: for that it must have no password.
 */
export function giveLinkTo(directory: string, accountId: string): void {
  changeRows(directory, (database) => {
    database.prepare(`update settings set value = ? where name = 'set_up_account'`).run(accountId)
    database.prepare(`update accounts set role = 'admin', password_hash = null where id = ?`).run(accountId)
  })
}

/** While no gateway has the database open. */
function changeRows(directory: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(directory, 'tollgate.db'))
  try {
    database.exec('begin')
    change(database)
    database.exec('commit')
  } finally {
    database.close()
  }
}
