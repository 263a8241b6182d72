import { expect, test } from 'vitest'
import { ImplausibleUsage } from './implausible-usage.ts'

function begin() {
  const time = { elapsed: 0 }
  const lines: number[] = []
  const unpriced: number[] = []
  const alerts: string[] = []
  const implausible = new ImplausibleUsage({
    clock: { now: () => 0, elapsed: () => time.elapsed },
    log: ({ count }) => lines.push(count),
    logUnpriced: ({ count }) => unpriced.push(count),
    alert: (name) => alerts.push(name),
  })
  const note = (upstreamName = 'one') =>
    implausible.note({ requestId: 'req_1', upstreamName, notes: ['input_above_limit'] })
  return { time, lines, unpriced, alerts, implausible, note }
}

test('each upstream that is not believed gives one line a minute, with a count, and one alert an hour', () => {
  const { time, lines, alerts, note } = begin()
  note()
  note()
  note()
  note('two')
  expect([lines, alerts]).toEqual([
    [1, 1],
    ['one', 'two'],
  ])
  time.elapsed = 60_000
  note()
  expect(lines).toEqual([1, 1, 3])
  time.elapsed = 3_600_000
  note()
  expect(alerts).toEqual(['one', 'two', 'one'])
})

test('what a client does by leaving says nothing of its upstream', () => {
  const { lines, alerts, implausible } = begin()
  implausible.note({ requestId: 'req_1', upstreamName: 'one', notes: ['left_unanswered', 'hidden_output'] })
  expect([lines, alerts]).toEqual([[], []])
})

test.for(['terms_unpriced', 'calls_unpriced'] as const)(
  '%s gives a line of its own, and no alert, since the upstream is believed',
  (noted) => {
    const { time, lines, unpriced, alerts, implausible } = begin()
    const note = () => implausible.note({ requestId: 'req_1', upstreamName: 'one', notes: [noted] })
    note()
    note()
    time.elapsed = 60_000
    note()
    expect([lines, unpriced, alerts]).toEqual([[], [1, 2], []])
  },
)
