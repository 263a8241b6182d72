import { expect, test } from 'vitest'
import { flatSearch, nextSort, readTableSearch, writeTableSearch, type TableShape } from './table-search.ts'

const SHAPE: TableShape = { filters: ['status', 'group'], sort: { by: 'created_at', order: 'desc' } }

test('an empty address is the first page of everything in the usual order', () => {
  expect(readTableSearch({}, SHAPE)).toEqual({ search: '', filters: {}, sort: SHAPE.sort, cursor: null })
})

test('what is written is read again', () => {
  const table = {
    search: '50 % "off"',
    filters: { status: 'active', group: 'a&b' },
    sort: { by: 'name', order: 'asc' as const },
    cursor: 'c1',
  }
  const flat = writeTableSearch(table, SHAPE, {})
  expect(flat).toEqual({ q: '50 % "off"', status: 'active', group: 'a&b', sort: 'name', cursor: 'c1' })
  expect(readTableSearch(flat, SHAPE)).toEqual(table)
})

test('what goes without saying is left out, and what belongs to others is kept', () => {
  const before = { tab: 'use', q: 'old', status: 'active', cursor: 'c9', sort: '-name' }
  const table = { search: '', filters: { status: '' }, sort: SHAPE.sort, cursor: null }
  expect(writeTableSearch(table, SHAPE, before)).toEqual({ tab: 'use' })
})

test('an order that is none is the usual one', () => {
  expect(readTableSearch({ sort: '; drop' }, SHAPE).sort).toEqual(SHAPE.sort)
  expect(readTableSearch({ sort: '-spent' }, SHAPE).sort).toEqual({ by: 'spent', order: 'desc' })
})

test('a press on a header sorts the way its column begins with, and the next one the other way', () => {
  const byName = { by: 'name', order: 'asc' } as const
  expect(nextSort('spent', 'desc', byName)).toEqual({ by: 'spent', order: 'desc' })
  expect(nextSort('spent', 'desc', { by: 'spent', order: 'desc' })).toEqual({ by: 'spent', order: 'asc' })
  expect(nextSort('name', 'asc', { by: 'spent', order: 'desc' })).toEqual(byName)
  expect(nextSort('name', 'asc', byName)).toEqual({ by: 'name', order: 'desc' })
})

test('only plain values of the address are taken, as text', () => {
  expect(flatSearch({ q: 'a', limit: 5, on: true, list: ['x'], nothing: null })).toEqual({
    q: 'a',
    limit: '5',
    on: 'true',
  })
})
