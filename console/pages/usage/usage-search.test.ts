import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flatSearch } from '../../table/table-search.ts'
import { MEASURES, readUsageSearch, SPLITS, writeUsageSearch, type UsageSearch } from './usage-search.ts'
import { SPAN_NAMES } from './span.ts'

const text = fc.string({ minLength: 1, maxLength: 30 })
const time = fc
  .integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') })
  .map((ms) => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z'))
const custom = fc
  .record({ name: fc.constant('custom' as const), from: fc.option(time), to: fc.option(time) })
  .filter(({ from, to }) => from !== null || to !== null)

const searches: fc.Arbitrary<UsageSearch> = fc.record({
  span: fc.oneof(
    fc.constantFrom(...SPAN_NAMES).map((name) => ({ name })),
    custom,
  ),
  filters: fc.record({ key: text, group: text, model: text }, { requiredKeys: [] }),
  fault: fc.oneof(fc.constant(''), text),
  request: fc.oneof(fc.constant(''), text),
  tag: fc.option(text),
  cursor: fc.option(text),
  split: fc.constantFrom(...SPLITS),
  measure: fc.constantFrom(...MEASURES),
  by: fc.constantFrom(null, 'hour' as const, 'day' as const),
  isTable: fc.boolean(),
  isLive: fc.boolean(),
  record: fc.option(text),
})

describe('the address of the usage page', () => {
  test('gives back whatever was put into it', () => {
    fc.assert(
      fc.property(searches, (search) => {
        const throughUrl = new URLSearchParams(writeUsageSearch(search)).toString()
        const flat = flatSearch(Object.fromEntries(new URLSearchParams(throughUrl)))
        expect(readUsageSearch(flat)).toEqual(search)
      }),
    )
  })

  test('says nothing of what goes without saying', () => {
    expect(writeUsageSearch(readUsageSearch({}))).toEqual({})
  })

  test('takes what makes no sense for not said', () => {
    const usual = readUsageSearch({})
    expect(
      readUsageSearch({ span: '3y', split: 'colour', measure: 'weight', by: 'year', from: 'then', to: '', view: 'x' }),
    ).toEqual(usual)
  })

  test('takes a date alone, as people write it, for its midnight', () => {
    expect(readUsageSearch({ from: '2026-11-01' }).span).toEqual({
      name: 'custom',
      from: '2026-11-01T00:00:00Z',
      to: null,
    })
  })
})
