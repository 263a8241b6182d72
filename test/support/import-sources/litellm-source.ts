/** A database of LiteLLM’s proxy as its migrations make it on PostgreSQL, as far as an import reads it and a little more. */
import { hash } from 'node:crypto'
import { quotaPeriod, type QuotaReset } from '../../../src/core/quota-period.ts'
import { drawnFrom } from './new-api-source.ts'
import { insertRows, type SourceDatabase, type Value } from './source-database.ts'

const BUDGET = `max_budget double precision, budget_duration text, budget_reset_at timestamp(3), max_parallel_requests integer,
  tpm_limit bigint, rpm_limit bigint`

const TABLES = [
  `create table "LiteLLM_BudgetTable" (budget_id text primary key, soft_budget double precision, ${BUDGET},
    created_at timestamp(3) default current_timestamp, created_by text)`,
  `create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, team_id text, sso_user_id text, password text,
    teams text[] default array[]::text[], user_role text, spend double precision not null default 0, user_email text,
    models text[], metadata jsonb not null default '{}', ${BUDGET}, created_at timestamp(3), updated_at timestamp(3))`,
  `create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, members text[],
    spend double precision not null default 0, models text[], blocked boolean not null default false,
    metadata jsonb not null default '{}', ${BUDGET}, created_at timestamp(3))`,
  `create table "LiteLLM_VerificationToken" (token text primary key, key_name text, key_alias text,
    soft_budget_cooldown boolean not null default false, spend double precision not null default 0, expires timestamp(3),
    models text[], aliases jsonb not null default '{}', user_id text, team_id text, budget_id text, blocked boolean,
    allowed_routes text[] default array[]::text[], metadata jsonb not null default '{}',
    model_max_budget jsonb not null default '{}', ${BUDGET}, created_at timestamp(3), last_active timestamp(3))`,
  `create table "LiteLLM_SpendLogs" (request_id text primary key, api_key text, spend double precision,
    "startTime" timestamp(3))`,
]

export type LitellmRow = Readonly<Record<string, Value>>

export interface LitellmUser {
  readonly user_id: string
  readonly max_budget: number | null
  readonly budget_duration: string | null
  readonly spend: number
  /** The secret of the key, as a client presents it. */
  readonly secret: string
  readonly key: LitellmRow
}

/** The token as the source stores it. */
export function tokenOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

export async function makeTables(database: SourceDatabase): Promise<void> {
  for (const table of TABLES) await database.run(table)
}

export function insertKeys(
  database: SourceDatabase,
  keys: readonly (LitellmRow & { secret: string })[],
): Promise<void> {
  const empty = {
    spend: 0,
    models: '{}',
    user_id: null,
    team_id: null,
    max_budget: null,
    budget_duration: null,
    budget_reset_at: null,
    budget_id: null,
    expires: null,
    blocked: null,
    rpm_limit: null,
    tpm_limit: null,
    max_parallel_requests: null,
    allowed_routes: '{}',
    metadata: '{}',
    key_alias: null,
    created_at: '2026-01-02 03:04:05.678',
  }
  const rows = keys.map(({ secret, ...key }) => ({
    ...empty,
    token: tokenOf(secret),
    key_name: `sk-...${secret.slice(-4)}`,
    ...key,
  }))
  return insertRows(database, 'LiteLLM_VerificationToken', rows)
}

/** A time as a column without a zone has it. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
}

/** Users with a key each, drawn from a seed: a third with a budget for good, a third with one for a week, a third without. */
export async function makeLitellm(
  database: SourceDatabase,
  about: { readonly users: number; readonly seed: number; readonly nowMs: number },
): Promise<readonly LitellmUser[]> {
  await makeTables(database)
  const draw = drawnFrom(about.seed)
  const endOf = (reset: QuotaReset) => timestamp(quotaPeriod(reset, about.nowMs).endsAt ?? 0)
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const secretOf = () => `sk-${Array.from({ length: 22 }, () => base64[draw(64)]).join('')}`
  const users = Array.from({ length: about.users }, (_, i): LitellmUser => {
    const kind = i % 3
    const spend = draw(40_000_000) / 7e6
    const isLimited = draw(2) === 0
    const secret = secretOf()
    return {
      user_id: `user-${i}`,
      max_budget: kind === 2 ? null : 10 + draw(500) / 100,
      budget_duration: kind === 1 ? '7d' : null,
      spend,
      secret,
      key: {
        user_id: `user-${i}`,
        spend: spend / 2,
        max_budget: isLimited ? 20 : null,
        budget_duration: isLimited && draw(2) === 0 ? '30d' : null,
        budget_reset_at: endOf('monthly'),
        rpm_limit: draw(3) === 0 ? 100 : null,
        tpm_limit: draw(3) === 0 ? 1_000_000 : null,
        max_parallel_requests: draw(3) === 0 ? 5 : null,
        models: draw(4) === 0 ? '{house-model,claude-model}' : '{}',
        key_alias: `laptop of ${i}`,
      },
    }
  })
  await insertRows(
    database,
    'LiteLLM_UserTable',
    users.map(({ user_id, max_budget, budget_duration, spend }, i) => ({
      user_id,
      max_budget,
      budget_duration,
      spend,
      user_email: `${user_id}@example.test`,
      user_alias: `User ${i}`,
      user_role: i === 0 ? 'proxy_admin' : 'internal_user',
      models: '{}',
      budget_reset_at: budget_duration === null ? null : endOf('weekly'),
      created_at: '2026-01-01 00:00:00',
    })),
  )
  await insertKeys(
    database,
    users.map(({ secret, key }) => ({ ...key, secret })),
  )
  return users
}
