import { DAY_FIGURES } from '../schema/archive-tables.ts'
import { flag, type Migration } from './migration.ts'

const PRICES = ['input', 'output', 'cache_read', 'cache_write', 'cache_write_1h']
  .map((kind) => `price_${kind}_nano integer`)
  .join(', ')

const wholes = (names: readonly string[]) => names.map((name) => `${name} integer not null`).join(', ')

const OF_CALLERS = 'requests failed input_tokens cache_read_tokens output_tokens cost_nano balance_paid_nano'.split(' ')
const OF_PROVIDERS = 'requests failed cost_nano provider_cost_nano costed_nano'.split(' ')
const OF_CACHES = 'kept_input_tokens kept_cached_tokens free_input_tokens free_cached_tokens'.split(' ')

/** Keys and upstreams have what settlements add up, by hour or day, model and group. */
const ROLL_UPS = [
  `create table usage_hours (key_id text not null, hour_at integer not null, group_id text not null,
    model text not null, account_id text not null, ${wholes(OF_CALLERS)},
    primary key (key_id, hour_at, group_id, model)) strict, without rowid`,
  `create table usage_account_hours (account_id text not null, hour_at integer not null, group_id text not null,
    model text not null, ${wholes(OF_CALLERS)},
    primary key (account_id, hour_at, group_id, model)) strict, without rowid`,
  `create table usage_all_hours (hour_at integer not null, group_id text not null, model text not null,
    lane integer not null, ${wholes(OF_CALLERS)}, primary key (hour_at, group_id, model, lane)) strict, without rowid`,
  `create table usage_days (key_id text not null, day_at integer not null, group_id text not null, model text not null,
    account_id text not null, ${wholes(OF_CALLERS)},
    primary key (key_id, day_at, group_id, model)) strict, without rowid`,
  // Which keys were used in a span, for which models: nothing but the index is read.
  'create index usage_days_by_day on usage_days (day_at, account_id)',
  `create table usage_upstream_hours (hour_at integer not null, upstream text not null, group_id text not null,
    model text not null, fault text not null, lane integer not null, ${wholes(OF_PROVIDERS)},
    ${OF_CACHES.map((name) => `${name} integer not null default 0`).join(', ')},
    primary key (hour_at, upstream, group_id, model, fault, lane)) strict, without rowid`,
  // By the day and without groups and models: an upstream may have 500 credentials.
  `create table usage_credential_days (day_at integer not null, upstream text not null, credential text not null,
    fault text not null, lane integer not null, ${wholes(OF_PROVIDERS)},
    primary key (day_at, upstream, credential, fault, lane)) strict, without rowid`,
  `create table key_activity (account_id text not null, key_id text not null, last_used_at integer not null,
    spent_nano integer not null, last_address text, last_address_at integer,
    primary key (account_id, key_id)) strict, without rowid`,
]

const spans = (table: string, columns: readonly string[], figures: string) =>
  `create table ${table} (span_ms integer not null, starts_at integer not null,
    ${columns.map((name) => `${name} text not null`).join(', ')}, ${figures},
    primary key (span_ms, starts_at, ${columns.join(', ')})) strict, without rowid`

const OF_ASKERS = wholes('requests failed cost_nano input_tokens cache_read_tokens output_tokens'.split(' '))

/** Read and written by 0.1.0 alone: to be dropped by the release after the next (decision 0131). */
const SPANS = [
  `create table usage_spans (starts_at integer not null, of_table text not null, span_ms integer not null,
    requests integer not null, primary key (starts_at, of_table, span_ms)) strict, without rowid`,
  spans(
    'usage_account_spans',
    ['account_id'],
    `${OF_ASKERS}, other_models_nano integer not null default 0, other_groups_nano integer not null default 0`,
  ),
  spans('usage_account_model_spans', ['account_id', 'group_id', 'model'], OF_ASKERS),
  spans('usage_upstream_spans', ['upstream', 'group_id', 'model', 'fault'], wholes(OF_PROVIDERS)),
]

