import { expect, test } from 'vitest'
import { ClockWatch } from './clock-watch.ts'

const NOW = Date.parse('2026-11-20T12:00:00.400Z')

function watchAt(offsetMs: number) {
  let elapsed = 0
  let offset = offsetMs
  const watch = new ClockWatch({ now: () => NOW + offset + elapsed, elapsed: () => elapsed })
  const answer = (host: string, tookMs = 100) => {
    const heard = watch.ask(host)
    elapsed += tookMs
    heard?.(new Date(NOW + elapsed).toUTCString())
    return heard !== null
  }
  return {
    watch,
    answer,
    answerOfDatabase(tookMs: number) {
      const sent = watch.reading()
      elapsed += tookMs
      watch.heardDatabase(NOW + elapsed - tookMs / 2, sent)
    },
    pass: (ms: number) => void (elapsed += ms),
    set: (ms: number) => void (offset = ms),
  }
}

test.each([60_000, -60_000])('a clock that is off by %i ms is seen by three answers, never by fewer', (offset) => {
  const { watch, answer } = watchAt(offset)
  answer('one')
  answer('one')
  expect(watch.read()).toEqual({ database: null, providers: null })
  answer('one')
  expect(Math.abs((watch.read().providers ?? 0) - offset)).toBeLessThan(1_200)
})

test('a clock in step is never seen as off, however long answers take', () => {
  const { watch, answer } = watchAt(0)
  for (const took of [5, 30_000, 900, 120_000]) answer('one', took)
  expect(watch.read().providers).toBe(0)
})

test('one provider of three with a wrong clock decides nothing', () => {
  const { watch, answer } = watchAt(0)
  answer('right')
  answer('right too')
  for (let time = 0; time < 3; time++) watch.ask('wrong')?.(new Date(NOW + 3_600_000).toUTCString())
  expect(watch.read().providers).toBe(0)
})

test('answers are looked at once in ten seconds, and forgotten after an hour', () => {
  const { watch, answer, pass } = watchAt(5_000)
  expect([answer('one'), answer('one'), answer('one'), answer('one')]).toEqual([true, true, true, false])
  pass(10_000)
  expect(answer('one')).toBe(true)
  pass(3_600_000)
  expect(watch.read().providers).toBeNull()
})

test('an answer during which the clock was set says nothing, and one that was set right is in step at once', () => {
  const { watch, answer, set, pass } = watchAt(60_000)
  for (let time = 0; time < 3; time++) answer('one')
  pass(10_000)
  const heard = watch.ask('one')
  set(0)
  heard?.(new Date(NOW - 60_000).toUTCString())
  expect(watch.read().providers).toBeGreaterThan(50_000)
  answer('one')
  expect(watch.read().providers).toBe(0)
})

test('the database’s clock is compared to what the way of its answer leaves open', () => {
  const { watch, answerOfDatabase } = watchAt(7_000)
  for (const took of [40, 400, 4_000]) answerOfDatabase(took)
  expect(watch.read().database).toBe(5_000)
})
