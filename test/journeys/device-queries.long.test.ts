import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import type { Store } from '../../src/store/store.ts'
import { type DeviceCalls, deviceCalls } from '../support/device-calls.ts'

const TOKENS = 1_000
const REQUESTS = 10_000
const PARALLEL = 50
/** Far fewer than one for each token, and more than what is asked once a second comes to. */
const FEW = 500

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let at: DeviceCalls
  beforeAll(async () => {
    at = await deviceCalls(engine, 1)
  })
  afterAll(() => at.close())

  test(
    `${REQUESTS} requests over ${TOKENS} access tokens of one device read its key once, and ask for nothing but money in slices`,
    { timeout: 300_000 },
    async () => {
      const [node] = at.nodes
      if (node === undefined) throw new Error('there is one')
      const token = await at.device({ quotaLimit: parseUsd('1000'), quotaReset: 'monthly' })
      const tokens = Array.from({ length: TOKENS }, (_, i) => at.tokenBeside(token, 600_000 + i * 1_000))
      expect(new Set(tokens).size).toBe(TOKENS)
      const asked = countedCalls(node.store)
      let next = 0
      const work = async (): Promise<void> => {
        while (next < REQUESTS) {
          const credential = tokens[next++ % TOKENS] ?? token
          const { status, unified } = await at.call(credential, { cents: 0, isStream: true })
          expect([status, unified['overage-status']]).toEqual([200, 'allowed'])
        }
      }
      await Promise.all(Array.from({ length: PARALLEL }, work))
      // A node looks for changes and notes what runs several times a second; what it charged it writes in batches.
      const ofRequests = [...asked].filter(([name]) => !/^(?:nodes|openRequests|settlements)\./.test(name))
      expect(Object.fromEntries(ofRequests)).toMatchObject({ 'keys.findByHash': 1 })
      for (const [name, count] of ofRequests) expect(count, name).toBeLessThan(FEW)
      expect(asked.get('settlements.settle')).toBeLessThan(REQUESTS)
    },
  )
})

/** Counts the calls of each method of each store from now on, by `store.method`. */
function countedCalls(store: Store): ReadonlyMap<string, number> {
  const calls = new Map<string, number>()
  for (const [name, part] of Object.entries(store)) {
    for (const method of methodsOf(part)) {
      const original: unknown = Reflect.get(part, method)
      if (typeof original !== 'function') continue
      const value = (...given: unknown[]): unknown => {
        const label = `${name}.${method}`
        calls.set(label, (calls.get(label) ?? 0) + 1)
        return Reflect.apply(original, part, given)
      }
      Object.defineProperty(part, method, { value })
    }
  }
  return calls
}

/** The names of an object's own methods and of its class’s. */
function methodsOf(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null || part === Object.prototype) return []
  const own = Object.getOwnPropertyNames(part).filter((name) => name !== 'constructor')
  return [...new Set([...own, ...methodsOf(Object.getPrototypeOf(part))])]
}
