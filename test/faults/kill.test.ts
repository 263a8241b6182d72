import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { auditAnswers } from './audit-answers.ts'
import { auditMoney } from './audit-money.ts'
import { Chance, lengthOfRun, seedOfRun } from './chance.ts'
import { declareLoad } from './declared-load.ts'
import { type GatewayPlace, type GatewayProcess, runCommand, startGatewayProcess } from './gateway-process.ts'
import { grouped } from './grouped.ts'
import { Load } from './load.ts'
import { mixedOrders, type Order } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import { leasesOfOthers, readBooks } from './written-books.ts'

const LENGTH = lengthOfRun(process.env)
const TIMEOUT_MS = 120_000 * LENGTH
const ROUNDS = 6 * LENGTH
const PARALLEL = 40

test('what a client saw whole is in the books, whenever the gateway is killed', { timeout: TIMEOUT_MS }, async () => {
  const seed = seedOfRun(process.env, 'kill')
  const chance = new Chance(seed)
  const fake = await startFakeUpstream()
  onTestFinished(() => fake.close())
  const declared = await declareLoad(fake.url, chance)
  const { place } = declared
  const sightings: Sighting[] = []
  const killedAt: number[] = []
  const nextOrders = (name: string, count: number) =>
    mixedOrders(chance, { count, label: `kill-${seed}-${name}`, keys: declared.keys(), hangUpPercent: 10 })

  for (let round = 0; round < ROUNDS; round++) {
    const gateway = await startedUntilTheEnd(place)
    const proof = runCommand(place, 'check-ledger')
    const stop = { afterCount: chance.between(30, 400), afterMs: chance.between(0, 15), killedAt }
    sightings.push(...(await loadUntilEnded(gateway, nextOrders(`${round}`, 2_000), { ...stop, how: 'kill' })))
    // Begun beside a running gateway, which was killed meanwhile or not: it reads the books of one moment.
    expect.soft(await proof).toEqual(provenBooks)
  }
  const gateway = await startedUntilTheEnd(place)
  const afterwards = await new Load(nextOrders('again', 200), { origin: gateway.origin, parallel: PARALLEL }).run()
  sightings.push(...afterwards)
  expect(afterwards.filter(({ sawEnd }) => sawEnd).length).toBeGreaterThan(20)
  expect(leasesOfOthers(place.dataDirectory, gateway.processId), 'what the killed process held').toEqual([])

  const stop = { afterCount: 150, afterMs: 0, killedAt }
  const atTheEnd = await loadUntilEnded(gateway, nextOrders('end', 2_000), { ...stop, how: 'terminate' })
  sightings.push(...atTheEnd)
  expect(atTheEnd.filter((sighting) => wasLeftAlone(sighting, killedAt.at(-1) ?? 0))).toEqual([])
  expect(await runCommand(place, 'check-ledger')).toEqual(provenBooks)

  const books = readBooks(place.dataDirectory)
  const evidence = {
    sightings,
    books,
    served: fake.stats(),
    keys: declared.keys(),
    granted: declared.granted(),
    killedAt,
  }
  const disagreements = grouped([...auditAnswers(evidence), ...auditMoney(evidence)])
  expect(disagreements, `with seed ${seed}`).toEqual([])
  // Each kill met requests that were under way, and many had been served before.
  expect(sightings.filter(({ sawEnd }) => sawEnd).length).toBeGreaterThan(20 * ROUNDS)
  const cut = (moment: number) => sightings.some((one) => one.beganAt < moment && moment < one.endedAt)
  expect(killedAt.filter(cut)).toEqual(killedAt)
})

const provenBooks = {
  exitCode: 0,
  lines: expect.toSatisfy((lines: string[]) => lines.at(-1)?.startsWith('ok') === true, 'ok in the last line'),
}

/** Asks on and on, and ends the gateway in the middle of it. Answers what the clients saw. */
async function loadUntilEnded(
  gateway: GatewayProcess,
  orders: readonly Order[],
  stop: { how: 'kill' | 'terminate'; afterCount: number; afterMs: number; killedAt: number[] },
): Promise<readonly Sighting[]> {
  const load = new Load(orders, { origin: gateway.origin, parallel: PARALLEL })
  const sightings = load.run()
  await load.whenEnded(stop.afterCount)
  await pause(stop.afterMs)
  load.stop()
  stop.killedAt.push(performance.now())
  if (stop.how === 'kill') await gateway.kill()
  else expect(await gateway.terminate()).toBe(0)
  return sightings
}

async function startedUntilTheEnd(place: GatewayPlace): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(place)
  onTestFinished(() => gateway.kill())
  return gateway
}

/** A gateway that is told to stop answers everybody who had asked before. */
function wasLeftAlone({ beganAt, hungUp, status }: Sighting, toldAt: number): boolean {
  return beganAt < toldAt && !hungUp && status === null
}