const ACCOUNTS_AND_KEYS = [
  `create table accounts (id text primary key, email text not null, email_lower text not null unique,
    role text not null, status text not null, password_hash text, created_at integer not null, ${flag('is_managed')},
    name text not null default '', language text, theme text not null default 'system',
    ${flag('is_email_verified')} default 1, ${flag('is_second_factor_on')} default 0,
    ${flag('is_mail_wanted')} default 1, limits_json text, favourite_models_json text not null default '[]',
    open_groups_json text not null default '[]', raise_json text,
    own_multipliers_json text not null default '{}') strict, without rowid`,
  `create table api_keys (id text primary key, account_id text not null references accounts (id), name text not null,
    group_id text not null, fallback_group_ids_json text not null, status text not null,
    status_changed_at integer not null, expires_at integer, quota_limit_nano integer, quota_reset text not null,
    rate_limit_json text, allowed_models_json text not null, allowed_ips_json text not null,
    secret_hash text not null unique, secret_start text not null, secret_end text not null,
    created_at integer not null, ${flag('is_managed')}, previous_secret_hash text, previous_secret_end text,
    previous_ends_at integer, previous_last_used_at integer, name_lower text not null default '',
    response_cache text not null default 'group', ${flag('is_for_playground')} default 0,
    tags_json text not null default '[]', capture_id text, capture_ends_at integer, quota_raise_json text,
    quota_raise_ends_at integer) strict, without rowid`,
  'create index api_keys_by_account on api_keys (account_id, id)',
  `create unique index api_keys_by_previous_secret on api_keys (previous_secret_hash)
    where previous_secret_hash is not null`,
  'create index api_keys_by_start on api_keys (secret_start)',
  'create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null',
  'create index api_keys_by_end_of_raise on api_keys (quota_raise_ends_at) where quota_raise_ends_at is not null',
  // Secrets from before the last two rotations: no other account may take one as a custom key.
  'create table retired_secrets (secret_hash text primary key) strict, without rowid',
  // A key names its running capture, so that the gateway knows it with the key.
  `create table captures (id text not null primary key, key_id text not null, account_id text not null,
    begun_by text not null, created_at integer not null, ends_at integer not null, kept integer not null,
    missed integer not null, ended_at integer, ended_because text) strict, without rowid`,
  'create unique index captures_by_key on captures (key_id)',
  `create table captured_requests (capture_id text not null, nr integer not null, request_id text not null,
    bytes integer not null, summary_json text not null, sealed text not null,
    primary key (capture_id, nr)) strict, without rowid`,
]

const CATALOG = [
  `create table "groups" (id text primary key, name text not null unique, multiplier_ppm integer not null,
    models_json text not null, ${flag('is_enabled')}, ${flag('is_open')}, ${flag('is_managed')},
    cache_json text not null default '{}', open_roles_json text not null default '[]') strict, without rowid`,
  // Usage records have what they count beside tokens, and its prices, in other_tokens_json.
  `create table models (id text primary key, name text not null unique, ${PRICES}, price_audio_input_nano integer,
    price_audio_output_nano integer, price_image_input_nano integer, context_tokens integer, max_output_tokens integer,
    targets_json text not null, created_at integer not null, ${flag('is_managed')}, price_request_nano integer,
    price_image_nano integer, price_second_nano integer, price_character_nano integer, price_rules_json text, kind text,
    ${flag('is_recommended')} default 0, serving_json text not null default '{}', ${flag('is_price_locked')} default 0,
    scheduled_json text) strict, without rowid`,
  `create table upstreams (id text primary key, name text not null unique, protocol text not null,
    base_url text not null, connect_timeout_ms integer, first_byte_timeout_ms integer, timeout_ms integer,
    max_concurrency integer, headers_json text not null, ${flag('is_managed')},
    credentials_json text not null default '[]', passage_json text not null default '{}', spend_per_day_nano integer,
    shadow_json text not null default '[]') strict, without rowid`,
  // What a person disabled stays so under its name, whatever becomes of the list that the credential stands in.
  `create table credential_states (upstream_id text not null, name text not null, ${flag('is_disabled')},
    hold_json text, primary key (upstream_id, name)) strict, without rowid`,
  `create table day_spends (kind text not null, upstream_id text not null, name text not null, day integer not null,
    spent_nano integer not null, primary key (kind, upstream_id, name, day)) strict, without rowid`,
  // What upstreams list, looked at once a day. `known_json` null: none was given yet.
  `create table listed_models (upstream_id text not null primary key, checked_at integer not null, result text,
    base_url text, known_json text, added_json text not null, gone_json text not null) strict, without rowid`,
  `create table plans (id text primary key, name text not null unique, group_ids_json text not null,
    days integer not null, price_nano integer not null, quotas_json text not null, ${flag('is_managed')},
    limits_json text) strict, without rowid`,
  `create table stored_responses (account_id text not null, response_id text not null, upstream_id text not null,
    created_at integer not null, primary key (account_id, response_id)) strict, without rowid`,
  'create index stored_responses_by_age on stored_responses (created_at)',
  'create index stored_responses_by_id on stored_responses (response_id)',
]

