import { lowerNames } from './lower-names.ts'
import { type DialectWords, flag, type Migration } from './migration.ts'

/** The first steps, in the order in which they are applied. */
export const FIRST_MIGRATIONS: readonly Migration[] = [
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
  {
    name: '0007_sign_in',
    statements: (words) => {
      const { integer, text, byKey } = words
      const added = (name: string, standard: 0 | 1) => `${flag(name, words)} default ${standard}`
      return [
        `alter table accounts add column name ${text} not null default ''`,
        `alter table accounts add column language ${text}`,
        `alter table accounts add column theme ${text} not null default 'system'`,
        // Until now only admins named addresses.
        `alter table accounts add column ${added('is_email_verified', 1)}`,
        `alter table accounts add column ${added('is_second_factor_on', 0)}`,
        `alter table accounts add column ${added('is_mail_wanted', 1)}`,
        `create table sessions (id ${text} primary key, token_hash ${text} not null unique,
          account_id ${text} not null references accounts (id), created_at ${integer} not null,
          updated_at ${integer} not null, expires_at ${integer} not null, signed_in_at ${integer} not null,
          began_by ${text} not null, address ${text} not null, client ${text} not null) ${byKey}`,
        `create index sessions_by_account on sessions (account_id)`,
        `create index sessions_by_expiry on sessions (expires_at)`,
        `create table identities (id ${text} primary key, provider ${text} not null, subject ${text} not null,
          account_id ${text} not null references accounts (id), created_at ${integer} not null,
          updated_at ${integer} not null) ${byKey}`,
        `create unique index identities_by_subject on identities (provider, subject)`,
        `create index identities_by_account on identities (account_id)`,
        `create table verifications (id ${text} primary key, identifier ${text} not null, content ${text} not null,
          expires_at ${integer} not null, created_at ${integer} not null, updated_at ${integer} not null) ${byKey}`,
        `create index verifications_by_identifier on verifications (identifier)`,
        `create index verifications_by_expiry on verifications (expires_at)`,
        `create table second_factors (id ${text} primary key,
          account_id ${text} not null unique references accounts (id), secret ${text} not null,
          backup_codes ${text} not null, ${flag('is_confirmed', words)}, failures ${integer} not null,
          locked_until_at ${integer}) ${byKey}`,
        `create table passkeys (id ${text} primary key, account_id ${text} not null references accounts (id),
          name ${text}, credential_id ${text} not null unique, public_key ${text} not null,
          counter ${integer} not null, device_type ${text} not null, ${flag('is_synced', words)},
          transports ${text}, aaguid ${text}, created_at ${integer}) ${byKey}`,
        `create index passkeys_by_account on passkeys (account_id)`,
        `create table sign_in_links (id ${text} primary key, token_hash ${text} not null unique,
          purpose ${text} not null, account_id ${text}, email ${text}, role ${text} not null, created_by ${text},
          created_at ${integer} not null, expires_at ${integer} not null, used_at ${integer}, used_by ${text}) ${byKey}`,
        `create index sign_in_links_by_purpose on sign_in_links (purpose, created_at)`,
      ]
    },
  },
  {
    name: '0008_control',
    statements: ({ integer, text, byKey }) => [
      `create table access_tokens (id ${text} primary key, account_id ${text} not null references accounts (id),
        name ${text} not null, scope ${text} not null, secret_hash ${text} not null unique, secret_start ${text} not null,
        secret_end ${text} not null, created_at ${integer} not null, expires_at ${integer}, last_used_at ${integer})
        ${byKey}`,
      `create index access_tokens_by_account on access_tokens (account_id, id)`,
      `create table audit_entries (id ${text} primary key, created_at ${integer} not null, actor ${text} not null,
        via ${text} not null, address ${text} not null, action ${text} not null, subject ${text}, account_id ${text},
        changes_json ${text} not null) ${byKey}`,
      `create index audit_entries_by_actor on audit_entries (actor, id)`,
      `create index audit_entries_by_action on audit_entries (action, id)`,
      `create index audit_entries_by_subject on audit_entries (subject, id) where subject is not null`,
      `create table idempotency_keys (actor ${text} not null, name ${text} not null, request_hash ${text} not null,
        state ${text} not null, status ${integer}, body ${text}, created_at ${integer} not null,
        primary key (actor, name)) ${byKey}`,
      `create index idempotency_keys_by_time on idempotency_keys (created_at)`,
      `create table guesses (id ${text} primary key, about ${text} not null, asker ${text} not null,
        guessed_at ${integer} not null) ${byKey}`,
      `create index guesses_by_asker on guesses (asker, about, guessed_at)`,
      `create index guesses_by_time on guesses (guessed_at)`,
      // The secret before the last rotation.
      `alter table api_keys add column previous_secret_hash ${text}`,
      `alter table api_keys add column previous_secret_end ${text}`,
      `alter table api_keys add column previous_ends_at ${integer}`,
      `alter table api_keys add column previous_last_used_at ${integer}`,
      `create unique index api_keys_by_previous_secret on api_keys (previous_secret_hash)
        where previous_secret_hash is not null`,
      // Of secrets from before that: no other account may take one as a custom key.
      `create table retired_secrets (secret_hash ${text} primary key) ${byKey}`,
    ],
  },
  {
    name: '0009_usage_views',
    statements: ({ integer, text, byKey }) => {
      const figures = [
        'requests',
        'failed',
        'input_tokens',
        'cache_read_tokens',
        'output_tokens',
        'cost_nano',
        'balance_paid_nano',
      ]
      const sums = figures.map((figure) => `${figure} ${integer} not null`).join(', ')
      const added = figures.map((figure) => `cast(sum(${figure}) as bigint)`).join(', ')
      return [
        // What begins with a key, an account, a day and everything: each chart reads few rows of one of them.
        `drop index usage_hours_by_account`,
        `create table usage_account_hours (account_id ${text} not null, hour_at ${integer} not null,
          group_id ${text} not null, model ${text} not null, ${sums},
          primary key (account_id, hour_at, group_id, model)) ${byKey}`,
        `create table usage_all_hours (hour_at ${integer} not null, group_id ${text} not null, model ${text} not null,
          lane ${integer} not null, ${sums}, primary key (hour_at, group_id, model, lane)) ${byKey}`,
        `create table usage_days (key_id ${text} not null, day_at ${integer} not null, group_id ${text} not null,
          model ${text} not null, account_id ${text} not null, ${sums},
          primary key (key_id, day_at, group_id, model)) ${byKey}`,
        // Which keys were used in a span, for which models: nothing but the index is read.
        `create index usage_days_by_day on usage_days (day_at, account_id)`,
        `create table key_activity (account_id ${text} not null, key_id ${text} not null,
          last_used_at ${integer} not null, spent_nano ${integer} not null, primary key (account_id, key_id)) ${byKey}`,
        `insert into usage_account_hours select account_id, hour_at, group_id, model, ${added}
          from usage_hours group by 1, 2, 3, 4`,
        `insert into usage_all_hours select hour_at, group_id, model, 0, ${added} from usage_hours group by 1, 2, 3`,
        `insert into usage_days select key_id, hour_at / 86400000 * 86400000, group_id, model, min(account_id), ${added}
          from usage_hours group by 1, 2, 3, 4`,
        `insert into key_activity select account_id, key_id, max(created_at), cast(sum(cost_nano) as bigint)
          from usage_records where outcome <> 'interrupted' group by 1, 2`,
        `insert into key_activity select account_id, id, 0, 0 from api_keys where not exists
          (select 1 from key_activity where key_activity.account_id = api_keys.account_id and key_id = api_keys.id)`,
        // Few records and entries are in these, so the settle hardly ever has to write to them.
        `create index usage_faults on usage_records (id) where fault is not null`,
        `create index usage_faults_by_account on usage_records (account_id, id) where fault is not null`,
        `create index usage_faults_by_key on usage_records (key_id, id) where fault is not null`,
        `create index usage_faults_by_account_code on usage_records (account_id, fault, id) where fault is not null`,
        `create index usage_faults_by_code on usage_records (fault, id) where fault is not null`,
        `create index usage_ends on usage_records (outcome, id) where outcome <> 'completed'`,
        `create index usage_ends_by_account on usage_records (account_id, outcome, id) where outcome <> 'completed'`,
        `create index ledger_entries_but_usage on ledger_entries (account_id, seq) where kind <> 'usage'`,
        `create index budgets_used_up on budgets (subject_id) where kind = 'key_quota' and used_nano >= limit_nano`,
        `alter table api_keys add column name_lower ${text} not null default ''`,
        `create index api_keys_by_start on api_keys (secret_start)`,
      ]
    },
    fill: lowerNames,
  },
]

const prices = ({ integer }: DialectWords) =>
  ['input', 'output', 'cache_read', 'cache_write', 'cache_write_1h']
    .map((kind) => `price_${kind}_nano ${integer}`)
    .join(', ')
