import { expect, test } from 'vitest'
import { modelListItems } from './model-list-items.ts'

const UPSTREAMS = [{ id: 'ups_a', name: 'main' }]

test('what is gone stands first, and of many names the first twenty and how many more', () => {
  const added = Array.from({ length: 23 }, (_, at) => `m${at}`)
  const [goneItem, addedItem, ...others] = modelListItems(UPSTREAMS, new Map([['ups_a', { added, gone: ['old'] }]]))
  expect(others).toEqual([])
  expect(goneItem).toMatchObject({
    kind: 'models_gone',
    listed: { count: 1, names: ['old'] },
    detail: 'The upstream "main" no longer lists a model served from it: old. Test it, or remove its target.',
  })
  expect(addedItem?.listed).toEqual({ count: 23, names: added.slice(0, 20) })
  expect(addedItem?.detail).toContain('lists 23 new models: m0, m1, ')
  expect(addedItem?.detail).toContain('m19 and 3 more. Add or ignore them.')
})

test('where nothing changed there is nothing to do', () => {
  expect(modelListItems(UPSTREAMS, new Map([['ups_a', { added: [], gone: [] }]]))).toEqual([])
})
