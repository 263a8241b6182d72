import type { EngineKind } from '../engine/engine.ts'

/** One step of the schema. Never edited after a release: what must change is a new step at the end. */
export interface Migration {
  readonly name: string
  statements(words: DialectWords): readonly string[]
}

/** The few words in which the two engines' table definitions differ. */
export interface DialectWords {
  readonly integer: string
  readonly text: string
  /** Ends a table that is found by its primary key. */
  readonly byKey: string
  /** Ends a table that only grows at its end. */
  readonly appended: string
}

/** `strict` keeps SQLite from storing a fraction or a text where an integer belongs. */
const WORDS: Record<EngineKind, DialectWords> = {
  sqlite: { integer: 'integer', text: 'text', byKey: 'strict, without rowid', appended: 'strict' },
  // Ids sort bytewise everywhere, so that both engines and JavaScript agree on an order (of locks, for one).
  postgres: { integer: 'bigint', text: 'text collate "C"', byKey: '', appended: '' },
}

export function statementsOf(migration: Migration, kind: EngineKind): readonly string[] {
  return migration.statements(WORDS[kind])
}

const flag = (name: string, { integer }: DialectWords) => `${name} ${integer} not null check (${name} in (0, 1))`

const prices = ({ integer }: DialectWords) =>
  ['input', 'output', 'cache_read', 'cache_write', 'cache_write_1h']
    .map((kind) => `price_${kind}_nano ${integer}`)
    .join(', ')

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001_accounts_and_keys',
    statements: (words) => {
      const { integer, text, byKey } = words
      return [
        `create table accounts (id ${text} primary key, email ${text} not null, email_lower ${text} not null unique,
          role ${text} not null, status ${text} not null, password_hash ${text}, created_at ${integer} not null,
          ${flag('is_managed', words)}) ${byKey}`,
        `create table api_keys (id ${text} primary key, account_id ${text} not null references accounts (id),
          name ${text} not null, group_id ${text} not null, fallback_group_ids_json ${text} not null,
          status ${text} not null, status_changed_at ${integer} not null, expires_at ${integer},
          quota_limit_nano ${integer}, quota_reset ${text} not null, rate_limit_json ${text},
          allowed_models_json ${text} not null, allowed_ips_json ${text} not null,
          secret_hash ${text} not null unique, secret_start ${text} not null, secret_end ${text} not null,
          created_at ${integer} not null, ${flag('is_managed', words)}) ${byKey}`,
        `create index api_keys_by_account on api_keys (account_id, id)`,
      ]
    },
  },
  {
    name: '0002_catalog',
    statements: (words) => {
      const { integer, text, byKey } = words
      return [
        `create table "groups" (id ${text} primary key, name ${text} not null unique, multiplier_ppm ${integer} not null,
          models_json ${text} not null, ${flag('is_enabled', words)}, ${flag('is_open', words)},
          ${flag('is_managed', words)}) ${byKey}`,
        `create table models (id ${text} primary key, name ${text} not null unique, ${prices(words)},
          price_audio_input_nano ${integer}, price_audio_output_nano ${integer}, price_image_input_nano ${integer},
          context_tokens ${integer}, max_output_tokens ${integer}, targets_json ${text} not null,
          created_at ${integer} not null, ${flag('is_managed', words)}) ${byKey}`,
        `create table upstreams (id ${text} primary key, name ${text} not null unique, protocol ${text} not null,
          base_url ${text} not null, sealed_credential ${text}, connect_timeout_ms ${integer},
          first_byte_timeout_ms ${integer}, timeout_ms ${integer}, max_concurrency ${integer},
          headers_json ${text} not null, ${flag('is_managed', words)}) ${byKey}`,
        `create table plans (id ${text} primary key, name ${text} not null unique, group_ids_json ${text} not null,
          days ${integer} not null, price_nano ${integer} not null, quotas_json ${text} not null,
          ${flag('is_managed', words)}) ${byKey}`,
      ]
    },
  },
  {
    name: '0003_books',
    statements: (words) => {
      const { integer, text, byKey, appended } = words
      return [
        `create table budgets (id ${text} primary key, kind ${text} not null, subject_id ${text} not null,
          limit_nano ${integer} not null, used_nano ${integer} not null, held_nano ${integer} not null check (held_nano >= 0),
          overrun_nano ${integer} not null, overruns ${integer} not null, ends_at ${integer},
          window_ms ${integer}, entries ${integer} not null)
          ${byKey}`,
        `create index budgets_by_subject on budgets (subject_id)`,
        `create table leases (id ${text} primary key, budget_id ${text} not null references budgets (id),
          node_id ${text} not null, granted_nano ${integer} not null, charged_nano ${integer} not null)
          ${byKey}`,
        `create unique index leases_by_budget on leases (budget_id, node_id)`,
        `create index leases_by_node on leases (node_id)`,
        `create table usage_records (id ${text} not null primary key, created_at ${integer} not null,
          account_id ${text} not null, key_id ${text} not null, key_name ${text} not null, group_id ${text},
          group_name ${text}, model ${text}, upstream_name ${text}, upstream_model ${text}, wire ${text},
          is_stream ${integer} not null, outcome ${text} not null, fault ${text}, http_status ${integer},
          input_tokens ${integer}, cache_read_tokens ${integer}, cache_write_tokens ${integer},
          cache_write_1h_tokens ${integer}, output_tokens ${integer}, reasoning_tokens ${integer},
          usage_source ${text} not null, is_capped ${integer} not null, ${prices(words)}, multiplier_ppm ${integer},
          cost_nano ${integer} not null, balance_paid_nano ${integer} not null, subscriptions_paid_json ${text},
          other_charges_json ${text}, other_tokens_json ${text},
          attempts_json ${text} not null, client ${text}, first_byte_ms ${integer}, total_ms ${integer} not null)
          ${appended}`,
        `create index usage_records_by_account on usage_records (account_id, id)`,
        `create index usage_records_by_key on usage_records (key_id, id)`,
        `create table ledger_entries (account_id ${text} not null, seq ${integer} not null, id ${text} not null,
          created_at ${integer} not null, kind ${text} not null, amount_nano ${integer} not null,
          balance_after_nano ${integer} not null, request_id ${text}, reason ${text} not null, actor ${text} not null,
          once ${text}, primary key (account_id, seq)) ${byKey}`,
        `create unique index ledger_entries_once on ledger_entries (account_id, once) where once is not null`,
      ]
    },
  },
  {
    name: '0004_nodes',
    statements: ({ integer, text, byKey }) => [
      `create table nodes (id ${text} primary key, host ${text} not null, process_id ${integer} not null,
        seen_seq ${integer} not null, beat ${integer} not null) ${byKey}`,
      `create table changes (seq ${integer} primary key, subject ${text} not null, subject_id ${text} not null)`,
      `create table change_counter (id ${integer} primary key, seq ${integer} not null)`,
      `insert into change_counter (id, seq) values (1, 0)`,
      `create table settings (name ${text} primary key, value ${text} not null) ${byKey}`,
    ],
  },
  {
    name: '0005_open_requests',
    statements: ({ integer, text, byKey }) => [
      `create table open_requests (id ${text} primary key, node_id ${text} not null, created_at ${integer} not null,
        request_json ${text} not null) ${byKey}`,
      `create index open_requests_by_node on open_requests (node_id)`,
    ],
  },
  {
    name: '0006_subscriptions_and_alerts',
    statements: (words) => {
      const { integer, text, byKey } = words
      return [
        `create table subscriptions (id ${text} primary key, account_id ${text} not null references accounts (id),
          plan_id ${text} not null, plan_name ${text} not null, group_ids_json ${text} not null,
          quotas_json ${text} not null, starts_at ${integer} not null, ends_at ${integer} not null,
          cancelled_at ${integer}, created_at ${integer} not null) ${byKey}`,
        `create index subscriptions_by_account on subscriptions (account_id, ends_at)`,
        `create table redeem_codes (id ${text} primary key, code_hash ${text} not null unique, code_start ${text} not null,
          code_end ${text} not null, amount_nano ${integer}, plan_id ${text}, note ${text} not null,
          created_at ${integer} not null, expires_at ${integer}, redeemed_at ${integer}, redeemed_by ${text}) ${byKey}`,
        `create table alerts (id ${text} primary key, kind ${text} not null, subject_id ${text} not null,
          percent ${integer}, limit_nano ${integer} not null, used_nano ${integer} not null, window_ms ${integer},
          resets_at ${integer}, created_at ${integer} not null) ${byKey}`,
        `create index alerts_by_time on alerts (created_at)`,
        `create table alert_deliveries (alert_id ${text} not null references alerts (id), way ${text} not null,
          tries ${integer} not null, next_try_at ${integer}, delivered_at ${integer}, failure ${text},
          primary key (alert_id, way)) ${byKey}`,
        `create table usage_hours (key_id ${text} not null, hour_at ${integer} not null, group_id ${text} not null,
          model ${text} not null, account_id ${text} not null, requests ${integer} not null, failed ${integer} not null,
          input_tokens ${integer} not null, cache_read_tokens ${integer} not null, output_tokens ${integer} not null,
          cost_nano ${integer} not null, balance_paid_nano ${integer} not null,
          primary key (key_id, hour_at, group_id, model)) ${byKey}`,
        `create index usage_hours_by_account on usage_hours (account_id, hour_at)`,
      ]
    },
  },
]
