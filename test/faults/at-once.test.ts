import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENGINES } from '../conformance/store-under-test.ts'
import { inSuite } from '../support/run/suite.ts'
import { audit } from './audit.ts'
import { beyondHold } from './audit-caps.ts'
import { expectedCost } from './expected-charge.ts'
import { Load } from './load.ts'
import { type LoadedGateway, loadedGateway } from './loaded-gateway.ts'
import { FORMS, MENU, type MenuModel } from './menu.ts'
import type { LoadKey, LoadLimits, Order } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

const CENT = 10_000_000n
const MUCH = 500n * CENT
const REQUESTS = inSuite({ long: 1_000, short: 100 })
/** An answer has 5,000 tokens, half a cent. */
const OUTPUT_LIMIT = 8_000

interface Purse {
  readonly purse: string
  readonly fault: string
  readonly status: number
  readonly balance: bigint
  readonly quota?: bigint
  readonly limits?: LoadLimits
}

const PURSES: readonly Purse[] = [
  { purse: 'the balance of an account', fault: 'balance_exhausted', status: 402, balance: CENT },
  { purse: 'the quota of a key', fault: 'key_quota_exhausted', status: 402, balance: MUCH, quota: CENT },
  {
    purse: 'the spend window of a key',
    fault: 'rate_limited',
    status: 429,
    balance: MUCH,
    limits: { spend: [{ window: '5h', usd: CENT }] },
  },
  {
    purse: 'the window of a subscription without a balance beside it',
    fault: 'subscription_quota_exhausted',
    status: 402,
    balance: 0n,
    limits: { subscription: [{ window: '5h', usd: CENT }] },
  },
]
const CASES = PURSES.flatMap((purse) => [true, false].map((isStream) => ({ ...purse, isStream })))

describe.each(ENGINES)(`of ${REQUESTS} requests at once on %s`, (engine) => {
  let loaded: LoadedGateway
  const sightings: Sighting[] = []
  const keys: { readonly key: LoadKey; readonly what: string }[] = []

  beforeAll(async () => {
    loaded = await loadedGateway(engine)
  })
  afterAll(() => loaded.close())

  // What differs between the engines is how a step and a whole are granted, and not whose they are.
  const cases = CASES.filter(({ isStream, fault }) => engine === 'sqlite' || isStream || fault === 'balance_exhausted')

  test.for(cases)(
    'as many are served as a cent pays for, where $purse has no more, and the rest is refused for it (streamed: $isStream)',
    { timeout: 300_000 },
    async ({ purse, fault, status, balance, quota, limits, isStream }) => {
      const account = await loaded.openAccount(balance, limits?.subscription)
      const options = { ...(quota === undefined ? {} : { quota }), ...(limits === undefined ? {} : { limits }) }
      const key = await loaded.openKey(account, options)
      keys.push({ key, what: `${purse}, streamed: ${isStream}` })
      const orders = equalOrders(key, isStream)
      const seen = await new Load(orders, { origin: loaded.gateway.origin, parallel: REQUESTS }).run()
      sightings.push(...seen)
      const served = seen.filter(({ sawEnd }) => sawEnd)
      const refused = seen.filter((one) => one.status === status && one.fault === fault)
      expect(served.length + refused.length).toBe(REQUESTS)
      // What is held for each of them is in no other request's way: as many are served as the cent can cover at once.
      expect(served.length).toBeGreaterThanOrEqual(Number(CENT / heldFor(orders[0])))
      // And some of the streams began with less, and had to end where the money did.
      if (isStream) expect(served.filter(({ cutShortAfter }) => cutShortAfter !== null).length).toBeGreaterThan(0)
    },
  )

  test('nothing is spent twice: each cent is spent, and no more than that', { timeout: 300_000 }, async () => {
    const evidence = await loaded.comeToRest(sightings)
    expect([...evidence.disagreements, ...audit(evidence)]).toEqual([])
    expect(keys).toHaveLength(cases.length)
    for (const { key, what } of keys) {
      const records = evidence.books.records.filter((record) => record.key_id === key.id)
      const spent = records.reduce((sum, record) => sum + record.cost_nano, 0n)
      expect(spent, `${what}: ${chargesOf(records)}`).toBeLessThanOrEqual(CENT)
      expect(spent, what).toBeGreaterThan(CENT / 3n)
    }
    // The audit explains what is beyond a limit; of this model it need not explain anything.
    const byTag = new Map(sightings.map((sighting) => [sighting.order.tag, sighting]))
    const beyond = evidence.books.records.flatMap((record) => {
      const sighting = byTag.get(record.client ?? '')
      return sighting === undefined ? [] : [beyondHold(sighting, record, evidence)]
    })
    for (const one of beyond) expect(one).toBe(0n)
  })
})

function chargesOf(records: readonly WrittenRecord[]): string {
  const charged = records.filter(({ cost_nano: cost }) => cost > 0n)
  return charged.map((one) => `${one.cost_nano} for ${one.output_tokens} tokens, ${one.usage_source}`).join('; ')
}

function lowPriced(): MenuModel {
  const found = MENU.find(({ prices, answerBytes }) => prices.output === 1_000_000_000n && answerBytes === 30_000)
  if (found === undefined) throw new Error('the menu lacks what this test asks for')
  return found
}

function costOf(input: number, output: number): bigint {
  const { prices } = lowPriced()
  const none = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, reasoning: null }
  const dearest = { ...prices, input: prices.cacheWrite ?? prices.input }
  return expectedCost({ ...none, input: BigInt(input), output: BigInt(output) }, dearest, 1_000_000n)
}

function equalOrders(key: LoadKey, isStream: boolean): Order[] {
  const model = lowPriced()
  const form = FORMS.find((one) => one.wire === 'anthropic-messages' && one.isStream === isStream)
  if (form === undefined) throw new Error('the menu lacks what this test asks for')
  const messages = [{ role: 'user', content: 'How much is left of the cent that we had this morning?' }]
  const fields = { model: model.name, max_tokens: OUTPUT_LIMIT, messages, ...(isStream ? { stream: true } : {}) }
  const body = Buffer.from(JSON.stringify(fields))
  return Array.from({ length: REQUESTS }, (_, index) => ({
    tag: `${key.id}-${index}`,
    form,
    model,
    key,
    body,
    hangUp: null,
  }))
}

/** What the decision on holds says is held: the input at its dearest, and all that may be written. */
function heldFor(order: Order | undefined): bigint {
  if (order === undefined) throw new Error('there is no order')
  return costOf(Math.ceil(order.body.length / 3), OUTPUT_LIMIT)
}
