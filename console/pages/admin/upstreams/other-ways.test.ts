import { expect, test } from 'vitest'
import { otherWays, type Way } from './other-ways.ts'

const at = (protocol: 'openai' | 'openai-chat' | 'anthropic' | 'gemini', base_url: string) => ({ protocol, base_url })

test.for([
  [at('anthropic', 'http://host'), at('openai-chat', 'http://host/v1')],
  [at('openai-chat', 'http://host'), at('openai-chat', 'http://host/v1')],
  [at('openai-chat', 'http://host/v1'), at('anthropic', 'http://host/v1')],
  [at('openai', 'http://host/api/v4'), at('openai-chat', 'http://host/api/v4')],
] as const)('what is tried first in place of %j', ([way, first]) => {
  expect(otherWays(way, [])[0]).toEqual(first)
})

test('no way is tried twice, and there is an end to them', () => {
  const tried: Way[] = [at('gemini', 'http://host')]
  for (;;) {
    const [next] = tried.slice(-1).flatMap((last) => otherWays(last, tried).slice(0, 1))
    if (next === undefined) break
    expect(tried).not.toContainEqual(next)
    tried.push(next)
  }
  expect(tried.map(({ protocol, base_url: url }) => [protocol, url])).toEqual([
    ['gemini', 'http://host'],
    ['openai-chat', 'http://host/v1'],
    ['anthropic', 'http://host/v1'],
  ])
})
