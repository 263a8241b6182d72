import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hashPassword } from '../../src/access/password.ts'
import { startFakeUpstream } from '../fake-upstream/fake-upstream.ts'
import { type Seeded, seedDatabase } from '../seed/seed-database.ts'

const ADMIN_TOKEN = 'an-admin-token-for-taking-pictures'
const PASSWORD = 'correct horse battery staple'
const EMAIL = 'ada@example.test'
const READY_MS = 30_000

/** A gateway as somebody has it after a month of work: months of requests, several keys, a subscription. */
export interface ShownPlace {
  readonly origin: string
  readonly email: string
  readonly password: string
  stop(): Promise<void>
}

export async function startShownPlace(): Promise<ShownPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-pictures-'))
  const plan = { accounts: 3, keys: 40, records: 24_000, days: 30, seed: 7, untilMs: Date.now() }
  const seeded = await seedDatabase({ databaseUrl: null, directory }, plan)
  await dress(join(directory, 'tollgate.db'), seeded)
  const fake = await startFakeUpstream()
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'bin', 'tollgate.js'), 'start'], {
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      // What snippets show.
      PORT: '8787',
      TOLLGATE_DATA_DIR: directory,
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      TOLLGATE_DEMO: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await originOf(child)
  await furnish(origin, { upstream: fake.url, accountId: seeded.accountIds[0] ?? '' })
  return {
    origin,
    email: EMAIL,
    password: PASSWORD,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await fake.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

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
  'grok-5',
]
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

/** Gives what was seeded the names that people give. */
async function dress(path: string, { accountIds, keyIds }: Seeded): Promise<void> {
  const hash = await hashPassword(PASSWORD)
  const database = new DatabaseSync(path)
  const tables = database
    .prepare(
      `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
        where m.type = 'table' and c.name in ('model', 'upstream_model', 'group_name')`,
    )
    .all()
  database.exec('begin')
  const rename = (from: string, to: string): void => {
    for (const { table, column } of tables) {
      database
        .prepare(`update "${String(table)}" set "${String(column)}" = ? where "${String(column)}" = ?`)
        .run(to, from)
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
  for (const [index, id] of keyIds.entries()) {
    const name = KEYS[index] ?? `spare ${index}`
    database.prepare('update api_keys set name = ? where id = ?').run(name, id)
    database.prepare('update usage_records set key_name = ? where key_id = ?').run(name, id)
  }
  database
    .prepare('update accounts set email = ?, email_lower = ?, password_hash = ? where id = ?')
    .run(EMAIL, EMAIL, hash, accountIds[0] ?? '')
  database.exec('commit')
  database.close()
}

/** What the seed has not: an upstream that answers, a plan that runs, money. */
async function furnish(origin: string, about: { upstream: string; accountId: string }): Promise<void> {
  const admin = async (method: string, path: string, body?: object) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  for (const protocol of ['openai', 'anthropic']) {
    await admin('POST', '/api/upstreams', { name: `${protocol}-main`, protocol, base_url: `${about.upstream}/v1` })
  }
  const { data: models } = await admin('GET', '/api/models?limit=50')
  for (const { id } of models) {
    const targets = ['openai', 'anthropic'].map((protocol) => ({ upstream: `${protocol}-main`, model: 'fake/echo' }))
    await admin('PATCH', `/api/models/${id}`, { targets, context_tokens: 400_000, max_output_tokens: 128_000 })
  }
  const { data: keys } = await admin('GET', `/api/keys?account_id=${about.accountId}`)
  for (const key of keys) {
    if (key.quota_limit !== null) await admin('PATCH', `/api/keys/${key.id}`, { quota_limit: '60' })
  }
  const quotas = [
    { window: '5h', usd: '5' },
    { window: '7d', usd: '40' },
  ]
  await admin('POST', '/api/plans', { name: 'Pro', groups: ['default'], days: 30, price: '20', quotas })
  await admin('POST', `/api/accounts/${about.accountId}/subscriptions`, { plan: 'Pro' })
  const path = `/api/accounts/${about.accountId}`
  const { balance } = await admin('GET', path)
  // The seed pays all accounts from a purse that nobody has.
  await admin('POST', `${path}/ledger`, { amount: `-${balance}`, reason: 'Trial period ended', kind: 'adjustment' })
  await admin('POST', `${path}/ledger`, { amount: '50', reason: 'Invoice 2026-118', kind: 'credit' })
}

async function originOf(child: ChildProcess): Promise<string> {
  let printed = ''
  const ready = Promise.withResolvers<string>()
  const late = setTimeout(() => ready.reject(new Error(`not ready: ${printed}`)), READY_MS)
  child.once('exit', (code) => ready.reject(new Error(`ended with ${code}: ${printed}`)))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const origin = /"origin":"([^"]+)".*"msg":"ready"/.exec(printed)?.[1]
    if (origin !== undefined) ready.resolve(origin.replace('127.0.0.1', 'localhost'))
  })
  return ready.promise.finally(() => clearTimeout(late))
}
