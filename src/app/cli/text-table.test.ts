import { expect, test } from 'vitest'
import { textTable } from './print-rows.ts'

test('a cell is one line and moves nothing, whatever is in it', () => {
  const rows = [
    ['NAME', 'ID'],
    ['two\nlines', '1'],
    ['\u001B[2Jgone', '2'],
    ['evil\u202Egnp', '3'],
  ]
  expect(textTable(rows)).toBe(
    String.raw`NAME            ID
two\u000alines  1
\u001b[2Jgone   2
evil\u202egnp   3
`,
  )
})
