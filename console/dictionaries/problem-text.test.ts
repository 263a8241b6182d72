import { expect, test } from 'vitest'
import type { FieldTakes } from '../../src/contract/wire-values.ts'
import { ApiProblem } from '../api/api-problem.ts'
import { texts as english } from './every-page-en.ts'
import { texts as chinese } from './every-page-zh-cn.ts'
import { fieldProblemText, problemText, type ProblemWords } from './problem-text.ts'

const ENGLISH: ProblemWords = { ...english, language: 'en' }
const CHINESE: ProblemWords = { ...chinese, language: 'zh-CN' }

test('a problem is shown in the reader’s language, and no Chinese sentence has the server’s English in it', () => {
  const known = new ApiProblem({ status: 429, code: 'credential_throttled', detail: 'x', retryAfterSeconds: 30 })
  expect(problemText(known, ENGLISH)).toBe('Too many attempts. Try again in 30 seconds.')
  expect(problemText(known, CHINESE)).toBe('尝试次数过多，请在 30 秒后重试。')
  const unknown = new ApiProblem({ status: 422, code: 'brand_new', detail: 'The server’s own words.' })
  expect(problemText(unknown, ENGLISH)).toBe('The server’s own words.')
  expect(problemText(unknown, CHINESE)).toMatch(/^操作未能完成。\P{Ll}*$/u)
  const inherited = new ApiProblem({ status: 422, code: 'constructor', detail: 'Mine.' })
  expect(problemText(inherited, ENGLISH)).toBe('Mine.')
})

test('a field that is wrong says what it takes in the reader’s language, with its name where it is not on the screen', () => {
  const takes = { form: 'characters_at_most', values: ['100'], is_missing: false } satisfies FieldTakes
  const problem = new ApiProblem({ status: 422, code: 'field_invalid', detail: 'name must be …', field: 'name', takes })
  expect(fieldProblemText(problem, ENGLISH)).toBe('Use at most 100 characters.')
  expect(fieldProblemText(problem, CHINESE)).toBe('最多 100 个字符。')
  expect(problemText(problem, ENGLISH)).toBe('name: Use at most 100 characters.')
  expect(problemText(problem, CHINESE)).toBe('name：最多 100 个字符。')
})

test('a field without such a word is named with the code in both languages, and on the screen it has a sentence', () => {
  const older = { status: 422, code: 'field_invalid', detail: 'name must be …', field: 'name' }
  expect(fieldProblemText(new ApiProblem(older), ENGLISH)).toBe('name must be …')
  expect(fieldProblemText(new ApiProblem(older), CHINESE)).toBe('填写的内容不符合要求。')
  expect(problemText(new ApiProblem(older), ENGLISH)).toBe(
    'name: The server doesn’t accept this value (field_invalid).',
  )
  expect(problemText(new ApiProblem(older), CHINESE)).toBe('name：服务器未接受此值（field_invalid）。')
})
