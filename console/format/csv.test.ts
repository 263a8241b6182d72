import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('a file for spreadsheets has its cells as they are, and no formula', () => {
  const rows = [
    ['email', 'link'],
    ['a,"b"@example.com', 'https://x.test/#t'],
    ['=1+1@example.com', '-'],
  ]
  expect(csvOf(rows)).toBe('\uFEFFemail,link\r\n"a,""b""@example.com",https://x.test/#t\r\n\'=1+1@example.com,\'-\r\n')
})
