import { expect, test } from 'vitest'
import { languageOf } from './language.ts'

test.for([
  [['zh-TW', 'en'], 'zh-CN'],
  [['de-DE', 'zh-Hans-CN'], 'zh-CN'],
  [['EN-us', 'zh'], 'en'],
  [['de', 'fr'], 'en'],
  [[null, 'zh'], 'zh-CN'],
  [[], 'en'],
] as const)('a reader of %j gets %s', ([tags, language]) => {
  expect(languageOf(tags)).toBe(language)
})
