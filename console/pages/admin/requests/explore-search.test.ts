import { expect, test } from 'vitest'
import { narrowed, readExploreSearch, queryOf, writeExploreSearch } from './explore-search.ts'

test('the address holds the view, and what it says wrongly is as at the first visit', () => {
  const search = readExploreSearch({
    by: 'upstream',
    and: 'model',
    days: '30',
    group: 'vip',
    newest: '200000',
    said: 'no quota',
  })
  expect(readExploreSearch(writeExploreSearch(search))).toEqual(search)
  expect(readExploreSearch({ by: 'colour', and: 'colour', days: '2' })).toEqual({
    by: 'model',
    and: null,
    days: '7',
    filters: {},
    isDeep: false,
    said: null,
  })
  expect(readExploreSearch({ by: 'account', and: 'account' }).and).toBeNull()
  expect(writeExploreSearch(readExploreSearch({}))).toEqual({})
})

test('a part of a row narrows the view, which goes on by what is left and keeps its other filters', () => {
  const by = readExploreSearch({ by: 'model', and: 'upstream' })
  expect(narrowed(by, 'model', 'gpt')).toMatchObject({ by: 'group', and: 'upstream', filters: { model: 'gpt' } })
  expect(narrowed(by, 'upstream', 'main')).toMatchObject({ by: 'model', and: null, filters: { upstream: 'main' } })
  const failing = readExploreSearch({ by: 'account', fault: 'overloaded' })
  expect(narrowed(failing, 'account', 'acc_1')).toMatchObject({
    by: 'model',
    filters: { account: 'acc_1', fault: 'overloaded' },
  })
})

test('within an hour the same is asked for', () => {
  const at = (time: string) => queryOf(readExploreSearch({ days: '1' }), Date.parse(time))
  expect(at('2026-11-23T20:05:00Z')).toEqual({ by: 'model', from: '2026-11-22T20:00:00.000Z' })
  expect(at('2026-11-23T20:55:00Z')).toEqual(at('2026-11-23T20:05:00Z'))
  expect(queryOf({ ...readExploreSearch({}), isDeep: true }, 0)).toMatchObject({ newest: 200_000 })
})
