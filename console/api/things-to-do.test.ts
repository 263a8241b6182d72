import { expect, test } from 'vitest'
import type { AttentionItemView } from '../../src/contract/attention.ts'
import { thingsToDo } from './things-to-do.ts'

const NONE = {
  id: 'one',
  upstream: null,
  credential: null,
  account: null,
  disk: null,
  clock: null,
  since: null,
  requests: null,
}
const item = (over: Partial<AttentionItemView>) => ({ ...NONE, group: null, ...over }) as AttentionItemView

test('a model without a target, or without a credential, in several groups is one thing to do, in the list and in the count beside it', () => {
  const things = thingsToDo([
    item({ kind: 'no_target', model: 'a', group: 'default', requests: 2 }),
    item({ kind: 'unpriced', model: 'a' }),
    item({ kind: 'no_target', model: 'a', group: 'vip', requests: 3 }),
    item({ kind: 'no_target', model: 'b', group: 'vip' }),
    item({ kind: 'no_credential', model: 'a', group: 'trial' }),
    item({ kind: 'no_credential', model: 'a', group: 'slow' }),
  ])
  expect(things.map(({ kind, model, groups, requests }) => [kind, model, groups, requests])).toEqual([
    ['no_target', 'a', ['default', 'vip'], 5],
    ['unpriced', 'a', [], null],
    ['no_target', 'b', ['vip'], null],
    ['no_credential', 'a', ['trial', 'slow'], null],
  ])
  expect(things.map(({ ids }) => ids.length)).toEqual([2, 1, 1, 2])
})
