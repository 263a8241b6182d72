import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedGateway, attackedGateway, type Purse } from '../attacked-gateway.ts'
import { modelName, openModels } from '../money/open-models.ts'
import { readSettings } from '../settings.ts'
import { fuzzCase, type FuzzSource, type Sender } from './fuzz-case.ts'
import { FuzzConnection } from './fuzz-connection.ts'
import { type Flight, type FuzzReport, runFuzz } from './fuzz-run.ts'

const { fuzzCases, fuzzFrom, seed } = readSettings(process.env)
const CONNECTIONS = 64
/** Cases between two looks at the stalls: few enough to find the one that is behind a stall. */
const ROUND = 2_000
/** The promise: nothing that a stranger sends keeps the event loop from turning for longer. */
const STALL_MS = 50
/** The number of requests of one round that are sent again alone, each so often. */
const SUSPECTS = 200
const TRIES = 3
const HAS_CONSOLE = existsSync(new URL('../../../dist/console/index.html', import.meta.url))
const TIMEOUT_MS = 3 * 3_600_000

let gateway: AttackedGateway
let holder: Purse

beforeAll(async () => {
  gateway = await attackedGateway('sqlite', { TOLLGATE_TRUSTED_PROXIES: '127.0.0.1', TOLLGATE_LOG_LEVEL: 'info' })
  await openModels(gateway)
  holder = await gateway.purse('1000')
})
afterAll(() => gateway.close())

test(
  'nothing that a stranger sends breaks the gateway, or keeps it busy for longer than 50 ms at a time',
  { timeout: TIMEOUT_MS },
  async () => {
    // What is loaded and compiled when it is first used is not what a request costs: the pages of the API and the sign-in
    // take 150 and 220 ms once in the life of a process.
    for (const path of ['/api/docs', '/api/auth/session', '/console/'])
      await (await fetch(gateway.origin + path)).text()
    await fuzzAs('stranger', { from: 0, count: ROUND / 4 })
    await gateway.stalls()
    const stalls: string[] = []
    let worst = 0
    const total = await inRounds('stranger', async (flights) => {
      const report = await gateway.stalls()
      worst = Math.max(worst, report?.stalls[0]?.ms ?? 0)
      const long = (report?.stalls ?? []).filter(({ ms }) => ms > STALL_MS)
      for (const { ms, garbageMs } of long) {
        const place = `between the cases ${flights[0]?.index ?? 0} and ${flights.at(-1)?.index ?? 0}`
        console.log(`a turn of ${ms.toFixed(0)} ms ${place}, ${garbageMs.toFixed(0)} ms of it collecting garbage`)
      }
      const isSuspect = ({ from, to }: Flight): boolean =>
        long.some(({ ms, endedAt }) => from <= endedAt && to >= endedAt - ms * 4)
      stalls.push(...(await culprits(flights.filter(isSuspect).slice(0, SUSPECTS))))
    })
    console.log(`longest turn of the event loop: ${worst.toFixed(1)} ms of processor time`, total.counts)
    expect(total.failures).toEqual([])
    expect(stalls).toEqual([])
  },
)

test('nothing that the holder of a key sends breaks the gateway', { timeout: TIMEOUT_MS }, async () => {
  const total = await inRounds('holder', async () => {})
  console.log('holder of a key', total.counts)
  expect(total.failures).toEqual([])
})

test('after all of it the gateway serves, has said nothing of an error of its own, and its books are exact', async () => {
  const answer = await fetch(`${gateway.origin}/healthz`)
  expect(answer.status).toBe(200)
  expect(gateway.process?.printed() ?? '').not.toMatch(/"level":"(error|fatal)"|"level":(50|60)|fault":"internal"/)
  expect(await gateway.checkLedger()).toBeNull()
})

function sourceOf(sender: Sender): FuzzSource {
  return { seed, sender, secret: holder.secret, model: modelName(gateway.prefix, 'plain'), hasConsole: HAS_CONSOLE }
}

function fuzzAs(sender: Sender, { from, count }: { from: number; count: number }, landed?: (flight: Flight) => void) {
  const about = { ...sourceOf(sender), origin: gateway.origin, from, count, connections: CONNECTIONS }
  return runFuzz(landed === undefined ? about : { ...about, landed })
}

/** Half of all cases. */
async function inRounds(sender: Sender, after: (flights: readonly Flight[]) => Promise<void>): Promise<FuzzReport> {
  const counts = new Map<string, number>()
  const failures: string[] = []
  const all = Math.floor(fuzzCases / 2)
  const end = fuzzFrom + all
  for (let from = fuzzFrom; from < end; from += ROUND) {
    const flights: Flight[] = []
    const part = await fuzzAs(sender, { from, count: Math.min(ROUND, end - from) }, (flight) => flights.push(flight))
    for (const [name, count] of part.counts) counts.set(name, (counts.get(name) ?? 0) + count)
    failures.push(...part.failures)
    await after(flights)
  }
  return { sent: all, counts, failures }
}

/** The suspects that stall the gateway alone: many at once, or a collection of garbage, are not one sender's doing. */
async function culprits(suspects: readonly Flight[]): Promise<string[]> {
  const source = sourceOf('stranger')
  const connection = new FuzzConnection(gateway.origin)
  const found: string[] = []
  for (const { index } of suspects) {
    const one = fuzzCase(index, source)
    let least = Infinity
    for (let tries = 0; tries < TRIES; tries++) {
      await gateway.stalls()
      await connection.send(one.bytes, one)
      least = Math.min(least, (await gateway.stalls())?.stalls[0]?.ms ?? 0)
    }
    if (least > STALL_MS)
      found.push(`${least.toFixed(0)} ms: seed ${seed}, case ${index}: ${one.bytes.toString('latin1', 0, 200)}`)
  }
  connection.close()
  return found
}
