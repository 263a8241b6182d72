import { expect, test } from 'vitest'
import { ApiProblem } from '../api/api-problem.ts'
import { problemText } from './problem-text.ts'

test('a problem is shown in the reader’s language, an unknown one in the words of the server', () => {
  const known = new ApiProblem({ status: 429, code: 'credential_throttled', detail: 'x', retryAfterSeconds: 30 })
  expect(problemText(known, 'en')).toBe('Too many attempts. Try again in 30 seconds.')
  expect(problemText(known, 'zh-CN')).toBe('尝试次数过多，请在 30 秒后重试。')
  const unknown = new ApiProblem({ status: 422, code: 'brand_new', detail: 'The server’s own words.' })
  expect(problemText(unknown, 'zh-CN')).toBe('The server’s own words.')
  const inherited = new ApiProblem({ status: 422, code: 'constructor', detail: 'Mine.' })
  expect(problemText(inherited, 'en')).toBe('Mine.')
})
