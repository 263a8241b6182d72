/**
 * What a person (or a defect) might do to the books that `soundBooks` writes, and everything that the proof says then:
 * no more and no less.
 */
export interface Damage {
  readonly what: string
  readonly sql: string
  readonly says: readonly RegExp[]
}

const HOUR_OF_A = /^usage in the hour of 2026-11-21T12:00:00.000Z by key_of_A of A in grp_default for gpt-5.5: /
const HOUR_OF_UPSTREAM =
  /^usage in the hour of 2026-11-21T12:00:00.000Z at .* in grp_default for gpt-5.5 without a fault: /
const DAY_OF_CREDENTIAL =
  /^usage in the day of 2026-11-21T00:00:00.000Z at openai-main by its credential main without a fault: /

export const BALANCE_DAMAGES: readonly Damage[] = [
  {
    what: 'a balance raised without an entry',
    sql: `update budgets set limit_nano = limit_nano + 1 where id = 'balance:A'`,
    says: [/^account A: its entries but usage add up to \$0.000001005, its balance says \$0.000001006$/],
  },
  {
    what: 'a use that was forgotten',
    sql: `update budgets set used_nano = used_nano - 1 where id = 'balance:A'`,
    says: [/^account A: its usage entries add up to \$0.000000026, its balance says \$0.000000025$/],
  },
  {
    what: 'a balance that miscounts its entries',
    sql: `update budgets set entries = 7 where id = 'balance:A'`,
    says: [/^account A: it has 6 ledger entries, its balance says 7$/],
  },
  {
    what: 'an account that lost its balance',
    sql: `update budgets set subject_id = 'B' where id = 'balance:A'`,
    says: [/^account A: it has no balance$/, /^account A: .*; .*; it has 6/, /^account B: .*; .*; it has 0/],
  },
  {
    what: 'an entry that was taken out',
    sql: `delete from ledger_entries where account_id = 'A' and seq = 2`,
    says: [
      /^ledger entry led_two: it is number 3, where 2 should be/,
      /^ledger entry led_two: it says a balance of \$0.000000997, where \$0.000000998 is right/,
      /^account A: its usage entries add up to .*; it has 5 ledger entries, its balance says 6$/,
      /^usage record req_one of A: the balance paid \$0.000000001, its ledger entry says \$0$/,
    ],
  },
  {
    what: 'an entry that was changed',
    sql: `update ledger_entries set amount_nano = amount_nano - 1 where account_id = 'A' and seq = 3`,
    says: [
      /^ledger entry led_two: it says a balance of \$0.000000997, where \$0.000000996 is right$/,
      /^account A: its usage entries add up to \$0.000000027, its balance says \$0.000000026$/,
      /^usage record req_two of A: the balance paid \$0.000000002, its ledger entry says \$0.000000003$/,
    ],
  },
  {
    what: 'an entry that belongs to another request',
    sql: `update ledger_entries set request_id = 'req_other' where account_id = 'A' and seq = 3`,
    says: [/^usage record req_two of A: .*says \$0$/, /^usage record req_other of A: the balance paid \$0, its ledger/],
  },
]

export const BUDGET_DAMAGES: readonly Damage[] = [
  {
    what: 'money held without a lease',
    sql: `update budgets set held_nano = held_nano + 5 where id = 'balance:A'`,
    says: [/^budget balance:A: its leases hold \$0.000000074, it says \$0.000000079 is held$/],
  },
  {
    what: 'a lease that vanished',
    sql: `delete from leases where budget_id = 'balance:A'`,
    says: [/^budget balance:A: its leases hold \$0, /],
  },
  {
    what: 'a limit that was passed',
    sql: `update budgets set limit_nano = 4 where id = 'key:K:never:0'`,
    says: [/^budget key:K:never:0: used and held are \$0.000000001 above its limit, of which overruns explain \$0$/],
  },
  {
    what: 'a quota that forgot a charge',
    sql: `update budgets set used_nano = 1 where id = 'key:K:never:0'`,
    says: [
      /^budget key:K:never:0: records charged \$0.000000003 to it, it says \$0.000000001 is used$/,
      /^alert key:K:never:0:5:50: it says \$0.000000003 is used, the budget says \$0.000000001$/,
    ],
  },
  {
    what: 'a window of a key that forgot a charge',
    sql: `update budgets set used_nano = 1 where id = 'spend:K:5h:00000001'`,
    says: [/^budget spend:K:5h:00000001: records charged \$0.000000003 to it, it says \$0.000000001 is used$/],
  },
  {
    what: 'a window of a subscription that forgot all of them',
    sql: `update budgets set used_nano = 0 where id = 'sub:sub_S:7d:00000001'`,
    says: [
      /^budget sub:sub_S:7d:00000001: records charged \$0.00000003 to it, it says \$0 is used$/,
      /^budget sub:sub_S:7d:00000001: nothing of it is used, and its window has an end$/,
    ],
  },
  {
    what: 'a window in use that never ends',
    sql: `update budgets set ends_at = null where id = 'spend:K:5h:00000001'`,
    says: [/^budget spend:K:5h:00000001: \$0.000000003 of it is used, and its window has no end$/],
  },
  {
    what: 'two windows of one budget that are open at once',
    sql: `insert into budgets (id, kind, subject_id, limit_nano, used_nano, held_nano, overrun_nano, overruns, ends_at,
        window_ms, entries)
      values ('spend:K:5h:00000002', 'key_spend', 'K', 50, 0, 0, 0, 0, null, 18000000, 0),
        ('spend:K:5h:00000003', 'key_spend', 'K', 50, 0, 0, 0, 0, null, 18000000, 0)`,
    says: [/^budget spend:K:5h:00000002: its window has no end, and spend:K:5h:00000003 follows it$/],
  },
]

