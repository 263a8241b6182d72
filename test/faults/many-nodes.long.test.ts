import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { ENGINES, type Place } from '../conformance/store-under-test.ts'
import { type GatewayProcess, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'
import { Load } from './load.ts'
import { MENU } from './menu.ts'
import { freeze, QUICK_MODEL, sharedDatabase } from './nodes-on-one-database.ts'
import type { LoadKey, Order } from './orders.ts'
import { type Sighting, watch } from './watching-client.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const TIMEOUT_MS = 600_000
/** About as long as a frozen node stays frozen here, and some seconds more. */
const LONG_STREAM = 'fake/slow-chunks?chunks=450&delay_ms=100'
/** What needs no life to pass is there well before one has, even on a busy machine. */
const BEFORE_A_LIFE_ENDS_MS = 20_000
/** A life, without the time since the last beat before it froze. */
const BURIED_AFTER_MS = 24_000
const POOR_USD = '0.03'
const POOR_NANO = 30_000_000n
/**
 * The fake upstream counts input by the bytes of the body that it gets, and the gateway adds `stream_options` to that of a
 * stream: 41 bytes are 14 tokens at 2,500 nano-USD, which nothing is held for. The last request of an account may cost them.
 */
const ADDED_NANO = 14n * 2_500n

/** All of what follows on both engines at once: most of it is waiting for a life to pass. */
test.concurrent.for(ENGINES)(
  'of several gateways on one %s, one is killed and one freezes: nothing stays held, nothing is spent twice',
  { timeout: TIMEOUT_MS },
  async (engine, { expect, onTestFinished }) => {
    const fake = await startFakeUpstream()
    onTestFinished(() => fake.close())
    const shared = await sharedDatabase(engine, {
      upstreamUrl: fake.url,
      balances: { rich: '100', doomed: '100', poor: POOR_USD },
      models: [QUICK_MODEL, LONG_STREAM],
    })
    const { place, environment } = shared
    onTestFinished(() => place.leave())
    const [rich, poor, doomed] = [shared.key('rich'), shared.key('poor'), shared.key('doomed')]
    const start = async () => {
      const gateway = await startGatewayProcess(environment)
      onTestFinished(() => gateway.kill())
      return gateway
    }
    const [staying, frozen, killed] = [await start(), await start(), await start()]
    const look = new Looking(place)
    const sightings: Sighting[] = []
    expect(await look.nodes()).toHaveLength(3)

    // One is killed in the middle of its work.
    const killedNode = await look.nodeOf(killed)
    const cut = await stream(killed, rich)
    await expect.poll(() => look.isNoted(cut.id)).toBe(true)
    const loads = [staying, frozen, killed].map((gateway, index) => loadOn(gateway, [rich, poor], `early-${index}`))
    await Promise.all(loads.map(({ load }) => load.whenEnded(25)))
    await killed.kill()
    for (const { load } of loads) load.stop()
    for (const { run } of loads) sightings.push(...(await run))
    await expect.poll(() => look.leftOf(killedNode), { timeout: BEFORE_A_LIFE_ENDS_MS }).toEqual(nothing)
    expect(await look.outcome(cut.id)).toBe('interrupted')

    // One freezes: with money in its hands, and streams under way.
    const frozenNode = await look.nodeOf(frozen)
    const goesOn = await stream(frozen, rich)
    const revoked = await stream(frozen, doomed)
    await expect.poll(() => look.isNoted(revoked.id)).toBe(true)
    // Another node may hold what is left of the poor account until it has been idle for a while.
    await expect.poll(() => status(frozen, poor), { timeout: PATIENCE_MS }).toBe(200)
    const frozenAt = await freeze(frozen, place)
    expect(await look.heldFor(frozenNode, 'poor'), 'what the frozen node holds of the poor account').toBeGreaterThan(0n)

    // Meanwhile the others serve, and a key is disabled: that waits for the frozen node until it can serve no more.
    const doomedId = await look.keyId('doomed')
    const disabling = runTollgate(environment, ['key', 'disable', doomedId])
    await expect.poll(() => status(staying, doomed)).toBe(401)
    expect(await status(staying, rich)).toBe(200)
    await expect.poll(() => look.leftOf(frozenNode), { timeout: PATIENCE_MS, interval: 250 }).toEqual(nothing)
    const buriedAfterMs = performance.now() - frozenAt
    expect(buriedAfterMs).toBeGreaterThan(BURIED_AFTER_MS)
    expect(await look.outcome(goesOn.id)).toBe('interrupted')
    expect(await disabling).toMatchObject({ code: 0 })
    sightings.push(...(await spendAll(staying, poor)))

    // What the frozen node finds when it wakes up came before it could hear of anything.
    const waking = [poor, poor, poor, doomed, doomed, poor, doomed].map((key) => status(frozen, key))
    await pause(200)
    process.kill(frozen.processId, 'SIGCONT')
    expect((await Promise.all(waking)).filter((each) => each === 200)).toEqual([])
    await expect.poll(() => status(frozen, rich)).toBe(200)
    expect([await status(frozen, doomed), await status(frozen, poor)]).toEqual([401, 402])
    expect(await revoked.sawEnd, 'the stream of the key that was disabled meanwhile').toBe(false)
    expect(await goesOn.sawEnd, 'the stream of the other key').toBe(true)
    await expect.poll(() => look.outcome(goesOn.id)).toBe('completed')
    expect(await look.nodes()).toHaveLength(2)
    expect(await look.nodeOf(frozen)).not.toBe(frozenNode)

    // At rest.
    expect(await Promise.all([staying.stop(), frozen.stop()])).toEqual([0, 0])
    expect(await look.atRest()).toEqual({ nodes: 0n, leases: 0n, open: 0n, held: 0n })
    const proof = await runTollgate(environment, ['check-ledger'])
    expect([proof.code, proof.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringMatching(/^ok/)])
    expect(
      await look.spentBy('poor'),
      'no node spent what it had not, by a lease that was given to another',
    ).toBeLessThanOrEqual(POOR_NANO + ADDED_NANO)
    const completed = await look.completed()
    const lost = sightings.filter(({ sawEnd, requestId }) => sawEnd && !completed.has(requestId ?? ''))
    expect(lost, 'answers that a client saw whole and that are not in the books').toEqual([])
    expect(sightings.filter(({ sawEnd }) => sawEnd).length).toBeGreaterThan(75)
  },
)

const nothing = { isRegistered: false, leases: 0n, open: 0n }

/** Looks into the database, past the gateways. */
class Looking {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  async nodes(): Promise<readonly unknown[]> {
    return this.#place.sql('select id from nodes')
  }

  async nodeOf({ processId }: GatewayProcess): Promise<string> {
    return String(await this.#one(`select id as it from nodes where process_id = ${processId}`))
  }

  async leftOf(nodeId: string): Promise<typeof nothing> {
    return {
      isRegistered: (await this.#one(`select count(*) as it from nodes where id = '${nodeId}'`)) !== 0n,
      leases: await this.#count(`leases where node_id = '${nodeId}'`),
      open: await this.#count(`open_requests where node_id = '${nodeId}'`),
    }
  }

  async isNoted(requestId: string): Promise<boolean> {
    return (await this.#count(`open_requests where id = '${requestId}'`)) > 0n
  }

  outcome(requestId: string): Promise<unknown> {
    return this.#one(`select outcome as it from usage_records where id = '${requestId}'`)
  }

  async keyId(name: string): Promise<string> {
    return String(await this.#one(`select id as it from api_keys where name = '${name}'`))
  }

  async heldFor(nodeId: string, name: string): Promise<bigint> {
    const held = `case when granted_nano > charged_nano then granted_nano - charged_nano else 0 end`
    const [row] = await this.#place.sql(
      `select cast(coalesce(sum(${held}), 0) as bigint) as it from leases where node_id = '${nodeId}'
       and budget_id in (select 'balance:' || id from accounts where email = '${name}@example.test')`,
    )
    return BigInt(String(row?.['it']))
  }

  async spentBy(name: string): Promise<bigint> {
    const accounts = `select id from accounts where email = '${name}@example.test'`
    const spent = `select cast(sum(cost_nano) as bigint) as it from usage_records where account_id in (${accounts})`
    return BigInt(String(await this.#one(spent)))
  }

  async completed(): Promise<ReadonlySet<string>> {
    const rows = await this.#place.sql(`select id from usage_records where outcome = 'completed'`)
    return new Set(rows.map((row) => String(row['id'])))
  }

  async atRest() {
    return {
      nodes: await this.#count('nodes'),
      leases: await this.#count('leases'),
      open: await this.#count('open_requests'),
      held: await this.#count('budgets where held_nano <> 0'),
    }
  }

  async #count(from: string): Promise<bigint> {
    return BigInt(String(await this.#one(`select count(*) as it from ${from}`)))
  }

  async #one(statement: string): Promise<unknown> {
    return (await this.#place.sql(statement))[0]?.['it']
  }
}

function ask(gateway: GatewayProcess, key: LoadKey, body: object): Promise<Response> {
  return fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Who goes there?' }], max_tokens: 100, ...body }),
  })
}

async function status(gateway: GatewayProcess, key: LoadKey): Promise<number> {
  const response = await ask(gateway, key, { model: QUICK_MODEL })
  await response.arrayBuffer()
  return response.status
}

async function stream(
  gateway: GatewayProcess,
  key: LoadKey,
): Promise<{ readonly id: string; readonly sawEnd: Promise<boolean> }> {
  const response = await ask(gateway, key, { model: LONG_STREAM, stream: true, max_tokens: 20_000 })
  const sawEnd = response.text().then(
    (text) => text.includes('data: [DONE]'),
    () => false,
  )
  return { id: response.headers.get('x-request-id') ?? '', sawEnd }
}

/** Clients that ask on and on. */
function loadOn(gateway: GatewayProcess, keys: readonly LoadKey[], label: string) {
  const load = new Load(quickOrders(keys, label), { origin: gateway.origin, parallel: 4 })
  return { load, run: load.run() }
}

const ORDERS_LIMIT = 5_000

function* quickOrders(keys: readonly LoadKey[], label: string): Iterable<Order> {
  const model = MENU.find(({ name }) => name === QUICK_MODEL)
  for (let index = 0; index < ORDERS_LIMIT; index++) {
    const key = keys[index % keys.length]
    if (model === undefined || key === undefined) return
    const form = { wire: 'openai-chat', isStream: index % 3 !== 0 } as const
    const messages = [{ role: 'user', content: `Question ${index}: who goes there, and what does the toll cost?` }]
    const body = Buffer.from(JSON.stringify({ model: QUICK_MODEL, stream: form.isStream, max_tokens: 100, messages }))
    yield { tag: `${label}-${index}`, form, model, key, body, hangUp: null }
  }
}

/** Asks until nothing can be paid any more. */
async function spendAll({ origin }: GatewayProcess, key: LoadKey): Promise<readonly Sighting[]> {
  const agent = new Agent({ keepAlive: true })
  const sightings: Sighting[] = []
  for (const order of quickOrders([key], 'all')) {
    const sighting = await watch(order, { origin, agent })
    sightings.push(sighting)
    if (sighting.status === 402) break
  }
  agent.destroy()
  return sightings
}
