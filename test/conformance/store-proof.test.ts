import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nanoUsd, parseUsd } from '../../src/core/money.ts'
import { balanceBudget } from '../../src/metering/budget.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, fundedAccount, leaseFor, quotaOf } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

/** What somebody (or a defect) might do to the books of account A, and what the proof says then. */
const DAMAGES = [
  {
    what: 'a balance raised without an entry',
    sql: `update budgets set limit_nano = limit_nano + 1 where id = 'balance:A'`,
    says: [/^account A: its entries but usage add up to \$0.000001, its balance says \$0.000001001$/],
  },
  {
    what: 'a use that was forgotten',
    sql: `update budgets set used_nano = used_nano - 1 where id = 'balance:A'`,
    says: [/^account A: its usage entries add up to \$0.000000006, its balance says \$0.000000005$/],
  },
  {
    what: 'money held by nobody',
    sql: `update budgets set held_nano = held_nano + 5 where id = 'balance:A'`,
    says: [/^budget balance:A: its leases hold \$0.000000094, it says \$0.000000099 is held$/],
  },
  {
    what: 'a lease that vanished',
    sql: `delete from leases where budget_id = 'balance:A'`,
    says: [/^budget balance:A: its leases hold \$0, /],
  },
  {
    what: 'a limit that was passed',
    sql: `update budgets set limit_nano = 10 where id = 'key:K:never:0'`,
    says: [/^budget key:K:never:0: used and held are \$0.00000004 above its limit, of which overruns explain \$0$/],
  },
  {
    what: 'a quota that forgot a charge',
    sql: `update budgets set used_nano = 1 where id = 'key:K:never:0'`,
    says: [/^budget key:K:never:0: records charged \$0.000000003 to it, it says \$0.000000001 is used$/],
  },
  {
    what: 'an entry that was taken out',
    sql: `delete from ledger_entries where account_id = 'A' and seq = 2`,
    says: [
      /^ledger entry .*: it is number 3, where 2 should be/,
      /says a balance of/,
      /^account A: .*usage/,
      /^account A: it has 3/,
      /^usage record/,
    ],
  },
  {
    what: 'an entry that was changed',
    sql: `update ledger_entries set amount_nano = amount_nano - 1 where account_id = 'A' and seq = 3`,
    says: [
      /^ledger entry led_.*: it says a balance of \$0.000000997, where \$0.000000996 is right$/,
      /^account A: its usage entries add up to \$0.000000007, its balance says \$0.000000006$/,
      /^usage record req_.* of A: the balance paid \$0.000000002, its ledger entry says \$0.000000003$/,
    ],
  },
  {
    what: 'an entry that belongs to another request',
    sql: `update ledger_entries set request_id = 'req_other' where account_id = 'A' and seq = 3`,
    says: [/^usage record req_\S+ of A: .*says \$0$/, /^usage record req_other of A: the balance paid \$0, its ledger/],
  },
  {
    what: 'a record that was taken out',
    sql: `delete from usage_records where account_id = 'A' and cost_nano = 3`,
    says: [
      /^usage record .* the balance paid \$0, its ledger entry says \$0.000000003$/,
      /^budget key:K:never:0: records charged \$0 /,
    ],
  },
  {
    what: 'a record with another cost',
    sql: `update usage_records set cost_nano = 9 where account_id = 'A' and cost_nano = 3`,
    says: [/^usage record req_\S+: it says a cost of \$0.000000009, its tokens and prices make \$0.000000003$/],
  },
  {
    what: 'a record with other tokens',
    sql: `update usage_records set output_tokens = 2000000 where account_id = 'A' and cost_nano = 3`,
    says: [/^usage record req_\S+: it says a cost of \$0.000000003, its tokens and prices make \$0.000000006$/],
  },
  {
    what: 'an account that lost its balance',
    sql: `update budgets set subject_id = 'B' where id = 'balance:A'`,
    says: [/^account A: it has no balance$/, /A/, /A/, /A/, /B/, /B/, /B/],
  },
]

describe.each(ENGINES)('the proof of the books on %s', (engine) => {
  let place: Place
  let store: Store

  // Account A with three requests, the last of which a quota counts too; and another account that nobody damages.
  beforeEach(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await fundedAccount(store, '1').then((other) => store.settlements.settle([aSettlement(other.id, 50n)]))
    const account = { id: 'A', email: 'a@x', role: 'user', status: 'active', createdAt: 1, isManaged: false } as const
    await store.accounts.create(account, null)
    const grant = { id: 'led_grant', accountId: 'A', createdAt: 1, kind: 'grant', reason: '', actor: 'cli' } as const
    await store.ledger.post({ ...grant, amount: nanoUsd(1_000n) })
    const lease = await leaseFor(store, balanceBudget('A'), { need: 100n })
    const quota = quotaOf('K', parseUsd('0.00000005'))
    const quotaLease = await leaseFor(store, quota, { need: 50n })
    const charged = { budgetId: quota.id, leaseId: quotaLease.id, cost: nanoUsd(3n) }
    await store.settlements.settle([1n, 2n].map((cost) => aSettlement('A', cost, { leaseId: lease.id })))
    await store.settlements.settle([aSettlement('A', 3n, { leaseId: lease.id, quota: charged })])
  })
  afterEach(() => place.leave())

  test('of sound books counts them and finds nothing', async () => {
    expect(await store.ledger.prove()).toEqual({
      accounts: 2,
      entries: 6,
      records: 4,
      charged: 56n,
      disagreements: [],
    })
  })

  test.each(DAMAGES)('names $what', async ({ sql, says }) => {
    await place.sql(sql)
    const { disagreements } = await store.ledger.prove()
    expect(disagreements).toHaveLength(says.length)
    for (const pattern of says) expect(disagreements).toContainEqual(expect.stringMatching(pattern))
  })

  test('sees one moment while others go on settling', async () => {
    const other = await place.open()
    const proving = { isOver: false }
    const settling = (async () => {
      while (!proving.isOver) await other.settlements.settle([aSettlement('A', 1n)])
    })()
    for (let i = 0; i < 5; i++) expect((await store.ledger.prove()).disagreements).toEqual([])
    proving.isOver = true
    await settling
  })

  test('reads books that are longer than one portion', async () => {
    for (let i = 0; i < 5; i++) {
      await store.settlements.settle(
        Array.from({ length: 500 }, () => aSettlement('A', 0n, { record: { balancePaid: nanoUsd(0n) } })),
      )
      await store.settlements.settle(Array.from({ length: 300 }, () => aSettlement('A', 1n)))
    }
    expect(await store.ledger.prove()).toMatchObject({ records: 4_004, entries: 1_506, disagreements: [] })
    await place.sql(`update usage_records set balance_paid_nano = 0 where account_id = 'A' and balance_paid_nano = 1`)
    expect((await store.ledger.prove()).disagreements).toHaveLength(100)
  })
})
