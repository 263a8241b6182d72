import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { nanoUsd, ONE_PPM } from '../../../src/core/money.ts'
import { NO_TOKENS } from '../../../src/core/tokens.ts'
import { balanceBudget } from '../../../src/metering/budgets/budget.ts'
import type { Settlement } from '../../../src/metering/settle/settlement.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { inFolder, readFlags } from '../../command.ts'
import { settlementOf, STREAMED } from '../../settlement.ts'

const BATCHES_PER_PASS = 100
const AMPLE = nanoUsd(1_000_000_000_000_000n)
const COST = nanoUsd(7_654_321n)
const PRICES = {
  input: nanoUsd(2_500_000_000n),
  output: nanoUsd(10_000_000_000n),
  cacheRead: nanoUsd(250_000_000n),
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

interface Payer {
  readonly accountId: string
  readonly keyId: string
  readonly leaseId: string
}

interface Setting {
  readonly accounts: number
  readonly batch: number
  readonly passes: number
  readonly 'without-journal': boolean
}

/**
 * What a settlement costs: one record, one ledger entry and one charge to a balance, in batches, on a database file.
 * `npm run bench -- run --only settle --accounts 20 --batch 100 --passes 10 [--url postgres://…] [--without-journal]`. Prints
 * microseconds of CPU for each settlement: on the main thread, and on all other threads together; the best pass counts, as
 * others share the machine.
 */
export async function measureSettlements(argv: readonly string[]): Promise<true> {
  const flags = readFlags(argv, { accounts: 20, batch: 100, passes: 10, url: null, 'without-journal': false })
  await inFolder('settle', async (directory) => {
    const store = await openStore({ databaseUrl: flags.url, dataDirectory: directory, clock: systemClock })
    try {
      await measure(store, flags)
      if (flags.url !== null) return
      const { size } = await stat(join(directory, 'tollgate.db'))
      console.log(`database file: ${(size / 1e6).toFixed(1)} MB`)
    } finally {
      await store.close()
    }
  })
  return true
}

async function measure(on: Store, setting: Setting): Promise<void> {
  const { accounts, batch: size, passes } = setting
  const payers: Payer[] = []
  for (let i = 0; i < accounts; i++) payers.push(await payer(on))
  let best = { main: Infinity, others: Infinity, wall: Infinity }
  // The first pass warms up.
  for (let pass = 0; pass <= passes; pass++) {
    const batches = Array.from({ length: BATCHES_PER_PASS }, () => batchOf(payers, size))
    const cost = await passOver(on, batches, !setting['without-journal'])
    const each = BATCHES_PER_PASS * size
    if (pass > 0 && cost.main + cost.others < best.main + best.others) best = cost
    if (pass > 0) console.log(line(`pass ${pass}`, cost, each))
    if (pass === passes) console.log(line('best', best, each))
  }
}

async function passOver(on: Store, batches: readonly (readonly Settlement[])[], mayJournal: boolean) {
  const mainBefore = process.threadCpuUsage()
  const allBefore = process.cpuUsage()
  const started = performance.now()
  for (const batch of batches) await on.settlements.settle(batch, { mayJournal })
  // What still stands in the journal belongs to the cost.
  await on.usage.record('')
  const wall = (performance.now() - started) * 1000
  const main = process.threadCpuUsage(mainBefore)
  const all = process.cpuUsage(allBefore)
  const mainMicros = main.user + main.system
  return { main: mainMicros, others: all.user + all.system - mainMicros, wall }
}

function line(name: string, cost: { main: number; others: number; wall: number }, settlements: number): string {
  const each = (micros: number) => (micros / settlements).toFixed(1).padStart(6)
  return `${name.padEnd(8)} main thread ${each(cost.main)} µs, other threads ${each(cost.others)} µs, wall clock ${each(cost.wall)} µs`
}

async function payer(on: Store): Promise<Payer> {
  const nowMs = Date.now()
  const accountId = newId('acc', nowMs)
  const account = { id: accountId, email: `${accountId}@example.test`, role: 'user', status: 'active' } as const
  await on.accounts.create({ ...account, createdAt: nowMs, isManaged: false }, null)
  const grant = { id: newId('led', nowMs), accountId, createdAt: nowMs, kind: 'grant', amount: AMPLE } as const
  await on.ledger.post({ ...grant, reason: 'bench', actor: 'bench' })
  const answer = await on.leases.grant({
    nodeId: 'nod_bench',
    budget: balanceBudget(accountId),
    newLeaseId: newId('lse', nowMs),
    need: nanoUsd(1n),
    want: AMPLE,
    forRequest: null,
    nowMs,
  })
  if (answer.kind === 'refused') throw new Error('the bench account has no money')
  return { accountId, keyId: newId('key', nowMs), leaseId: answer.lease.id }
}

function batchOf(payers: readonly Payer[], size: number): Settlement[] {
  return Array.from({ length: size }, () => {
    const picked = payers[Math.floor(Math.random() * payers.length)]
    if (picked === undefined) throw new Error('no accounts')
    return paidBy(picked)
  })
}

function paidBy({ accountId, keyId, leaseId }: Payer): Settlement {
  const nowMs = Date.now()
  const model = 'gpt-5.5'
  const group = { groupId: 'grp_0000000000aaaaaaaaaaaaaaaa', groupName: 'default' }
  const asked = { id: newId('req', nowMs), createdAt: nowMs, accountId, keyId, keyName: 'laptop', ...group, model }
  return settlementOf(
    { ...asked, ...STREAMED },
    {
      tokens: { ...NO_TOKENS, input: 1234, cacheRead: 100, output: 432, reasoning: 20 },
      prices: PRICES,
      multiplier: ONE_PPM,
      cost: COST,
      totalMs: 845,
      leaseId,
    },
  )
}
