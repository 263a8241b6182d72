/**
 * A process of its own on a database: `node window-process.ts <directory> <database URL or nothing> <node> <key id>`. It
 * writes `ready`; for each line `<need> <time>` on its standard input it asks for a grant from the key's 5-hour window, and
 * writes the row that was granted from, or `refused`.
 */
import { createInterface } from 'node:readline'
import { nanoUsd } from '../../src/core/money.ts'
import { keySpendBudget } from '../../src/metering/budgets/budget.ts'
import { openStore } from '../../src/store/open-store.ts'
import { grant, noonClock } from './store-fixtures.ts'

const [directory = '', databaseUrl = '', nodeId = '', keyId = ''] = process.argv.slice(2)
const store = await openStore({ databaseUrl: databaseUrl || null, dataDirectory: directory, clock: noonClock })
const budget = keySpendBudget(keyId, nanoUsd(1_000n), '5h')
console.log('ready')
for await (const line of createInterface(process.stdin)) {
  const [need = '0', nowMs = '0'] = line.split(' ')
  const answer = await grant(store, budget, { need: BigInt(need), nodeId, nowMs: Number(nowMs) })
  console.log(answer.kind === 'granted' ? answer.lease.budgetId : answer.kind)
}
await store.close()