export const RECORD_DAMAGES: readonly Damage[] = [
  {
    what: 'a record that was taken out',
    sql: `delete from usage_records where id = 'req_three'`,
    says: [
      /^usage record req_three of A: the balance paid \$0, its ledger entry says \$0.000000003$/,
      /^budget key:K:never:0: records charged \$0 /,
      /^budget spend:K:5h:00000001: records charged \$0 /,
      HOUR_OF_A,
      HOUR_OF_UPSTREAM,
      DAY_OF_CREDENTIAL,
    ],
  },
  {
    what: 'a record with another cost',
    sql: `update usage_records set cost_nano = 9 where id = 'req_three'`,
    says: [
      /^usage record req_three: it says a cost of \$0.000000009, its tokens and prices make \$0.000000003$/,
      /^usage record req_three: the balance paid \$0.000000003 and subscriptions \$0 of \$0.000000009$/,
      /^usage record req_three: \$0.000000003 of its \$0.000000009 was charged to key:K:never$/,
      /^usage record req_three: \$0.000000003 of its \$0.000000009 was charged to spend:K:5h$/,
      HOUR_OF_A,
      HOUR_OF_UPSTREAM,
      DAY_OF_CREDENTIAL,
    ],
  },
  {
    what: 'a record with other tokens',
    sql: `update usage_records set output_tokens = 2000000 where id = 'req_three'`,
    says: [
      /^usage record req_three: it says a cost of \$0.000000003, its tokens and prices make \$0.000000006$/,
      HOUR_OF_A,
    ],
  },
  {
    what: 'a record that the balance paid less for',
    sql: `update usage_records set balance_paid_nano = 2 where id = 'req_three'`,
    says: [
      /^usage record req_three: the balance paid \$0.000000002 and subscriptions \$0 of \$0.000000003$/,
      /^usage record req_three of A: the balance paid \$0.000000002, its ledger entry says \$0.000000003$/,
      HOUR_OF_A,
    ],
  },
  {
    what: 'a record that a subscription paid less for',
    sql: `update usage_records set subscriptions_paid_json = '[["sub_S","29"]]' where id = 'req_plan'`,
    says: [
      /^usage record req_plan: the balance paid \$0.00000002 and subscriptions \$0.000000029 of \$0.00000005$/,
      /^usage record req_plan: subscription sub_S paid \$0.000000029, and \$0.00000003 was charged to sub:sub_S:5h$/,
      /^usage record req_plan: subscription sub_S paid \$0.000000029, and \$0.00000003 was charged to sub:sub_S:7d$/,
    ],
  },
  {
    what: 'a record that the subscription of another account paid for',
    sql: `update usage_records set subscriptions_paid_json = '[["sub_other","30"]]' where id = 'req_plan'`,
    says: [
      /^usage record req_plan: subscription sub_other, which paid for it, is not one of account A$/,
      /^usage record req_plan: sub:sub_S:5h was charged, and subscription sub_S paid nothing$/,
      /^usage record req_plan: sub:sub_S:7d was charged, and subscription sub_S paid nothing$/,
    ],
  },
  {
    what: 'a payment that a window does not count',
    sql: `update usage_records set other_charges_json = '[["sub:sub_S:5h:00000001","30"]]' where id = 'req_plan'`,
    says: [
      /^usage record req_plan: subscription sub_S paid \$0.00000003, and \$0 was charged to sub:sub_S:7d$/,
      /^budget sub:sub_S:7d:00000001: records charged \$0 to it, it says \$0.00000003 is used$/,
    ],
  },
  {
    what: 'a charge to a quota that was never sold',
    sql: `update usage_records set other_charges_json = '[["sub:sub_all:5h:00000001","4"]]' where id = 'req_all'`,
    says: [
      /^usage record req_all: sub:sub_all:5h was charged, and subscription sub_all has no such quota$/,
      /^budget sub:sub_all:5h:00000001: records charged \$0.000000004 to it, it says \$0 is used$/,
    ],
  },
  {
    what: 'an interrupted request that cost something',
    sql: `update usage_records set cost_nano = 1 where id = 'req_cut'`,
    says: [/^usage record req_cut: it says a cost of/, /^usage record req_cut: the balance paid \$0 and subscriptions/],
  },
]

