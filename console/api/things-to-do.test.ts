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

test('forty models that lack the same are one line with all of them in it, at the place of the first', () => {
  const models = Array.from({ length: 40 }, (_, at) => `m${at}`)
  const [one, ...others] = thingsToDo([
    ...models.flatMap((model) => [
      item({ id: `${model} a`, kind: 'no_target', model, group: 'a', requests: 1, since: '2026-11-20T12:00:00Z' }),
      item({ id: `${model} b`, kind: 'no_target', model, group: 'b', requests: 0, since: '2026-11-20T11:00:00Z' }),
    ]),
    item({ kind: 'model_failing', upstream: { id: 'u', name: 'acme' } }),
  ])
  expect(one).toMatchObject({ kind: 'no_target', groups: ['a', 'b'], requests: 40 })
  expect([one?.ids.length, one?.parts.length]).toEqual([80, 40])
  expect(one?.parts[1]).toMatchObject({ model: 'm1', groups: ['a', 'b'] })
  expect(others.map(({ kind }) => kind)).toEqual(['model_failing'])
})

test('three of a kind stand by themselves, and models without a credential beside those of their own upstream', () => {
  const of = (upstream: string) => (model: string) =>
    item({ kind: 'no_credential', model, upstream: { id: upstream, name: upstream } })
  const things = thingsToDo([...['a', 'b', 'c'].map(of('one')), ...['d', 'e', 'f', 'g'].map(of('two'))])
  expect(things.map(({ upstream, parts }) => [upstream?.name, parts.length])).toEqual([
    ['one', 0],
    ['one', 0],
    ['one', 0],
    ['two', 4],
  ])
})