const BOOKS = [
  // `retired_nano`: what the records charged to it that were taken out of the books: see `retention.ts`.
  `create table budgets (id text primary key, kind text not null, subject_id text not null, limit_nano integer not null,
    used_nano integer not null, held_nano integer not null check (held_nano >= 0), overrun_nano integer not null,
    overruns integer not null, ends_at integer, window_ms integer, entries integer not null,
    brought_nano integer not null default 0, retired_nano integer not null default 0) strict, without rowid`,
  'create index budgets_by_subject on budgets (subject_id)',
  `create index budgets_used_up on budgets (subject_id) where kind = 'key_quota' and used_nano >= limit_nano`,
  `create table leases (id text primary key, budget_id text not null references budgets (id), node_id text not null,
    granted_nano integer not null, charged_nano integer not null) strict, without rowid`,
  'create unique index leases_by_budget on leases (budget_id, node_id)',
  'create index leases_by_node on leases (node_id)',
  `create table usage_records (id text not null primary key, created_at integer not null, account_id text not null,
    key_id text not null, key_name text not null, group_id text, group_name text, model text, upstream_name text,
    upstream_model text, wire text, is_stream integer not null, outcome text not null, fault text, http_status integer,
    input_tokens integer, cache_read_tokens integer, cache_write_tokens integer, cache_write_1h_tokens integer,
    output_tokens integer, reasoning_tokens integer, usage_source text not null, is_capped integer not null, ${PRICES},
    multiplier_ppm integer, cost_nano integer not null, balance_paid_nano integer not null,
    subscriptions_paid_json text, other_charges_json text, other_tokens_json text, attempts_json text not null,
    client text, first_byte_ms integer, total_ms integer not null, usage_notes text, route_trace text,
    provider_cost_nano integer, fault_facts text, credential_name text, limits_left text) strict`,
  'create index usage_records_by_account on usage_records (account_id, id)',
  'create index usage_records_by_key on usage_records (key_id, id)',
  // Few records and entries are in these, so the settle hardly ever has to write to them.
  'create index usage_faults on usage_records (id) where fault is not null',
  'create index usage_faults_by_account on usage_records (account_id, id) where fault is not null',
  'create index usage_faults_by_key on usage_records (key_id, id) where fault is not null',
  'create index usage_faults_by_account_code on usage_records (account_id, fault, id) where fault is not null',
  'create index usage_faults_by_code on usage_records (fault, id) where fault is not null',
  `create index usage_ends on usage_records (outcome, id) where outcome <> 'completed'`,
  `create index usage_ends_by_account on usage_records (account_id, outcome, id) where outcome <> 'completed'`,
  `create table ledger_entries (account_id text not null, seq integer not null, id text not null,
    created_at integer not null, kind text not null, amount_nano integer not null, balance_after_nano integer not null,
    request_id text, reason text not null, actor text not null, once text,
    primary key (account_id, seq)) strict, without rowid`,
  'create unique index ledger_entries_once on ledger_entries (account_id, once) where once is not null',
  `create index ledger_entries_but_usage on ledger_entries (account_id, seq) where kind <> 'usage'`,
  `create table open_requests (id text primary key, node_id text not null, created_at integer not null,
    request_json text not null) strict, without rowid`,
  'create index open_requests_by_node on open_requests (node_id)',
  `create table retired_days (day_at integer not null, kind text not null, ${wholes(DAY_FIGURES)},
    primary key (day_at, kind)) strict, without rowid`,
  `create table archives (name text primary key, kind text not null, day_at integer not null, part integer not null,
    records integer not null, cost_nano integer not null, bytes integer not null, sha256 text not null,
    written_at integer not null, ${flag('is_finished')}, place text) strict, without rowid`,
  'create unique index archives_by_day on archives (kind, day_at, part)',
]

