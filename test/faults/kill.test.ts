import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { auditAnswers } from './audit-answers.ts'
import { auditMoney } from './audit-money.ts'
import { Chance, lengthOfRun, seedOfRun } from './chance.ts'
import { declareLoad } from './declared-load.ts'
import { type GatewayPlace, type GatewayProcess, runCommand, startGatewayProcess } from './gateway-process.ts'
import { Load } from './load.ts'
import { mixedOrders, type Order } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import { leasesOfOthers, readBooks } from './written-books.ts'

const ROUNDS = 5
const PARALLEL = 40
const LOOK_MS = 250
const GIVEN_BACK_WITHIN_MS = 40_000

test('what a client saw whole is in the books, whenever the gateway is killed', { timeout: 240_000 }, async () => {
  const seed = seedOfRun(process.env, 'kill')
  const rounds = ROUNDS * lengthOfRun(process.env)
  const chance = new Chance(seed)
  const fake = await startFakeUpstream()
  onTestFinished(() => fake.close())
  const declared = await declareLoad(fake.url, chance)
  const { place } = declared
  const sightings: Sighting[] = []
  const killedAt: number[] = []

  let gateway = await startedUntilTheEnd(place)
  const keys = declared.keys()
  for (let round = 0; round < rounds; round++) {
    const orders = mixedOrders(chance, { count: 5_000, label: `kill-${seed}-${round}`, keys, hangUpPercent: 10 })
    const before = round === 0 ? null : runCommand(place, 'check-ledger')
    sightings.push(...(await loadUntilKilled(gateway, orders, { afterMs: chance.between(250, 1_500), killedAt })))
    // It was started beside a gateway that was killed under it, and reads the books of one moment all the same.
    expect.soft(await before).toEqual(round === 0 ? null : provenBooks)
    gateway = await startedUntilTheEnd(place)
  }
  const last = mixedOrders(chance, { count: 400, label: `kill-${seed}-last`, keys, hangUpPercent: 10 })
  const afterwards = await new Load(last, { origin: gateway.origin, parallel: PARALLEL }).run()
  sightings.push(...afterwards)
  expect(afterwards.filter(({ sawEnd }) => sawEnd).length).toBeGreaterThan(100)

  const givenBackBy = (killedAt.at(-1) ?? 0) + GIVEN_BACK_WITHIN_MS
  await untilGivenBack(place, { processId: gateway.processId, deadline: givenBackBy })
  expect(await gateway.terminate()).toBe(0)
  expect(await runCommand(place, 'check-ledger')).toEqual(provenBooks)
  const books = readBooks(place.dataDirectory)
  const evidence = { sightings, books, served: fake.stats(), keys, granted: declared.granted(), killedAt }
  const disagreements = [...auditAnswers(evidence), ...auditMoney(evidence)].slice(0, 40)
  expect(disagreements, `with seed ${seed}`).toEqual([])
  expect(sightings.filter(({ sawEnd }) => sawEnd).length).toBeGreaterThan(100 * rounds)
})

const provenBooks = {
  exitCode: 0,
  lines: expect.toSatisfy((lines: string[]) => lines.at(-1)?.startsWith('ok') === true, 'ok in the last line'),
}

/** Asks on and on, and kills the gateway in the middle of it. Answers what the clients saw until they were all cut. */
async function loadUntilKilled(
  gateway: GatewayProcess,
  orders: readonly Order[],
  about: { afterMs: number; killedAt: number[] },
): Promise<readonly Sighting[]> {
  const load = new Load(orders, { origin: gateway.origin, parallel: PARALLEL })
  const sightings = load.run()
  await pause(about.afterMs)
  load.stop()
  about.killedAt.push(performance.now())
  await gateway.kill()
  return sightings
}

async function startedUntilTheEnd(place: GatewayPlace): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(place)
  onTestFinished(() => gateway.kill())
  return gateway
}

/** Fulfils when no killed process holds anything any more. */
async function untilGivenBack(place: GatewayPlace, about: { processId: number; deadline: number }): Promise<void> {
  for (;;) {
    const held = leasesOfOthers(place.dataDirectory, about.processId)
    if (held.length === 0) return
    if (performance.now() > about.deadline) throw new Error(`${held.length} leases of killed processes are still held`)
    await pause(LOOK_MS)
  }
}
