import { expect, test } from 'vitest'
import { NODE_BEAT_MS } from '../core/limits.ts'
import { NodeRounds } from './node-rounds.ts'

function rounds() {
  let elapsed = 0
  const life = { isAlive: true, renew: () => step('renew') }
  const happened: string[] = []
  const steps: { name: string; end: PromiseWithResolvers<void> }[] = []
  const step = (name: string) => {
    happened.push(name)
    const end = Promise.withResolvers<void>()
    steps.push({ name, end })
    return end.promise
  }
  const driven = new NodeRounds({
    life,
    watch: { look: () => step('look').then(() => 3) },
    clock: { now: () => 0, elapsed: () => elapsed },
    maintain: async () => void happened.push('maintain'),
    onInterrupted: (count) => happened.push(`interrupted ${count}`),
    onError: (error) => happened.push(String(error)),
  })
  return {
    driven,
    life,
    happened,
    /** Ticks every 100 ms; a step that was asked for ends after each tick, where the test wants it to. */
    async pass(ms: number, end: 'ends' | 'hangs' | Error = 'ends') {
      for (let passed = 0; passed < ms; passed += 100) {
        elapsed += 100
        driven.tick()
        if (end === 'hangs') continue
        for (const { end: ending } of steps.splice(0)) {
          if (end === 'ends') ending.resolve()
          else ending.reject(end)
        }
        await driven.idle()
      }
    },
  }
}

test('the life is renewed and the leases are looked after once a beat, the others are watched every second', async () => {
  const { happened, pass } = rounds()
  await pass(2 * NODE_BEAT_MS)
  expect(happened.filter((step) => step === 'renew')).toHaveLength(2)
  expect(happened.filter((step) => step === 'maintain')).toHaveLength(2)
  expect(happened.filter((step) => step === 'look')).toHaveLength((2 * NODE_BEAT_MS) / 1_000)
  expect(happened).toContain('interrupted 3')
})

test('a node that may serve nothing tries twice a second to get well', async () => {
  const { life, happened, pass } = rounds()
  life.isAlive = false
  await pass(1_000)
  expect(happened.filter((step) => step === 'renew')).toHaveLength(2)
})

test('one renewal is under way at a time, and what fails is reported and tried again', async () => {
  const { happened, pass } = rounds()
  await pass(3 * NODE_BEAT_MS, 'hangs')
  expect(happened).toEqual(['look', 'renew'])
  await pass(100, new Error('no answer'))
  expect(happened.slice(2)).toEqual(['Error: no answer', 'Error: no answer'])
  await pass(100)
  expect(happened.slice(4).sort()).toEqual(['interrupted 3', 'look', 'maintain', 'renew'])
})

test('what keeps the life from being renewed is known until it is renewed', async () => {
  const { driven, pass } = rounds()
  const failure = new Error('the disk is full')
  await pass(NODE_BEAT_MS, failure)
  expect(driven.failure).toBe(failure)
  await pass(NODE_BEAT_MS)
  expect(driven.failure).toBeNull()
})
