import { expect, test } from 'vitest'
import { bestFirst, rankOf, type Findable } from './rank.ts'

const KEYS: Findable = { names: ['API keys', 'API 密钥'], words: ['secret token', '令牌'] }
const DARK: Findable = { names: ['外观：深色', 'Theme: Dark'], words: ['appearance night', '主题 夜间模式'] }

test.for([
  ['api', KEYS],
  ['keys', KEYS],
  ['密钥', KEYS],
  ['KEY', KEYS],
  ['secret', KEYS],
  ['dark theme', DARK],
  ['theme: dark', DARK],
  ['深色', DARK],
  ['夜间', DARK],
  ['模式', DARK],
] as const)('%s is found by its words in either language', ([typed, item]) => {
  expect(rankOf(typed, item)).not.toBeNull()
})

test('every word that is typed has to be found', () => {
  expect(rankOf('dark keys', DARK)).toBeNull()
  expect(rankOf('cret', KEYS)).toBeNull()
})

test('a name that begins so comes before a word of it, and that before other words for it', () => {
  const names = (typed: string) =>
    bestFirst(typed, [
      { names: ['Open'], words: ['key'] },
      { names: ['Create a key'], words: [] },
      { names: ['Keys'], words: [] },
    ]).map((item) => item.names[0])
  expect(names('key')).toEqual(['Keys', 'Create a key', 'Open'])
  expect(names('')).toEqual(['Open', 'Create a key', 'Keys'])
})