/** What stands above the hours of keys is their sum, so it disagrees with each that was damaged. */
const ABOVE_A = [
  /^usage in the hour of 2026-11-21T12:00:00.000Z of A in /,
  /^usage in the hour of 2026-11-21T12:00:00.000Z of all accounts in /,
  /^usage in the day of 2026-11-21T00:00:00.000Z by key_of_A of A in /,
]
const SPENT_BY_A = /^key key_of_A of A: its hours cost .*, it says \$0.00000006 was spent$/

export const HOUR_DAMAGES: readonly Damage[] = [
  {
    what: 'an hour that counts a request too many',
    sql: `update usage_hours set requests = requests + 1 where account_id = 'A' and model = 'gpt-5.5'`,
    says: [/by key_of_A of A in grp_default for gpt-5.5: requests of its records are 5, it says 6$/, ...ABOVE_A],
  },
  {
    what: 'an hour in which nothing failed',
    sql: `update usage_hours set failed = 0 where account_id = 'A' and model = ''`,
    says: [/by key_of_A of A in no group for no model: failed of its records are 1, it says 0$/, ...ABOVE_A],
  },
  {
    what: 'an hour with other tokens and another cost',
    sql: `update usage_hours set output_tokens = 0, cost_nano = 1 where account_id = 'A' and model = 'gpt-5.5'`,
    says: [
      /: output tokens of its records are 5000000, it says 0; cost of its records are \$0.00000006, it says \$0/,
      ...ABOVE_A,
      SPENT_BY_A,
    ],
  },
  {
    what: 'an hour that vanished',
    sql: `delete from usage_hours where account_id = 'A' and model = 'gpt-5.5'`,
    says: [HOUR_OF_A, ...ABOVE_A, SPENT_BY_A],
  },
  {
    what: 'an hour that belongs to another account',
    sql: `update usage_hours set account_id = 'B' where account_id = 'A' and model = ''`,
    says: [
      /by key_of_A of A in no group for no model: requests of its records/,
      /by key_of_A of B in no group for no model: requests of its records/,
      /hour of .* of A in no group for no model: requests of its hours are 0, it says 1;/,
      /hour of .* of B in no group for no model: requests of its hours are 1, it says 0;/,
      /day of .* of A in no group/,
      /day of .* of B in no group/,
    ],
  },
  {
    what: 'an hour of an account that counts a request too many',
    sql: `update usage_account_hours set requests = requests + 1 where account_id = 'A' and model = 'gpt-5.5'`,
    says: [/ of A in grp_default for gpt-5.5: requests of its hours are 5, it says 6$/],
  },
  {
    what: 'an hour of all that lost what it cost',
    sql: `update usage_all_hours set cost_nano = 0`,
    says: [/ of all accounts in grp_default for gpt-5.5: cost of its hours are \$0.00000011, it says \$0$/],
  },
  {
    what: 'a record whose provider costs another amount',
    sql: `update usage_records set provider_cost_nano = 7 where id = 'req_three'`,
    says: [
      /at .* in grp_default for gpt-5.5 without a fault: provider cost of its records are .*; costed of its records are/,
      /by its credential main without a fault: provider cost of its records are .*; costed of its records are/,
    ],
  },
  {
    what: 'an hour of an upstream that counts a request too many',
    sql: `update usage_upstream_hours set requests = requests + 1 where model = ''`,
    says: [/ in no group for no model with .*: requests of its records are 1, it says 2$/],
  },
  {
    what: 'a day of a credential that counts a request too many',
    sql: `update usage_credential_days set requests = requests + 1 where fault = ''`,
    says: [
      /^usage in the day of .* at openai-main by its credential main without a fault: requests of its records are/,
    ],
  },
  {
    what: 'a day of a credential that vanished',
    sql: `delete from usage_credential_days where fault = ''`,
    says: [/at openai-main by its credential main without a fault: requests of its records are .*, it says 0/],
  },
  {
    what: 'a day that vanished',
    sql: `delete from usage_days where account_id = 'A' and model = ''`,
    says: [/^usage in the day of 2026-11-21T00:00:00.000Z by key_of_A of A in no group for no model: /],
  },
  {
    what: 'a key that forgot what it spent',
    sql: `update key_activity set spent_nano = 0 where key_id = 'key_of_A'`,
    says: [/^key key_of_A of A: its hours cost \$0.00000006, it says \$0 was spent$/],
  },
  {
    what: 'a key that says it was used later',
    sql: `update key_activity set last_used_at = last_used_at + 1 where key_id = 'key_of_A'`,
    says: [
      /^key key_of_A of A: its newest request began at 2026-11-21T12:00:00.000Z, it says it was used last at .*001Z$/,
    ],
  },
  {
    what: 'a key that was used and says nothing of it',
    sql: `delete from key_activity where key_id = 'key_of_A'`,
    says: [
      /^key key_of_A: its newest request began at 2026-11-21T12:00:00.000Z, it says it was used last never$/,
      /^key key_of_A of A: its hours cost \$0.00000006, it says \$0 was spent$/,
    ],
  },
]