const SALES_AND_ALERTS = [
  // `renews_up_to_nano`: what a renewal from the balance may cost at the most; null: it ends.
  `create table subscriptions (id text primary key, account_id text not null references accounts (id),
    plan_id text not null, plan_name text not null, group_ids_json text not null, quotas_json text not null,
    starts_at integer not null, ends_at integer not null, cancelled_at integer, created_at integer not null,
    limits_json text, renews_up_to_nano integer) strict, without rowid`,
  'create index subscriptions_by_account on subscriptions (account_id, ends_at)',
  `create index subscriptions_to_renew on subscriptions (ends_at)
    where renews_up_to_nano is not null and cancelled_at is null`,
  `create table redeem_codes (id text primary key, code_hash text not null unique, code_start text not null,
    code_end text not null, amount_nano integer, plan_id text, note text not null, created_at integer not null,
    expires_at integer, redeemed_at integer, redeemed_by text) strict, without rowid`,
  `create table orders (id text not null primary key, account_id text not null, provider text not null,
    provider_order text, amount_nano integer, plan_id text, plan_json text, currency text not null,
    price_nano integer not null, state text not null, trouble text, payment text, checkout_url text, invoice_url text,
    refunded_nano integer not null default 0, taken_back_nano integer not null default 0, subscription_id text,
    created_at integer not null, paid_at integer,
    check ((amount_nano is null) <> (plan_json is null))) strict, without rowid`,
  'create unique index orders_by_provider on orders (provider, provider_order)',
  'create index orders_by_payment on orders (provider, payment)',
  'create index orders_by_account on orders (account_id, created_at, id)',
  'create index orders_by_time on orders (created_at, id)',
  `create index orders_held on orders (created_at) where state = 'held'`,
  `create table order_refunds (id text not null primary key, order_id text not null, provider_refund text,
    amount_nano integer not null, taken_nano integer not null, ${flag('is_waiting')}, state text not null,
    reason text not null, actor text not null, created_at integer not null) strict, without rowid`,
  'create unique index order_refunds_by_provider on order_refunds (order_id, provider_refund)',
  `create index order_refunds_held on order_refunds (created_at) where state = 'held'`,
  `create table alerts (id text primary key, kind text not null, subject_id text not null, percent integer,
    limit_nano integer not null, used_nano integer not null, window_ms integer, resets_at integer,
    created_at integer not null, about text) strict, without rowid`,
  'create index alerts_by_time on alerts (created_at)',
  `create table alert_deliveries (alert_id text not null references alerts (id), way text not null,
    tries integer not null, next_try_at integer, delivered_at integer, failure text,
    primary key (alert_id, way)) strict, without rowid`,
]

const SIGN_IN = [
  `create table sessions (id text primary key, token_hash text not null unique,
    account_id text not null references accounts (id), created_at integer not null, updated_at integer not null,
    expires_at integer not null, signed_in_at integer not null, began_by text not null, address text not null,
    client text not null) strict, without rowid`,
  'create index sessions_by_account on sessions (account_id)',
  'create index sessions_by_expiry on sessions (expires_at)',
  `create table identities (id text primary key, provider text not null, subject text not null,
    account_id text not null references accounts (id), created_at integer not null,
    updated_at integer not null) strict, without rowid`,
  'create unique index identities_by_subject on identities (provider, subject)',
  'create index identities_by_account on identities (account_id)',
  `create table verifications (id text primary key, identifier text not null, content text not null,
    expires_at integer not null, created_at integer not null, updated_at integer not null) strict, without rowid`,
  'create index verifications_by_identifier on verifications (identifier)',
  'create index verifications_by_expiry on verifications (expires_at)',
  `create table second_factors (id text primary key, account_id text not null unique references accounts (id),
    secret text not null, backup_codes text not null, ${flag('is_confirmed')}, failures integer not null,
    locked_until_at integer, last_counter integer not null default 0) strict, without rowid`,
  `create table passkeys (id text primary key, account_id text not null references accounts (id), name text,
    credential_id text not null unique, public_key text not null, counter integer not null, device_type text not null,
    ${flag('is_synced')}, transports text, aaguid text, created_at integer) strict, without rowid`,
  'create index passkeys_by_account on passkeys (account_id)',
  `create table sign_in_links (id text primary key, token_hash text not null unique, purpose text not null,
    account_id text, email text, role text not null, created_by text, created_at integer not null,
    expires_at integer not null, used_at integer, used_by text) strict, without rowid`,
  'create index sign_in_links_by_purpose on sign_in_links (purpose, created_at)',
  `create table access_tokens (id text primary key, account_id text not null references accounts (id),
    name text not null, scope text not null, secret_hash text not null unique, secret_start text not null,
    secret_end text not null, created_at integer not null, expires_at integer,
    last_used_at integer) strict, without rowid`,
  'create index access_tokens_by_account on access_tokens (account_id, id)',
  `create table guesses (id text primary key, about text not null, asker text not null,
    guessed_at integer not null) strict, without rowid`,
  'create index guesses_by_asker on guesses (asker, about, guessed_at)',
  'create index guesses_by_time on guesses (guessed_at)',
]

