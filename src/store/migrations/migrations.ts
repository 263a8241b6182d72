import { FIRST_MIGRATIONS } from './first-migrations.ts'
import { flag, type Migration } from './migration.ts'
import { DAY_FIGURES } from '../schema/archive-tables.ts'

/** All steps, in the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  ...FIRST_MIGRATIONS,
  {
    name: '0010_unit_prices',
    // Usage records have what they count and its prices in other_tokens_json.
    statements: ({ integer }) =>
      ['request', 'image', 'second', 'character'].map(
        (unit) => `alter table models add column price_${unit}_nano ${integer}`,
      ),
  },
  {
    name: '0011_stored_responses',
    statements: ({ integer, text, byKey }) => [
      `create table stored_responses (account_id ${text} not null, response_id ${text} not null,
        upstream_id ${text} not null, created_at ${integer} not null, primary key (account_id, response_id)) ${byKey}`,
      `create index stored_responses_by_age on stored_responses (created_at)`,
    ],
  },
  {
    name: '0012_usage_notes',
    statements: ({ text }) => [`alter table usage_records add column usage_notes ${text}`],
  },
  {
    name: '0013_account_limits',
    statements: ({ text }) =>
      ['accounts', 'plans', 'subscriptions'].map((table) => `alter table ${table} add column limits_json ${text}`),
  },
  {
    name: '0014_price_rules',
    // Usage records have what they were charged by, and the fees, in other_tokens_json.
    statements: ({ text }) => [`alter table models add column price_rules_json ${text}`],
  },
  {
    name: '0015_totp_counter',
    statements: ({ integer }) => [`alter table second_factors add column last_counter ${integer} not null default 0`],
  },
  {
    name: '0016_alerts_about_upstreams',
    statements: ({ text }) => [`alter table alerts add column about ${text}`],
  },
  {
    name: '0017_owners_of_stored_responses',
    statements: () => [`create index stored_responses_by_id on stored_responses (response_id)`],
  },
  {
    name: '0018_settle_journal',
    // `refusal`: why the books will never take it; null: it is to be folded into them.
    statements: ({ isEmbedded }) =>
      isEmbedded
        ? [`create table settle_journal (id integer primary key, batch blob not null, refusal text) strict`]
        : [],
  },
  {
    name: '0019_route_trace',
    statements: ({ text }) => [`alter table usage_records add column route_trace ${text}`],
  },
  {
    name: '0020_credential_pools',
    // A sealed text has no character that JSON would escape.
    statements: ({ text }) => [
      `alter table upstreams add column credentials_json ${text} not null default '[]'`,
      `update upstreams set credentials_json = '[{"name":"default","sealedSecret":"' || sealed_credential ||
        '","weight":1}]' where sealed_credential is not null`,
      `alter table upstreams drop column sealed_credential`,
    ],
  },
  {
    name: '0021_provider_costs',
    statements: ({ integer, text, byKey }) => [
      `alter table usage_records add column provider_cost_nano ${integer}`,
      `create table usage_upstream_hours (hour_at ${integer} not null, upstream ${text} not null,
        group_id ${text} not null, model ${text} not null, fault ${text} not null, lane ${integer} not null,
        requests ${integer} not null, failed ${integer} not null, cost_nano ${integer} not null,
        provider_cost_nano ${integer} not null, costed_nano ${integer} not null,
        primary key (hour_at, upstream, group_id, model, fault, lane)) ${byKey}`,
      // Names that clients made up are left out, as `hourOf` does.
      `insert into usage_upstream_hours
        select created_at / 3600000 * 3600000, coalesce(upstream_name, ''), coalesce(group_id, ''),
          case when group_id is null or fault = 'model_unknown' then '' else coalesce(model, '') end,
          coalesce(fault, ''), 0, count(*), count(fault), cast(sum(cost_nano) as bigint), 0, 0
        from usage_records where outcome <> 'interrupted' group by 1, 2, 3, 4, 5`,
    ],
  },
  {
    name: '0022_credential_states',
    // What a person disabled stays so under its name, whatever becomes of the list that the credential stands in.
    statements: (words) => [
      `create table credential_states (upstream_id ${words.text} not null, name ${words.text} not null,
        ${flag('is_disabled', words)}, hold_json ${words.text}, primary key (upstream_id, name)) ${words.byKey}`,
    ],
  },
  {
    name: '0023_passages',
    statements: ({ text }) => [`alter table upstreams add column passage_json ${text} not null default '{}'`],
  },
  {
    name: '0024_model_kinds',
    statements: (words) => [
      `alter table models add column kind ${words.text}`,
      `alter table models add column ${flag('is_recommended', words)} default 0`,
    ],
  },
  {
    name: '0025_response_caches',
    statements: ({ text }) => [`alter table "groups" add column cache_json ${text} not null default '{}'`],
  },
  {
    name: '0026_credential_spends',
    statements: ({ integer, text, byKey }) => [
      `create table credential_spends (upstream_id ${text} not null, name ${text} not null, day ${integer} not null,
        spent_nano ${integer} not null, primary key (upstream_id, name, day)) ${byKey}`,
    ],
  },
  {
    name: '0027_serving_of_models',
    statements: ({ text }) => [`alter table models add column serving_json ${text} not null default '{}'`],
  },
  {
    name: '0028_fault_facts',
    statements: ({ text }) => [`alter table usage_records add column fault_facts ${text}`],
  },
  {
    name: '0029_credential_costs',
    statements: ({ integer, text, byKey }) => [
      `alter table usage_records add column credential_name ${text}`,
      // By the day and without groups and models: an upstream may have 500 credentials.
      `create table usage_credential_days (day_at ${integer} not null, upstream ${text} not null,
        credential ${text} not null, fault ${text} not null, lane ${integer} not null,
        requests ${integer} not null, failed ${integer} not null, cost_nano ${integer} not null,
        provider_cost_nano ${integer} not null, costed_nano ${integer} not null,
        primary key (day_at, upstream, credential, fault, lane)) ${byKey}`,
    ],
  },
  {
    name: '0030_response_caches_of_keys',
    statements: ({ text }) => [`alter table api_keys add column response_cache ${text} not null default 'group'`],
  },
  {
    name: '0031_announcements',
    statements: ({ integer, text, byKey }) => [
      `create table announcements (id ${text} not null primary key, created_at ${integer} not null,
        kind ${text} not null, level ${text} not null, title_json ${text} not null, text_json ${text} not null,
        audience_json ${text} not null, shows ${text} not null, starts_at ${integer} not null,
        ends_at ${integer}) ${byKey}`,
      `create table dismissed_announcements (account_id ${text} not null, announcement_id ${text} not null,
        primary key (account_id, announcement_id)) ${byKey}`,
    ],
  },
  {
    name: '0032_day_spends',
    statements: ({ integer, text, byKey }) => [
      `alter table upstreams add column spend_per_day_nano ${integer}`,
      `create table day_spends (kind ${text} not null, upstream_id ${text} not null, name ${text} not null,
        day ${integer} not null, spent_nano ${integer} not null, primary key (kind, upstream_id, name, day)) ${byKey}`,
      `insert into day_spends select 'credential', upstream_id, name, day, spent_nano from credential_spends`,
      'drop table credential_spends',
    ],
  },
  {
    name: '0033_cached_input',
    statements: ({ integer }) =>
      ['kept_input_tokens', 'kept_cached_tokens', 'free_input_tokens', 'free_cached_tokens'].map(
        // Records from before do not say whether affinity chose.
        (column) => `alter table usage_upstream_hours add column ${column} ${integer} not null default 0`,
      ),
  },
  {
    name: '0034_key_addresses',
    statements: ({ integer, text }) => [
      `alter table key_activity add column last_address ${text}`,
      `alter table key_activity add column last_address_at ${integer}`,
    ],
  },
  {
    name: '0035_keys_of_the_playground',
    statements: (words) => [`alter table api_keys add column ${flag('is_for_playground', words)} default 0`],
  },
  {
    name: '0036_shadow_rules',
    statements: ({ text }) => [`alter table upstreams add column shadow_json ${text} not null default '[]'`],
  },
  {
    name: '0037_favourite_models',
    statements: ({ text }) => [`alter table accounts add column favourite_models_json ${text} not null default '[]'`],
  },
  {
    name: '0038_keys_by_expiry',
    statements: () => ['create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null'],
  },
  {
    name: '0039_imports',
    statements: ({ integer, text, byKey }) => [
      `create table imported (source ${text} not null, kind ${text} not null, source_id ${text} not null,
        object_id ${text} not null, state_json ${text} not null, primary key (source, kind, source_id)) ${byKey}`,
      `alter table budgets add column brought_nano ${integer} not null default 0`,
      `alter table accounts add column open_groups_json ${text} not null default '[]'`,
    ],
  },
  {
    name: '0040_retention',
    statements: (words) => {
      const figures = DAY_FIGURES.map((name) => `${name} ${words.integer} not null`).join(', ')
      return [
        // What the records charged to it that were taken out of the books: see `retention.ts`.
        `alter table budgets add column retired_nano ${words.integer} not null default 0`,
        `create table retired_days (day_at ${words.integer} not null, kind ${words.text} not null, ${figures},
          primary key (day_at, kind)) ${words.byKey}`,
        `create table archives (name ${words.text} primary key, kind ${words.text} not null,
          day_at ${words.integer} not null, part ${words.integer} not null, records ${words.integer} not null,
          cost_nano ${words.integer} not null, bytes ${words.integer} not null, sha256 ${words.text} not null,
          written_at ${words.integer} not null, ${flag('is_finished', words)}) ${words.byKey}`,
        `create unique index archives_by_day on archives (kind, day_at, part)`,
      ]
    },
  },
  {
    name: '0041_tags_of_keys',
    statements: ({ text }) => [`alter table api_keys add column tags_json ${text} not null default '[]'`],
  },
  {
    name: '0042_orders',
    statements: (words) => {
      const { integer, text } = words
      return [
        `create table orders (id ${text} not null primary key, account_id ${text} not null, provider ${text} not null,
        provider_order ${text}, amount_nano ${integer}, plan_id ${text}, plan_json ${text}, currency ${text} not null,
        price_nano ${integer} not null, state ${text} not null, trouble ${text}, payment ${text}, checkout_url ${text},
        invoice_url ${text}, refunded_nano ${integer} not null default 0, taken_back_nano ${integer} not null default 0,
        subscription_id ${text}, created_at ${integer} not null, paid_at ${integer},
        check ((amount_nano is null) <> (plan_json is null))) ${words.byKey}`,
        'create unique index orders_by_provider on orders (provider, provider_order)',
        'create index orders_by_payment on orders (provider, payment)',
        'create index orders_by_account on orders (account_id, created_at, id)',
        'create index orders_by_time on orders (created_at, id)',
        `create table order_refunds (id ${text} not null primary key, order_id ${text} not null,
        provider_refund ${text}, amount_nano ${integer} not null, taken_nano ${integer} not null,
        ${flag('is_waiting', words)}, state ${text} not null, reason ${text} not null, actor ${text} not null,
        created_at ${integer} not null) ${words.byKey}`,
        'create unique index order_refunds_by_provider on order_refunds (order_id, provider_refund)',
      ]
    },
  },
  {
    name: '0043_standing_of_nodes',
    statements: ({ integer, text }) => [
      `alter table nodes add column version ${text}`,
      ...['in_flight', 'busy_permille', 'database_ahead_ms', 'providers_ahead_ms'].map(
        (name) => `alter table nodes add column ${name} ${integer}`,
      ),
    ],
  },
  {
    name: '0044_price_locks',
    statements: (words) => [`alter table models add column ${flag('is_price_locked', words)} default 0`],
  },
  {
    name: '0045_held_payments',
    statements: () => [
      `create index orders_held on orders (created_at) where state = 'held'`,
      `create index order_refunds_held on order_refunds (created_at) where state = 'held'`,
    ],
  },
  {
    name: '0046_places_of_archives',
    statements: ({ text }) => [`alter table archives add column place ${text}`],
  },
  {
    name: '0047_renewals',
    // What a renewal from the balance may cost at the most; null: it ends.
    statements: ({ integer }) => [
      `alter table subscriptions add column renews_up_to_nano ${integer}`,
      `create index subscriptions_to_renew on subscriptions (ends_at)
        where renews_up_to_nano is not null and cancelled_at is null`,
    ],
  },
  {
    // What happened to an account and its things, by any actor.
    name: '0048_audit_by_account',
    statements: () => [
      'create index audit_entries_by_account on audit_entries (account_id, id) where account_id is not null',
    ],
  },
  {
    name: '0046_raised_limits',
    statements: ({ text }) => [`alter table accounts add column raise_json ${text}`],
  },
  {
    // Read and written by 0.1.0 alone: to be dropped by the release after the next (decision 0131).
    name: '0050_usage_spans',
    statements: ({ integer, text, byKey }) => {
      const callers = ['requests', 'failed', 'cost_nano', 'input_tokens', 'cache_read_tokens', 'output_tokens']
      const providers = ['requests', 'failed', 'cost_nano', 'provider_cost_nano', 'costed_nano']
      const spans = (table: string, columns: readonly string[], figures: readonly string[]) =>
        `create table ${table} (span_ms ${integer} not null, starts_at ${integer} not null,
          ${columns.map((name) => `${name} ${text} not null`).join(', ')},
          ${figures.map((name) => `${name} ${integer} not null`).join(', ')},
          primary key (span_ms, starts_at, ${columns.join(', ')})) ${byKey}`
      return [
        `create table usage_spans (starts_at ${integer} not null, of_table ${text} not null, span_ms ${integer} not null,
          requests ${integer} not null, primary key (starts_at, of_table, span_ms)) ${byKey}`,
        spans('usage_account_spans', ['account_id'], callers),
        spans('usage_account_model_spans', ['account_id', 'group_id', 'model'], callers),
        spans('usage_upstream_spans', ['upstream', 'group_id', 'model', 'fault'], providers),
      ]
    },
  },
  {
    name: '0051_captures',
    // A key names its running capture, so that the gateway knows it with the key.
    statements: ({ integer, text, byKey }) => [
      `alter table api_keys add column capture_id ${text}`,
      `alter table api_keys add column capture_ends_at ${integer}`,
      `create table captures (id ${text} not null primary key, key_id ${text} not null, account_id ${text} not null,
        begun_by ${text} not null, created_at ${integer} not null, ends_at ${integer} not null,
        kept ${integer} not null, missed ${integer} not null, ended_at ${integer}, ended_because ${text}) ${byKey}`,
      'create unique index captures_by_key on captures (key_id)',
      `create table captured_requests (capture_id ${text} not null, nr ${integer} not null, request_id ${text} not null,
        bytes ${integer} not null, summary_json ${text} not null, sealed ${text} not null,
        primary key (capture_id, nr)) ${byKey}`,
    ],
  },
  {
    // A change of the price to come; null: none is planned.
    name: '0052_scheduled_prices',
    statements: ({ text }) => [`alter table models add column scheduled_json ${text}`],
  },
  {
    // By the ids of groups, in millionths.
    name: '0053_own_multipliers',
    statements: ({ text }) => [`alter table accounts add column own_multipliers_json ${text} not null default '{}'`],
  },
  {
    name: '0054_limits_left',
    statements: ({ text }) => [`alter table usage_records add column limits_left ${text}`],
  },
  {
    name: '0055_roles_of_groups',
    statements: ({ text }) => [`alter table groups add column open_roles_json ${text} not null default '[]'`],
  },
  {
    // Of keys with tags alone, and what a search looks at. PostgreSQL finds both as fast in the table.
    name: '0056_keys_in_searches',
    statements: ({ isEmbedded }) =>
      isEmbedded
        ? [
            `create index api_keys_with_tags on api_keys (id, tags_json) where tags_json <> '[]'`,
            `create index api_keys_in_searches on api_keys
              (name_lower, secret_start, secret_end, status, is_for_playground)`,
          ]
        : [],
  },
  {
    // A key's quota that is raised for a while, and what holds again behind it.
    name: '0057_raised_quotas',
    statements: ({ integer, text }) => [
      `alter table api_keys add column quota_raise_json ${text}`,
      `alter table api_keys add column quota_raise_ends_at ${integer}`,
      `create index api_keys_by_end_of_raise on api_keys (quota_raise_ends_at) where quota_raise_ends_at is not null`,
    ],
  },
  {
    // What upstreams list, looked at once a day. `known_json` null: none was given yet.
    name: '0058_listed_models',
    statements: ({ integer, text, byKey }) => [
      `create table listed_models (upstream_id ${text} not null primary key, checked_at ${integer} not null,
        result ${text}, base_url ${text}, known_json ${text}, added_json ${text} not null, gone_json ${text} not null)
        ${byKey}`,
    ],
  },
  {
    // What all models of an account but the dearest cost at least, and all groups but the dearest.
    name: '0059_others_of_spans',
    statements: ({ integer }) =>
      ['other_models_nano', 'other_groups_nano'].map(
        (name) => `alter table usage_account_spans add column ${name} ${integer} not null default 0`,
      ),
  },
  {
    // 0: a plan pays in its groups and opens none of them; a subscription keeps what was sold.
    name: '0060_plans_that_open_no_group',
    statements: (words) =>
      ['plans', 'subscriptions'].map(
        (table) => `alter table ${table} add column ${flag('is_opening_groups', words)} default 1`,
      ),
  },
]