export const GRANT_DAMAGES: readonly Damage[] = [
  {
    what: 'an alert of a line that was not crossed',
    sql: `update alerts set percent = 80, id = 'key:K:never:0:5:80' where subject_id = 'K'`,
    says: [/^alert key:K:never:0:5:80: \$0.000000003 is not 80 % of \$0.000000005$/],
  },
  {
    what: 'an alert of another limit',
    sql: `update alerts set limit_nano = 6 where subject_id = 'K'`,
    says: [/^alert key:K:never:0:5:50: it is about no budget that is there$/],
  },
  {
    what: 'an alert of a window that the quota does not have',
    sql: `update alerts set window_ms = 18000000 where subject_id = 'K'`,
    says: [/^alert key:K:never:0:5:50: it is about no budget that is there$/],
  },
  {
    what: 'an alert of more than was ever used',
    sql: `update alerts set used_nano = 4 where subject_id = 'K'`,
    says: [/^alert key:K:never:0:5:50: it says \$0.000000004 is used, the budget says \$0.000000003$/],
  },
  {
    what: 'an alert about another key',
    sql: `update alerts set subject_id = 'L' where subject_id = 'K'`,
    says: [/^alert key:K:never:0:5:50: it is about no budget that is there$/],
  },
  {
    what: 'an alert of a balance that was higher',
    sql: `update alerts set used_nano = 7 where kind = 'low_balance'`,
    says: [
      /^alert balance:A:low:000000000004: it says a balance of \$0.000000993, the ledger entry says \$0.000000994$/,
    ],
  },
  {
    what: 'an alert after a charge that never was',
    sql: `update alerts set id = 'balance:A:low:000000000007' where kind = 'low_balance'`,
    says: [/^alert balance:A:low:000000000007: account A has no such ledger entry$/],
  },
  {
    what: 'a redeem code that could be used again',
    sql: `update redeem_codes set redeemed_at = null, redeemed_by = null where id = 'rdc_money'`,
    says: [/^redeem code rdc_money for A: it granted \$0, ledger entries say \$0.000000005$/],
  },
  {
    what: 'a redeem code that granted nothing',
    sql: `update redeem_codes set redeemed_at = 1, redeemed_by = 'A' where id = 'rdc_unused'`,
    says: [/^redeem code rdc_unused for A: it granted \$0.000000007, ledger entries say \$0$/],
  },
  {
    what: 'a redeemed balance without its code',
    sql: `update ledger_entries set once = null where kind = 'redeem'`,
    says: [
      /^ledger entry led_redeemed: it was redeemed, and names no redeem code$/,
      /^redeem code rdc_money for A: it granted \$0.000000005, ledger entries say \$0$/,
    ],
  },
  {
    what: 'a redeemed plan without a subscription',
    sql: `update subscriptions set plan_id = 'pln_other' where id = 'sub_redeemed'`,
    says: [/^redeem code rdc_plan for A: there is no subscription to plan pln_pro$/],
  },
]
