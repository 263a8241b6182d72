import { expect, test } from 'vitest'
import { judge } from '../bars.ts'
import { type WorkloadName, WORKLOADS } from '../workloads.ts'
import { writeBars, writeSeries } from '../print.ts'
import { readRecordCount } from './books.ts'
import { cpuUsPerEvent, cpuUsPerRequest, differenceOf, p50Ms, ratioOf, summarize } from './figures.ts'
import { type Series, type Turn, chooseTurns } from './series.ts'
import type { Round } from './stage.ts'

function round(changes: Partial<Round> = {}): Round {
  return {
    requests: 1000,
    events: 0,
    requestsPerSecond: 500,
    eventsPerRead: 0,
    latency: { p50Us: 0, p90Us: 0, p99Us: 0, maxUs: 0 },
    chunkDelay: { p50Us: 0, p90Us: 0, p99Us: 0, maxUs: 0 },
    cpuMs: 10,
    busy: 0,
    residentMb: 0,
    foreign: 0,
    ...changes,
  }
}

function seriesOf(name: WorkloadName, turns: readonly Turn[]): Series {
  const workload = WORKLOADS[name]
  const { subjects } = workload
  return { workload, subjects, turns, disturbed: 0, loudest: 0, failed: [], requests: {} }
}

const NO_EXTRAS = { readyMs: [], againMs: [], idleMb: [], afterMb: [] }

const p50 = (us: number): Partial<Round> => ({ latency: { p50Us: us, p90Us: us, p99Us: us, maxUs: us } })

test('a ratio is taken turn by turn, so a slow turn of both changes nothing', () => {
  const turns = [1, 1, 5].map((slow) => ({
    nginx: round({ cpuMs: 10 * slow }),
    gateway: round({ cpuMs: 60 * slow, requests: 2000 }),
  }))
  expect(ratioOf(seriesOf('plain', turns), ['gateway', 'nginx'], cpuUsPerRequest)).toEqual({
    median: 3,
    low: 3,
    high: 3,
  })
})

test('the median is the middle, and nothing has none', () => {
  expect(summarize([9, 1, 5])).toEqual({ median: 5, low: 1, high: 9 })
  expect(summarize([9, 1]).median).toBe(5)
  expect(() => summarize([])).toThrow('nothing was measured')
  expect(() => summarize([1, Number.NaN])).toThrow('nothing was measured')
})

test('chunks and latencies are compared with their own partner', () => {
  const stream = [{ nginx: round({ cpuMs: 10, events: 5000 }), gateway: round({ cpuMs: 50, events: 10_000 }) }]
  expect(ratioOf(seriesOf('stream', stream), ['gateway', 'nginx'], cpuUsPerEvent).median).toBe(2.5)
  const latency = [{ direct: round(p50(200)), gateway: round(p50(1000)) }]
  expect(differenceOf(seriesOf('latency', latency), ['gateway', 'direct'], p50Ms).median).toBe(0.8)
})

test('disturbed turns are left out while there are enough others', () => {
  const quiet = { nginx: round(), gateway: round() }
  const loud = { nginx: round(), gateway: round({ foreign: 0.5 }) }
  expect(chooseTurns([quiet, loud, quiet])).toEqual({ turns: [quiet, quiet], disturbed: 1, loudest: 0.5 })
})

test('with too few quiet turns no figure is given, and a bar that was not taken is not met', () => {
  const quiet = { nginx: round(), gateway: round() }
  const loud = { nginx: round(), gateway: round({ foreign: 0.5 }) }
  expect(chooseTurns([quiet, loud, loud])).toEqual({ turns: [], disturbed: 2, loudest: 0.5 })
  const series = { ...seriesOf('plain', []), disturbed: 2, loudest: 0.5 }
  const bars = judge([series], { ...NO_EXTRAS, readyMs: null })
  expect(bars.map(({ name, figure, met }) => [name, figure, met])).toEqual([
    ['CPU per request, of nginx', null, false],
    ['npm start to ready', null, false],
  ])
  const text = writeSeries(series)
  expect(text).toContain('NOT TAKEN: in 2 turns something else used up to 50 % of the cores')
  expect(text).not.toMatch(/µs|requests\/s/)
  expect(writeBars(bars)).toMatch(/CPU per request, of nginx +not taken +<= 8 × +MISSED/)
})

