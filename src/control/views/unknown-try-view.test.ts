import { expect, test } from 'vitest'
import { unknownTryView } from './unknown-try-view.ts'

const ORIGIN = 'https://gate.example.test'
const tried = { id: 'req_1', createdAt: 0, client: null, count: 1 }

test.for([
  [ORIGIN, { path: '/v2/foo', origin: ORIGIN }],
  ['https://elsewhere.example.test', { path: '/v2/foo' }],
] as const)(
  'of a path that was asked at %s, an origin is shown only where it is this gateway’s',
  ([host, expected]) => {
    const facts = { path: '/v2/foo', origin: host }
    expect(unknownTryView({ ...tried, fault: 'path_unknown', facts }, ORIGIN).fault_facts).toEqual(expected)
  },
)

test.for([
  [ORIGIN, { enter: ORIGIN }],
  [`${ORIGIN}/v1`, { enter: `${ORIGIN}/v1` }],
  [`${ORIGIN}.elsewhere.test/v1`, {}],
] as const)('%s is advised to be entered only where it is of this gateway', ([enter, expected]) => {
  const view = unknownTryView({ ...tried, fault: 'base_url_wrong', facts: { enter } }, ORIGIN)
  expect(view.fault_facts).toEqual(expected)
})
