/**
 * A process of its own on an embedded database: `node store-process.ts <directory> <account id> <how often>`. It settles one
 * nano-USD at a time, each from its own lease, through the journal and past it, and writes a line with the request's id once
 * that is durable. The lines
 * `limit <bytes>` and `no limit` on its standard input bound the size of its files, as a full disk would.
 */
import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { newId } from '../../src/core/ids.ts'
import { balanceBudget } from '../../src/metering/budgets/budget.ts'
import { openStore } from '../../src/store/open-store.ts'
import { aSettlement, leaseFor, noonClock } from './store-fixtures.ts'

const [directory = '', accountId = '', times = '0'] = process.argv.slice(2)
const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
if (Number(times) > 0) {
  const nodeId = newId('nod', Date.now())
  const lease = await leaseFor(store, balanceBudget(accountId), { need: 100_000n, nodeId })
  const commands = createInterface(process.stdin).on('line', obey)
  for (let i = 0; i < Number(times); i++) {
    const settlement = aSettlement(accountId, 1n, { leaseId: lease.id })
    await store.settlements.settle([settlement], { mayJournal: i % 3 > 0 }).then(
      () => console.log(settlement.record.id),
      (error: unknown) => console.log(`failed: ${String(error)}`),
    )
  }
  commands.close()
  await store.leases.closeOfNodes([nodeId])
}
await store.close()

function obey(command: string): void {
  const bytes = /^limit (\d+)$/.exec(command)?.[1] ?? 'unlimited'
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
}