const CONTROL = [
  `create table nodes (id text primary key, host text not null, process_id integer not null, seen_seq integer not null,
    beat integer not null, version text, in_flight integer, busy_permille integer, database_ahead_ms integer,
    providers_ahead_ms integer) strict, without rowid`,
  'create table changes (seq integer primary key, subject text not null, subject_id text not null)',
  'create table change_counter (id integer primary key, seq integer not null)',
  'insert into change_counter (id, seq) values (1, 0)',
  'create table settings (name text primary key, value text not null) strict, without rowid',
  `create table audit_entries (id text primary key, created_at integer not null, actor text not null,
    via text not null, address text not null, action text not null, subject text, account_id text,
    changes_json text not null) strict, without rowid`,
  'create index audit_entries_by_actor on audit_entries (actor, id)',
  'create index audit_entries_by_action on audit_entries (action, id)',
  'create index audit_entries_by_subject on audit_entries (subject, id) where subject is not null',
  'create index audit_entries_by_account on audit_entries (account_id, id) where account_id is not null',
  `create table idempotency_keys (actor text not null, name text not null, request_hash text not null,
    state text not null, status integer, body text, created_at integer not null,
    primary key (actor, name)) strict, without rowid`,
  'create index idempotency_keys_by_time on idempotency_keys (created_at)',
  `create table announcements (id text not null primary key, created_at integer not null, kind text not null,
    level text not null, title_json text not null, text_json text not null, audience_json text not null,
    shows text not null, starts_at integer not null, ends_at integer) strict, without rowid`,
  `create table dismissed_announcements (account_id text not null, announcement_id text not null,
    primary key (account_id, announcement_id)) strict, without rowid`,
  `create table imported (source text not null, kind text not null, source_id text not null, object_id text not null,
    state_json text not null, primary key (source, kind, source_id)) strict, without rowid`,
]

/** The tables of 0.1.0, at once. */
export const FIRST_RELEASE: Migration = {
  name: '0059_others_of_spans',
  earlier: `
    0001_accounts_and_keys 0002_catalog 0003_books 0004_nodes 0005_open_requests 0006_subscriptions_and_alerts
    0007_sign_in 0008_control 0009_usage_views 0010_unit_prices 0011_stored_responses 0012_usage_notes
    0013_account_limits 0014_price_rules 0015_totp_counter 0016_alerts_about_upstreams
    0017_owners_of_stored_responses 0018_settle_journal 0019_route_trace 0020_credential_pools 0021_provider_costs
    0022_credential_states 0023_passages 0024_model_kinds 0025_response_caches 0026_credential_spends
    0027_serving_of_models 0028_fault_facts 0029_credential_costs 0030_response_caches_of_keys 0031_announcements
    0032_day_spends 0033_cached_input 0034_key_addresses 0035_keys_of_the_playground 0036_shadow_rules
    0037_favourite_models 0038_keys_by_expiry 0039_imports 0040_retention 0041_tags_of_keys 0042_orders
    0043_standing_of_nodes 0044_price_locks 0045_held_payments 0046_places_of_archives 0047_renewals
    0048_audit_by_account 0046_raised_limits 0050_usage_spans 0051_captures 0052_scheduled_prices
    0053_own_multipliers 0054_limits_left 0055_roles_of_groups 0056_keys_in_searches 0057_raised_quotas
    0058_listed_models
  `
    .trim()
    .split(/\s+/),
  statements: [
    ...ACCOUNTS_AND_KEYS,
    ...CATALOG,
    ...BOOKS,
    ...ROLL_UPS,
    ...SPANS,
    ...SALES_AND_ALERTS,
    ...SIGN_IN,
    ...CONTROL,
  ],
  ofEmbedded: [
    // `refusal`: why the books will never take it; null: it is to be folded into them.
    'create table settle_journal (id integer primary key, batch blob not null, refusal text) strict',
    // Of keys with tags alone, and what a search looks at. PostgreSQL finds both as fast in the table.
    `create index api_keys_with_tags on api_keys (id, tags_json) where tags_json <> '[]'`,
    `create index api_keys_in_searches on api_keys
      (name_lower, secret_start, secret_end, status, is_for_playground)`,
  ],
}
