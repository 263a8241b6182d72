import { expect, test } from 'vitest'
import { type ListedModels, withList } from './listed-models.ts'

const AT = 'https://one.test/v1'
const SERVED = new Set(['kept', 'alias'])

function looksAt(
  lists: readonly (readonly string[])[],
  { served = SERVED, ignored = new Set<string>(), isWhole = true } = {},
): ListedModels | null {
  return lists.reduce<ListedModels | null>(
    (before, names) => withList(before, { baseUrl: AT, names, isWhole }, { served, ignored }),
    null,
  )
}

test('the first list says what is usual: neither what is not served nor what is not listed is named', () => {
  expect(looksAt([['kept', 'other']])).toEqual({ baseUrl: AT, known: ['kept', 'other'], added: [], gone: [] })
})

test('what comes later is named for as long as it is listed, and neither served nor ignored', () => {
  const lists = [['kept'], ['kept', 'fresh'], ['fresh', 'kept']]
  expect(looksAt(lists)?.added).toEqual(['fresh'])
  expect(looksAt([...lists, ['kept']])?.added).toEqual([])
  expect(looksAt([...lists, ['kept'], ['kept', 'fresh']])?.added).toEqual(['fresh'])
  expect(looksAt(lists, { served: new Set(['kept', 'fresh']) })?.added).toEqual([])
  expect(looksAt(lists, { ignored: new Set(['fresh']) })?.added).toEqual([])
})

test('what is served and was listed is named until it is back or no longer served', () => {
  const lists = [['kept', 'other'], ['other'], ['other']]
  expect(looksAt(lists)).toEqual({ baseUrl: AT, known: ['other'], added: [], gone: ['kept'] })
  expect(looksAt([...lists, ['other', 'kept']])).toEqual({ baseUrl: AT, known: ['other', 'kept'], added: [], gone: [] })
  expect(looksAt(lists, { served: new Set() })?.gone).toEqual([])
})

test('of a list that goes on nothing is said to be gone, and nothing to be new that was there before', () => {
  const lists = [['kept', 'other'], ['other'], ['kept', 'other', 'fresh']]
  expect(looksAt(lists, { isWhole: false })).toEqual({
    baseUrl: AT,
    known: ['kept', 'other', 'fresh'],
    added: ['fresh'],
    gone: [],
  })
})

test('another address begins anew', () => {
  const elsewhere = { baseUrl: 'https://two.test/v1', names: ['quite', 'others'], isWhole: true }
  const after = withList(looksAt([['kept']]), elsewhere, { served: SERVED, ignored: new Set() })
  expect(after).toEqual({ baseUrl: elsewhere.baseUrl, known: ['quite', 'others'], added: [], gone: [] })
})
