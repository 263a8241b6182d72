import { expect, test } from 'vitest'
import { prettyBody } from './pretty-body.ts'

const body = (text: string, encoding: 'utf8' | 'base64' = 'utf8') => ({ encoding, text, bytes: 1, is_cut: false })

test('JSON gets lines and indents, and everything else stays as it came', () => {
  expect(prettyBody(body('{"a":[1]}'))).toBe('{\n  "a": [\n    1\n  ]\n}')
  for (const text of ['data: {"a":1}\n\n', '{"a":', 'plain', '']) expect(prettyBody(body(text))).toBe(text)
  expect(prettyBody(body('e30=', 'base64'))).toBe('e30=')
})
