import { expect, test } from 'vitest'
import { checkConsoleWording } from './console-wording.ts'
import { printed, readSources } from './source-files.ts'

const dictionaries = (await readSources('console/dictionaries', /-(en|zh-cn)\.ts$/)).filter(
  ({ path }) => !path.endsWith('.test.ts'),
)

test('the console speaks as a product writer of each language does', () => {
  expect(dictionaries.length).toBeGreaterThan(20)
  expect(printed(dictionaries.flatMap(checkConsoleWording))).toEqual([])
})

test.each([
  ['en', "none: 'It stands on every record.'"],
  ['en', "total: '12 in all'"],
  ['en', "lost: 'The answer got lost on the way.'"],
  ['en', "aborted: 'The client hung up before the end.'"],
  ['zh-cn', "malformed: '回应无法解析'"],
  ['zh-cn', "where: '位置: '"],
  ['zh-cn', 'filter: `故障：${what}`'],
  ['zh-cn', "limit: '每分钟 200,000 tokens'"],
] as const)('in %s, %s is reported', (language, line) => {
  expect(checkConsoleWording({ path: `console/dictionaries/a-${language}.ts`, text: `\n${line}` })).toHaveLength(1)
})

test.each([
  ['en', "none: 'Applies to requests in all of your groups.'"],
  ['zh-cn', "tokens_per_minute: '每分钟 Token 数',"],
  ['zh-cn', 'labelled: `状态：${value}`'],
] as const)('in %s, %s is allowed', (language, line) => {
  expect(checkConsoleWording({ path: `console/dictionaries/a-${language}.ts`, text: line })).toEqual([])
})
