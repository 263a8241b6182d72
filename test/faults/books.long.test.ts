import { expect, onTestFinished, test } from 'vitest'
import { askForAll } from './ask-for-all.ts'
import { audit } from './audit.ts'
import { Chance, lengthOfRun, seedOfRun } from './chance.ts'
import type { Evidence } from './evidence.ts'
import { Load } from './load.ts'
import { type LoadedGateway, loadedGateway, REQUESTS_ARE_GIVEN_MS } from './loaded-gateway.ts'
import { mixedOrders } from './orders.ts'

const LENGTH = lengthOfRun(process.env)
const TIMEOUT_MS = 300_000 * LENGTH
const CENT = 10_000_000n

test(
  'clients, upstream, records, ledger and balances tell the same story after a mixed load',
  async () => {
    const seed = seedOfRun(process.env, 'mixed load')
    const loaded = await loadedGateway()
    onTestFinished(() => loaded.close())
    await openMixedAccounts(loaded, BigInt(LENGTH))
    const orders = mixedOrders(new Chance(seed), {
      count: 2_000 * LENGTH,
      label: `mixed-${seed}`,
      keys: loaded.keys,
      hangUpPercent: 25,
    })
    const { origin } = loaded.gateway
    const sightings = [...(await new Load(orders, { origin, parallel: 50 }).run())]
    for (const accountId of new Set(loaded.keys.map((key) => key.accountId))) await loaded.credit(accountId, 5n * CENT)
    for (const key of loaded.keys) {
      const tries = await askForAll(key, { left: () => loaded.left(key), origin, label: `all-of-${key.id}` })
      if (tries.length > 0) expect.soft(tries.at(-1)?.status, `key ${key.id} may spend all that is left`).toBe(200)
      sightings.push(...tries)
    }
    const evidence = await loaded.comeToRest(sightings)
    expect([...evidence.disagreements, ...audit(evidence)], `with seed ${seed}`).toEqual([])
    expect(tally(evidence)).toEqual(everythingHappened)
    expect(evidence.drainedInMs, 'no request is left when all clients are gone').toBeLessThan(REQUESTS_ARE_GIVEN_MS)
  },
  TIMEOUT_MS,
)

/** Rich and poor, with quotas that run out and one that never gets there, in groups of two multipliers. */
async function openMixedAccounts(loaded: LoadedGateway, length: bigint): Promise<void> {
  const rich = await loaded.openAccount(900n * CENT * length)
  await loaded.openKey(rich, { isRich: true })
  await loaded.openKey(rich, { quota: 5n * CENT * length })
  await loaded.openKey(rich, { isRich: true, quota: 500n * CENT * length, quotaReset: 'monthly' })
  const dear = await loaded.openAccount(1_300n * CENT * length)
  await loaded.openKey(dear, { isDear: true, isRich: true })
  await loaded.openKey(dear, { isDear: true, quota: 8n * CENT * length, quotaReset: 'daily' })
  const poor = await loaded.openAccount(12n * CENT * length)
  await loaded.openKey(poor)
  await loaded.openKey(poor)
  const edge = await loaded.openAccount(16n * CENT * length)
  await loaded.openKey(edge)
  await loaded.openKey(edge, { isDear: true, quota: 7n * CENT * length })
}

/** How often the things happened that the load is there for: a load in which they didn't proves nothing. */
function tally({ books, sightings }: Evidence) {
  const count = (outcome: string) => books.records.filter((record) => record.outcome === outcome).length
  const aborted = books.records.filter((record) => record.outcome === 'aborted')
  const refusals = Map.groupBy(sightings, ({ fault }) => fault)
  return {
    completed: count('completed'),
    failed: count('failed'),
    refusedForBalance: refusals.get('balance_exhausted')?.length ?? 0,
    refusedForQuota: refusals.get('key_quota_exhausted')?.length ?? 0,
    abortedAndPaid: aborted.filter(({ cost_nano }) => cost_nano > 0n).length,
    abortedForNothing: aborted.filter(({ cost_nano }) => cost_nano === 0n).length,
    estimated: books.records.filter(({ usage_source }) => usage_source === 'estimated').length,
    triedTwice: books.records.filter(({ attempts_json }) => (attempts_json.match(/"fault"/g) ?? []).length > 1).length,
    brokenStreams: sightings.filter((one) => one.status === 200 && !one.sawEnd && !one.hungUp).length,
  }
}

const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least, `at least ${least}`)
const everythingHappened = {
  completed: atLeast(300),
  failed: atLeast(120),
  refusedForBalance: atLeast(30),
  refusedForQuota: atLeast(30),
  abortedAndPaid: atLeast(15),
  abortedForNothing: atLeast(2),
  estimated: atLeast(30),
  triedTwice: atLeast(10),
  brokenStreams: atLeast(15),
}
