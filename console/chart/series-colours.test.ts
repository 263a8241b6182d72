import { expect, test } from 'vitest'
import { slotsOf } from './series-colours.ts'

const NAMES = ['gpt-5.5', 'claude-haiku-5', 'qwen-4-max', 'deepseek-v4', 'kimi-k3', 'glm-5', 'mistral-large-4']

test('no two series of a chart have one colour', () => {
  expect(new Set(slotsOf(NAMES, new Map())).size).toBe(NAMES.length)
})

test('a series keeps its colour when others come, go or overtake it', () => {
  const known = new Map<string, number>()
  const first = slotsOf(NAMES, known)
  const later = [NAMES[6], 'a-new-one', NAMES[0], NAMES[3]].map((name) => name ?? '')
  const [last, , top, fourth] = slotsOf(later, known)
  expect([last, top, fourth]).toEqual([first[6], first[0], first[3]])
  expect(slotsOf([NAMES[2] ?? ''], known)).toEqual([first[2]])
})

test('the colour of a name is its own, and the same on every visit', () => {
  expect(slotsOf(['gpt-5.5'], new Map())).toEqual(slotsOf(['gpt-5.5'], new Map()))
  const slots = NAMES.map((name) => slotsOf([name], new Map())[0])
  expect(new Set(slots).size).toBeGreaterThan(2)
})
