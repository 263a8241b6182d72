import { FIRST_RELEASE } from './first-release.ts'
import { flag, type Migration } from './migration.ts'

/** All steps, in the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST_RELEASE,
  {
    // 0: a plan pays in its groups and opens none of them; a subscription keeps what was sold.
    name: '0060_plans_that_open_no_group',
    statements: ['plans', 'subscriptions'].map(
      (table) => `alter table ${table} add column ${flag('is_opening_groups')} default 1`,
    ),
  },
  {
    name: '0159_invitations_that_give',
    statements: [
      'alter table sign_in_links add column credit_nano integer',
      'alter table sign_in_links add column plan_id text',
      `alter table sign_in_links add column open_group_ids_json text not null default '[]'`,
    ],
  },
  {
    // Which node mints until when, and the token that all of them use until it ends.
    name: '0168_minted_tokens',
    statements: [
      `create table minted_tokens (upstream_id text not null, name text not null, mark text not null, sealed_token text,
        ends_at integer, lease_holder text, lease_until_at integer, primary key (upstream_id, name)) strict, without rowid`,
    ],
  },
  {
    // Null: an API key with a secret. Else it is a signed-in device's, whose access tokens carry this number.
    name: '0172_devices',
    statements: [
      'alter table api_keys add column device_epoch integer',
      `create table devices (key_id text primary key, account_id text not null, client text not null,
        machine text not null, approved_at integer not null, asked_from text not null, approved_from text not null,
        refresh_salt text not null, refresh_count integer not null, refreshed_at integer, refreshed_from text,
        ends_at integer not null) strict, without rowid`,
      'create index devices_by_account on devices (account_id, key_id)',
      `create table device_requests (code_hash text primary key, user_code_hash text not null unique,
        client text not null, machine text not null, asked_from text not null, asked_network text not null,
        asked_at integer not null, expires_at integer not null, state text not null, key_id text, redeemed_at integer,
        polled_at integer not null, interval_ms integer not null) strict, without rowid`,
      'create index device_requests_by_network on device_requests (asked_network, expires_at)',
      'create index device_requests_by_end on device_requests (expires_at)',
      `create table device_secrets (id text primary key, key_id text not null, client text not null,
        secret_hash text not null unique, secret_start text not null, secret_end text not null,
        created_at integer not null) strict, without rowid`,
      'create index device_secrets_by_key on device_secrets (key_id, id)',
    ],
  },
  {
    // What Claude Code on the devices of a group is given for its settings; null: what the group's models need.
    name: '0174_claude_settings',
    statements: ['alter table "groups" add column claude_settings_json text'],
  },
  {
    // What people may choose for devices that they approve in a group; null: whatever they may of any key.
    name: '0174_devices_of_groups',
    statements: ['alter table "groups" add column devices_json text'],
  },
  {
    // The client of the stored secret that a device's request came with, or empty for an access token; null: not a device's.
    name: '0174_secrets_of_devices_in_records',
    statements: ['alter table usage_records add column device_secret text'],
  },
  {
    // The number of a device's token that was given again to the one before when its minute was over; null: none was.
    name: '0178_late_renewals',
    statements: ['alter table devices add column late_count integer'],
  },
  {
    // How far each journal file beside the embedded database is in the books.
    name: '0181_journal_files',
    statements: [],
    ofEmbedded: [
      `create table settle_files (number integer primary key, epoch integer not null, place integer not null,
        syncs integer not null) strict`,
    ],
  },
]
