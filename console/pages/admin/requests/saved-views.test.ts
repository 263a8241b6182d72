import { expect, test } from 'vitest'
import { readExploreSearch } from './explore-search.ts'
import { MOST_VIEWS, readViews, type SavedView, withoutView, withView, writeViews } from './saved-views.ts'

const view = (name: string, flat: Readonly<Record<string, string>> = {}): SavedView => ({
  name,
  search: readExploreSearch(flat),
})

test('what is kept is read again, with grouping, period and filters', () => {
  const views = [
    view('late errors', { by: 'fault', and: 'upstream', days: '1', group: 'vip' }),
    view('provider 503', { said: 'overloaded' }),
  ]
  expect(readViews(writeViews(views))).toEqual(views)
  expect(writeViews([])).toBe(null)
})

test('a view of the same name takes the place of the one before, and all stand by name', () => {
  const [first, second] = [view('b', { days: '1' }), view('a')]
  const both = withView(withView([], first) ?? [], second) ?? []
  expect(both.map(({ name }) => name)).toEqual(['a', 'b'])
  const again = withView(both, view('b', { days: '30' })) ?? []
  expect(again.map(({ name, search }) => [name, search.days])).toEqual([
    ['a', '7'],
    ['b', '30'],
  ])
  expect(withoutView(again, 'a').map(({ name }) => name)).toEqual(['b'])
})

test('there are no more than can be kept, and none that could not be read again', () => {
  let views: readonly SavedView[] = []
  for (let index = 0; index < MOST_VIEWS; index++) views = withView(views, view(`view ${index}`)) ?? []
  expect(views).toHaveLength(MOST_VIEWS)
  expect(withView(views, view('one more'))).toBe(null)
  expect(withView(views, view('view 3', { days: '1' }))).toHaveLength(MOST_VIEWS)
  expect(withView([], view('long', { said: 'x'.repeat(60_000) }))).toBe(null)
})

test.each([
  '',
  'no JSON',
  'null',
  '{}',
  '[1, null, "a", {}, {"name": 1, "search": {}}, {"name": "", "search": {}}, {"name": "a", "search": 1}]',
  JSON.stringify([{ name: 'n'.repeat(61), search: {} }]),
  `[{"name": "a", "search": {}}${' '.repeat(50_000)}]`,
])('what something else wrote there counts as nothing', (text) => {
  expect(readViews(text)).toEqual([])
})
