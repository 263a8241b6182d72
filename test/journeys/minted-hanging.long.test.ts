import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MintedUnderTest, mintedUnderTest } from '../support/minted-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// Metadata servers that take connections and answer nothing, as behind a network policy or on an overloaded machine.

const SOURCES = {
  'gcp-metadata': { kind: 'gcp', settings: { source: 'metadata' } },
  'aws-instance': { kind: 'aws', settings: { source: 'instance' } },
  'aws-pod': { kind: 'aws', settings: { source: 'pod' } },
  'azure-identity': { kind: 'azure', settings: { source: 'managed_identity' } },
} as const
const WELL = 'fake/fixed?tag=well'
const NAMES = Object.keys(SOURCES)
/** More than a token may take, for a machine that is busy. */
const BOUND_MS = 40_000

let on: MintedUnderTest
beforeAll(async () => {
  on = await mintedUnderTest((name, value) => vi.stubEnv(name, value))
})
afterAll(async () => {
  await on.close()
  vi.unstubAllEnvs()
})

test('a metadata server that hangs: refused in time and in the caller’s protocol, held and named, and healed by itself', async () => {
  on.services.failure = 'hangs'
  const upstreams: Record<string, string> = {}
  for (const [name, of] of Object.entries(SOURCES)) upstreams[name] = await on.model(name, of)
  // Known after the others.
  await on.gateway.model(WELL, { protocols: ['openai'] })
  await expect.poll(async () => (await on.ask(WELL)).status, { timeout: PATIENCE_MS }).toBe(200)
  const began = performance.now()
  const asked = Promise.all(NAMES.flatMap((name) => [on.ask(name), on.ask(name, 'anthropic')]))
  // Requests to others are answered meanwhile.
  expect((await on.ask(WELL)).status).toBe(200)
  const refused = await asked
  expect(performance.now() - began).toBeLessThan(BOUND_MS)
  for (const [index, { status, text }] of refused.entries()) {
    expect([status, text]).toEqual([502, expect.stringContaining('"error"')])
    const { error, type } = JSON.parse(text) as { readonly error: object; readonly type?: string }
    expect(error).toMatchObject({ message: expect.stringMatching(/credential|provider/) })
    expect(type).toBe(index % 2 === 0 ? undefined : 'error')
  }
  const holds = () => Promise.all(Object.entries(upstreams).map(async ([name, id]) => [name, await on.hold(id)]))
  await expect
    .poll(async () => (await holds()).filter(([, words]) => /did not answer/.test(words ?? '')).length, {
      timeout: PATIENCE_MS,
    })
    .toBe(NAMES.length)
  on.services.failure = null
  const statuses = () => Promise.all(NAMES.map(async (name) => (await on.ask(name)).status))
  await expect.poll(statuses, { timeout: PATIENCE_MS }).toEqual(NAMES.map(() => 200))
  for (const id of Object.values(upstreams)) expect(await on.hold(id)).toBeNull()
}, 600_000)