test('a figure that is over its goal is marked, whatever is allowed', () => {
  const turn = (times: number) => ({ nginx: round({ cpuMs: 10 }), gateway: round({ cpuMs: 10 * times }) })
  const over = writeBars(judge([seriesOf('plain', [turn(6)])], NO_EXTRAS))
  expect(over).toMatch(/CPU per request, of nginx +6\.00 \(.*met +<= 3 × +OVER/)
  const reached = writeBars(judge([seriesOf('plain', [turn(3)])], NO_EXTRAS))
  expect(reached).toMatch(/met +<= 3 × +reached/)
  expect(writeBars(judge([seriesOf('wide', [turn(6)])], NO_EXTRAS))).not.toMatch(/OVER|reached/)
})

test('a gateway after a pause is compared with nginx and with itself when it is warm', () => {
  const turn = { nginx: round({ cpuMs: 10 }), gateway: round({ cpuMs: 60 }), warm: round({ cpuMs: 40 }) }
  const series = seriesOf('bursty', [turn])
  expect(judge([series], NO_EXTRAS)).toMatchObject([{ figure: { median: 6 }, limit: null, goal: 4 }])
  expect(writeSeries(series)).toContain('gateway: CPU = 1.50 (1.50-1.50) × warm')
})

test('beside a gateway of other people more requests a second are aimed at, and a shorter p99', () => {
  const ours = { ...round({ requestsPerSecond: 900 }), ...p50(400) }
  const peer = { 'peer other': round({ requestsPerSecond: 300, ...p50(1_000) }), 'peer bare': round() }
  const bars = judge([seriesOf('wide', [{ nginx: round(), gateway: ours, ...peer }])], NO_EXTRAS)
  const text = writeBars(bars)
  expect(text).toMatch(/requests a second on all cores, of other +3\.00 \(.*>= 3 × +reached/)
  expect(text).toMatch(/p99 on all cores, of other +0\.400 \(.*<= 0\.5 × +reached/)
  expect(text).not.toContain('of bare')
  const crowd = seriesOf('crowd', [{ nginx: round(), gateway: ours, ...peer }])
  expect(writeBars(judge([crowd], NO_EXTRAS))).toMatch(/at 64 connections, of other +3\.00 \(.*>= 5 × +BELOW/)
})

test('a gateway of other people that fails is left out, with what it said, and the others stay', () => {
  const turn = { nginx: round({ cpuMs: 10 }), gateway: round({ cpuMs: 60 }) }
  const failed = [{ name: 'peer other 1.0', reason: 'status 500\nand more' }] as const
  const text = writeSeries({ ...seriesOf('plain', [turn]), failed })
  expect(text).toContain('peer other 1.0 is left out: status 500\n')
  expect(text).toContain('gateway: CPU = 6.00')
})

test.for([
  ['plain', 8, 'met'],
  ['plain', 8.1, 'MISSED'],
  ['stream', 2.5, 'met'],
  ['stream', 2.6, 'MISSED'],
] as const)('%s at %d times nginx is %s', ([name, times, verdict]) => {
  const turn = { nginx: round({ events: 100, cpuMs: 10 }), gateway: round({ events: 100, cpuMs: 10 * times }) }
  const [bar] = judge([seriesOf(name, [turn])], NO_EXTRAS)
  expect(bar?.figure?.median).toBe(times)
  expect(bar?.met).toBe(verdict === 'met')
})

test.for([
  ['translated-stream', 3, true],
  ['translated-stream', 3.1, false],
  ['translated-gemini', 3.1, false],
  ['translated-responses', 3.1, false],
  ['translated-messages', 3.1, false],
  ['translated-large', 9, true],
] as const)('%s at %d times what passes through the same gateway: met is %s', ([name, times, met]) => {
  const turn = {
    gateway: round({ events: 100, cpuMs: 10 }),
    translating: round({ events: 100, cpuMs: 10 * times }),
    // Far off, so that a bar against it would be missed or met by mistake.
    nginx: round({ events: 100, cpuMs: met ? 0.1 : 1_000 }),
  }
  const [bar] = judge([seriesOf(name, [turn])], NO_EXTRAS)
  expect(bar?.figure?.median).toBe(times)
  expect(bar?.met).toBe(met)
})

test('what has no bar is shown and never missed', () => {
  const turn = { nginx: round({ cpuMs: 1 }), gateway: round({ cpuMs: 100 }) }
  const bars = judge([seriesOf('large', [turn])], NO_EXTRAS)
  expect(bars).toMatchObject([{ limit: null, met: true, figure: { median: 100 } }])
  expect(judge([seriesOf('large', [])], NO_EXTRAS)).toMatchObject([{ met: true, figure: null }])
})

test('latency, start and memory have their bars, and what was not measured has none', () => {
  const turn = { direct: round(p50(200)), nginx: round(p50(300)), gateway: round(p50(1800)) }
  const bars = judge([seriesOf('latency', [turn])], { ...NO_EXTRAS, readyMs: [1400, 1600, 1900], idleMb: [90] })
  expect(bars.map(({ name, met }) => [name, met])).toEqual([
    ['CPU per request at 500 a second, of nginx', true],
    ['added latency, p50', false],
    ['p99 at 500 requests a second', true],
    ['npm start to ready', false],
    ['memory when idle', true],
  ])
  expect(judge([], NO_EXTRAS)).toEqual([])
})

test('the number of records is found in what check-ledger says', () => {
  expect(readRecordCount('ok: 2 accounts, 7 ledger entries, 12345 usage records, $0.5 charged\n')).toBe(12_345)
})

test('books without a count are not taken for good', () => {
  expect(() => readRecordCount('ok')).toThrow('names no number')
})
