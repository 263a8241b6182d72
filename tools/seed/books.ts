import type { SeedAccount, SeedKey } from './holders.ts'
import type { SeedRow, SeedTarget } from './seed-target.ts'

/** 100,000 USD: more than any seeded account spends. */
const GRANT_NANO = 100_000_000_000_000n

const FIGURES = [
  'requests',
  'failed',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'cost_nano',
  'balance_paid_nano',
]
const SUMS = FIGURES.map((figure) => `cast(sum(${figure}) as bigint)`).join(', ')

/** Ledger, balances and roll-ups, as a settle of each record would have left them: computed by the database. */
export async function seedBooks(target: SeedTarget, accounts: readonly SeedAccount[]): Promise<void> {
  await target.load('ledger_entries', grants(accounts))
  await target.run(USAGE_ENTRIES)
  await target.run(BALANCES)
  for (const statement of ROLL_UPS) await target.run(statement)
}

/** Budgets of the keys that have a quota. Some have used all of it. */
export function* quotaBudgets(keys: Iterable<SeedKey>, isUsedUp: (key: SeedKey) => boolean): Iterable<SeedRow> {
  for (const key of keys) {
    for (const [id, { amount, endsAt }] of key.used) {
      const limit = quotaLimitOf(key, isUsedUp)
      yield {
        id,
        kind: 'key_quota',
        subject_id: key.id,
        limit_nano: limit,
        used_nano: amount,
        held_nano: 0,
        overrun_nano: limit !== null && amount > limit ? amount - limit : 0n,
        overruns: 0,
        ends_at: endsAt,
        entries: 0,
      }
    }
  }
}

/** What a key may spend in a period: as much as in its dearest one where it has used it up, else twice that. */
export function quotaLimitOf(key: SeedKey, isUsedUp: (key: SeedKey) => boolean): bigint | null {
  if (key.quota === null) return null
  const latest = [...key.used.values()].at(-1)?.amount ?? 1_000_000_000n
  return isUsedUp(key) ? latest : latest * 2n
}

function* grants(accounts: readonly SeedAccount[]): Iterable<SeedRow> {
  for (const { id, createdAt } of accounts) {
    yield {
      account_id: id,
      seq: 1,
      id: `led_${id.slice(4)}`,
      created_at: createdAt,
      kind: 'grant',
      amount_nano: GRANT_NANO,
      balance_after_nano: GRANT_NANO,
      reason: 'seeded',
      actor: 'cli',
    }
  }
}

const USAGE_ENTRIES = `
  insert into ledger_entries (account_id, seq, id, created_at, kind, amount_nano, balance_after_nano, request_id, reason, actor)
  select account_id, 1 + row_number() over sofar, 'led_' || substr(id, 5), created_at, 'usage', -balance_paid_nano,
    ${GRANT_NANO} - cast(sum(balance_paid_nano) over sofar as bigint), id, '', 'gateway'
  from usage_records where balance_paid_nano > 0
  window sofar as (partition by account_id order by id)
  order by account_id, id`

const BALANCES = `
  insert into budgets (id, kind, subject_id, limit_nano, used_nano, held_nano, overrun_nano, overruns, entries)
  select 'balance:' || account_id, 'balance', account_id, ${GRANT_NANO},
    ${GRANT_NANO} - cast(sum(amount_nano) as bigint), 0, 0, 0, count(*)
  from ledger_entries group by account_id`

/** The roll-ups of `0009_usage_views` and of `0021_provider_costs`, and the hours that they are made of. */
const ROLL_UPS = [
  `insert into usage_hours (key_id, hour_at, group_id, model, account_id, ${FIGURES.join(', ')})
   select key_id, created_at / 3600000 * 3600000, coalesce(group_id, ''),
     case when group_id is null or fault = 'model_unknown' then '' else coalesce(model, '') end, min(account_id), count(*),
     sum(case when fault is null then 0 else 1 end),
     coalesce(cast(sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0)) as bigint), 0),
     coalesce(cast(sum(cache_read_tokens) as bigint), 0), coalesce(cast(sum(output_tokens) as bigint), 0),
     cast(sum(cost_nano) as bigint), cast(sum(balance_paid_nano) as bigint)
   from usage_records group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  `insert into usage_account_hours select account_id, hour_at, group_id, model, ${SUMS}
   from usage_hours group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  `insert into usage_all_hours select hour_at, group_id, model, 0, ${SUMS}
   from usage_account_hours group by 1, 2, 3 order by 1, 2, 3`,
  `insert into usage_days select key_id, hour_at / 86400000 * 86400000, group_id, model, min(account_id), ${SUMS}
   from usage_hours group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  `insert into usage_upstream_hours
     (hour_at, upstream, group_id, model, fault, lane, requests, failed, cost_nano, provider_cost_nano, costed_nano)
   select created_at / 3600000 * 3600000, coalesce(upstream_name, ''),
     coalesce(group_id, ''), case when group_id is null or fault = 'model_unknown' then '' else coalesce(model, '') end,
     coalesce(fault, ''), 0, count(*), count(fault), cast(sum(cost_nano) as bigint), 0, 0
   from usage_records group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  `insert into key_activity (account_id, key_id, last_used_at, spent_nano) select account_id, key_id, max(created_at), cast(sum(cost_nano) as bigint)
   from usage_records group by 1, 2 order by 1, 2`,
  `insert into key_activity (account_id, key_id, last_used_at, spent_nano) select account_id, id, 0, 0 from api_keys where not exists
   (select 1 from key_activity where key_activity.account_id = api_keys.account_id and key_id = api_keys.id)`,
]
