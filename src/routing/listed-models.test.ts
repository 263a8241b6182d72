import { expect, test } from 'vitest'
import { DAY_MS } from '../core/durations.ts'
import { isLookDue, type ListedModels, LOOK_AHEAD_MS, LOOK_ENDS_MS, withList } from './listed-models.ts'

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
  expect(looksAt(lists)).toEqual({ baseUrl: AT, known: ['other', 'kept'], added: [], gone: ['kept'] })
  expect(looksAt([...lists, ['other', 'kept']])).toEqual({ baseUrl: AT, known: ['other', 'kept'], added: [], gone: [] })
  expect(looksAt(lists, { served: new Set() })?.gone).toEqual([])
})

test('a list that is short for once, or for long, makes nothing new of what was usual before', () => {
  const usual = ['kept', 'one', 'two', 'three']
  expect(looksAt([usual, ['kept', 'one'], usual])).toMatchObject({ added: [], gone: [] })
  expect(looksAt([usual, ['one'], ['one', 'fresh'], [...usual, 'fresh']])).toMatchObject({ added: ['fresh'], gone: [] })
})

test.each([
  ['a day ago', { checkedAt: 0, result: 'listed', nowMs: DAY_MS }, true],
  ['less than a day ago', { checkedAt: 1, result: 'listed', nowMs: DAY_MS }, false],
  ['by a clock that is a little ahead', { checkedAt: LOOK_AHEAD_MS, result: 'listed', nowMs: 0 }, false],
  ['by a clock that is far ahead', { checkedAt: LOOK_AHEAD_MS + 1, result: 'listed', nowMs: 0 }, true],
  ['by a node that is asking', { checkedAt: 0, result: null, nowMs: LOOK_ENDS_MS - 1 }, false],
  ['by a node that was killed as it asked', { checkedAt: 0, result: null, nowMs: LOOK_ENDS_MS }, true],
] as const)('what was looked at %s is due or not', (_, { nowMs, ...look }, isDue) => {
  expect(isLookDue(look, { nowMs, everyMs: DAY_MS })).toBe(isDue)
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
