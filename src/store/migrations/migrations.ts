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
]
