import { expect, test } from 'vitest'
import { NODE_LIFE_MS, NODE_USABLE_PART } from '../core/limits.ts'
import { NodeLife } from './node-life.ts'

const USABLE_MS = NODE_LIFE_MS * NODE_USABLE_PART

/** One node, a clock in the test's hand, and others who may have buried it. */
function alone() {
  const time = { elapsed: 1_000, now: 1_800_000_000_000 }
  const registered = new Set<string>()
  const happened: string[] = []
  let ids = 0
  let failure: Error | null = null
  let onForgetting = async () => {}
  const check = () => {
    if (failure !== null) throw failure
  }
  const life = new NodeLife({
    nodes: {
      join: async ({ id }) => {
        check()
        registered.add(id)
        return { seq: 7 }
      },
      beat: async (id) => {
        check()
        return registered.has(id)
      },
    },
    clock: { now: () => time.now, elapsed: () => time.elapsed },
    process: { host: 'here', processId: 1 },
    newId: () => `nod_${++ids}`,
    onRetired: () => happened.push(`buried, now ${life.id}, alive: ${life.isAlive}`),
    forgetEverything: async () => {
      happened.push(`forgets, alive: ${life.isAlive}`)
      await onForgetting()
    },
  })
  return {
    life,
    time,
    registered,
    happened,
    pass(ms: number) {
      time.elapsed += ms
      time.now += ms
    },
    fail: (error: Error | null) => {
      failure = error
    },
    whileForgetting: (work: () => Promise<void>) => {
      onForgetting = work
    },
  }
}

test('a node lives from joining on, for the usable part of a life without renewal', async () => {
  const { life, pass } = alone()
  expect(life.isAlive).toBe(false)
  expect(await life.join()).toEqual({ seq: 7 })
  expect(life.isAlive).toBe(true)
  pass(USABLE_MS - 1)
  expect(life.isAlive).toBe(true)
  pass(1)
  expect(life.isAlive).toBe(false)
})

test('a renewal counts from when it was asked for, and costs nothing while the node lives', async () => {
  const { life, pass, happened } = alone()
  await life.join()
  pass(USABLE_MS - 1_000)
  const renewing = life.renew()
  pass(100)
  await renewing
  pass(USABLE_MS - 101)
  expect(life.isAlive).toBe(true)
  pass(1)
  expect(life.isAlive).toBe(false)
  expect(happened).toEqual([])
})

test('a renewal that was answered too late finds the node dead, and everything is forgotten', async () => {
  const { life, pass, happened } = alone()
  await life.join()
  pass(USABLE_MS - 1)
  const renewing = life.renew()
  pass(1)
  await renewing
  expect(happened).toEqual(['forgets, alive: false'])
  expect(life.isAlive).toBe(true)
})

test('a node that was silent for too long serves nothing until it has forgotten everything', async () => {
  const { life, pass, happened, whileForgetting } = alone()
  await life.join()
  pass(USABLE_MS)
  whileForgetting(async () => pass(100))
  await life.renew()
  expect(happened).toEqual(['forgets, alive: false'])
  expect([life.id, life.isAlive]).toEqual(['nod_1', true])
})

test('a node that was buried gives up what it held first, and comes back under another id', async () => {
  const { life, registered, happened } = alone()
  await life.join()
  registered.clear()
  await life.renew()
  // Also when it was alive by its own clocks: the others know better.
  expect(happened).toEqual(['buried, now nod_2, alive: false', 'forgets, alive: false'])
  expect([life.id, life.isAlive, [...registered]]).toEqual(['nod_2', true, ['nod_2']])
})

test('a node that cannot come back now stays out, and tries again', async () => {
  const { life, registered, fail, whileForgetting } = alone()
  await life.join()
  registered.clear()
  whileForgetting(() => Promise.reject(new Error('no answer')))
  await expect(life.renew()).rejects.toThrow('no answer')
  expect(life.isAlive).toBe(false)
  fail(new Error('no answer'))
  await expect(life.renew()).rejects.toThrow('no answer')
  expect(life.isAlive).toBe(false)
  fail(null)
  whileForgetting(async () => {})
  await life.renew()
  expect(life.isAlive).toBe(true)
  expect([...registered]).toEqual([life.id])
})

test('a suspended machine shows by its wall clock: nothing is spent on waking up before the node was renewed', async () => {
  const { life, time, happened } = alone()
  await life.join()
  time.elapsed += 10
  time.now += 3_600_000
  expect(life.isAlive).toBe(false)
  await life.renew()
  expect(happened).toEqual(['forgets, alive: false'])
  expect(life.isAlive).toBe(true)
})

test.for([-86_400_000, -1_000, 1_000, 86_400_000])(
  'a wall clock that is set by %i ms costs one renewal at most',
  async (jump) => {
    const { life, time, pass, happened } = alone()
    await life.join()
    time.now += jump
    await life.renew()
    expect(life.isAlive).toBe(true)
    pass(USABLE_MS - 1)
    expect(life.isAlive).toBe(true)
    await life.renew()
    expect(life.isAlive).toBe(true)
    expect(happened.length).toBe(jump > USABLE_MS ? 1 : 0)
    pass(USABLE_MS)
    expect(life.isAlive).toBe(false)
  },
)
