import { expect, test } from 'vitest'
import { orderTargets, speaks, wiresTo } from './route.ts'

const target = (upstreamId: string, priority: number, weight: number) => ({ upstreamId, model: 'm', priority, weight })

const none = () => false

test('lower priority numbers come first, whatever the draw', () => {
  const order = orderTargets([target('b', 1, 9), target('a', 0, 1), target('c', 2, 9)], Math.random, none)
  expect(order.map((t) => t.upstreamId)).toEqual(['a', 'b', 'c'])
})

test('among equals each is first as often as its weight says', () => {
  let seed = 1
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  let heavyFirst = 0
  for (let i = 0; i < 10_000; i++) {
    if (orderTargets([target('heavy', 0, 3), target('light', 0, 1)], random, none)[0]?.upstreamId === 'heavy')
      heavyFirst++
  }
  expect(heavyFirst / 10_000).toBeCloseTo(0.75, 1)
})

test('a target of weight 0 is only a last resort', () => {
  for (let i = 0; i < 50; i++) {
    expect(orderTargets([target('spare', 0, 0), target('main', 0, 1)], Math.random, none)[0]?.upstreamId).toBe('main')
  }
})

test('an anthropic upstream speaks messages and nothing else', () => {
  expect(speaks('anthropic', 'anthropic-messages')).toBe(true)
  expect(speaks('anthropic', 'openai-chat')).toBe(false)
  expect(speaks('openai-chat', 'openai-responses')).toBe(false)
})

test('among equals the preferred come first, but a weight of 0 stays the last resort', () => {
  const targets = [target('other', 0, 9), target('same', 0, 1), target('spare-same', 0, 0), target('later-same', 1, 9)]
  const isSame = ({ upstreamId }: { upstreamId: string }) => upstreamId.includes('same')
  for (let i = 0; i < 50; i++) {
    const order = orderTargets(targets, Math.random, isSame).map(({ upstreamId }) => upstreamId)
    expect(order).toEqual(['same', 'other', 'spare-same', 'later-same'])
  }
})

test('a chat client reaches every upstream, on the same wire where it can; others only their own', () => {
  expect(wiresTo('openai', 'openai-chat')).toEqual(['openai-chat'])
  expect(wiresTo('openai', 'anthropic-messages')).toEqual(['openai-responses', 'openai-chat'])
  expect(wiresTo('anthropic', 'gemini')).toEqual(['anthropic-messages'])
  expect(wiresTo('anthropic', 'openai-embeddings')).toEqual([])
})
