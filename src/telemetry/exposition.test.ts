import { expect, test } from 'vitest'
import { exposition, formatAsked } from './exposition.ts'
import { type Figures, merged, withoutGauges } from './figures.ts'
import { Histogram } from './histogram.ts'

function figures(): Figures {
  const histogram = new Histogram([0.5, 1])
  for (const seconds of [0.1, 0.5, 0.7, 3]) histogram.observe(seconds)
  return {
    values: [
      { of: 'tokens', labels: ['input'], value: 5 },
      { of: 'inFlight', labels: [], value: 2 },
      { of: 'coolingUntil', labels: ['a "b"\\\nc', 'default'], value: 7 },
    ],
    distributions: [{ of: 'settleSeconds', distribution: histogram.read() }],
  }
}

test('figures are written as Prometheus reads them', () => {
  const lines = exposition(figures(), 'prometheus').split('\n')
  expect(lines.filter((line) => !line.startsWith('# HELP'))).toEqual([
    '# TYPE tollgate_credential_cooling_until_seconds gauge',
    String.raw`tollgate_credential_cooling_until_seconds{upstream="a \"b\"\\\nc",credential="default"} 7`,
    '# TYPE tollgate_inflight gauge',
    'tollgate_inflight 2',
    '# TYPE tollgate_tokens_total counter',
    'tollgate_tokens_total{kind="input"} 5',
    '# TYPE tollgate_settle_seconds histogram',
    'tollgate_settle_seconds_bucket{le="0.5"} 2',
    'tollgate_settle_seconds_bucket{le="1"} 3',
    'tollgate_settle_seconds_bucket{le="+Inf"} 4',
    'tollgate_settle_seconds_sum 4.3',
    'tollgate_settle_seconds_count 4',
    '',
  ])
})

test('OpenMetrics names counters without their ending, writes bounds with a point, and has an end', () => {
  const text = exposition(figures(), 'openmetrics')
  expect(text).toContain('# TYPE tollgate_tokens counter\ntollgate_tokens_total{kind="input"} 5\n')
  expect(text).toContain('tollgate_settle_seconds_bucket{le="1.0"} 3\n')
  expect(text.endsWith('# EOF\n')).toBe(true)
})

test.for([
  [undefined, 'prometheus'],
  ['*/*', 'prometheus'],
  ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3', 'openmetrics'],
  ['application/openmetrics-text;version=1.0.0;q=0,text/plain', 'prometheus'],
] as const)('Accept %s gets the format %s', ([accept, format]) => {
  expect(formatAsked(accept)).toBe(format)
})

test('figures of threads are added up, and where a sum says nothing the highest is taken', () => {
  const both = merged([figures(), figures()])
  expect(both.values.map(({ value }) => value)).toEqual([10, 4, 7])
  expect(both.distributions[0]?.distribution).toEqual({ bounds: [0.5, 1], counts: [4, 2, 2], sum: 8.6 })
})

test('what a thread counted goes on to count when it has ended, and how it stood does not', () => {
  expect(withoutGauges(figures()).values).toEqual([{ of: 'tokens', labels: ['input'], value: 5 }])
})
