import { describe, expect, test } from 'vitest'
import { listFiles, printed, readSources, type Finding, type SourceFile } from './source-files.ts'

/** The limit of style sheets, which the linter does not read; it has the same limit for code (`max-lines`). */
const LINE_LIMIT = 400
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*((\.test|\.d)?\.tsx?|\.wat)$/
/** Names of files in the console, where there is more than code. */
const CONSOLE_FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(tsx?|css|html|svg|png|json|ico|woff2)$/

describe('every file of src, console and client', async () => {
  const paths = [...(await listFiles('src')), ...(await listFiles('console')), ...(await listFiles('client'))]

  test('was found', () => {
    expect(paths.length).toBeGreaterThan(20)
  })

  test('has a kebab-case name, in src with the ending .ts, or .wat for what is compiled to WebAssembly', () => {
    expect(printed(paths.flatMap(checkPath))).toEqual([])
  })
})

test(`every style sheet has at most ${LINE_LIMIT} lines`, async () => {
  const sheets = await readSources('console', /\.css$/)
  expect(sheets.length).toBeGreaterThan(0)
  expect(printed(sheets.flatMap(checkLength))).toEqual([])
})

test.each([
  ['src/core/money.ts', true],
  ['src/core/quota-period.test.ts', true],
  ['console/pages/key-list.tsx', true],
  ['src/core/quotaPeriod.ts', false],
  ['src/core/Money.ts', false],
  ['src/core/quota_period.ts', false],
  ['src/Core/money.ts', false],
  ['src/core/money.js', false],
  ['src/core/money.d.ts', true],
])('%s is a good path: %s', (path, good) => {
  expect(checkPath(path).length === 0).toBe(good)
})

test('one line too many is reported, the last line break is not a line', () => {
  expect(checkLength({ path: 'console/a.css', text: '\n'.repeat(LINE_LIMIT) })).toEqual([])
  expect(printed(checkLength({ path: 'console/a.css', text: '\n'.repeat(LINE_LIMIT) + 'x' }))).toEqual([
    'console/a.css:401 has 401 lines',
  ])
})

function checkPath(path: string): Finding[] {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  const pattern = path.startsWith('src/') ? FILE_NAME : CONSOLE_FILE_NAME
  const good = pattern.test(name) && folders.every((folder) => KEBAB_CASE.test(folder))
  return good ? [] : [{ file: path, line: 1, what: 'is not kebab-case, or has an unexpected ending' }]
}

function checkLength({ path, text }: SourceFile): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > LINE_LIMIT ? [{ file: path, line: lines, what: `has ${lines} lines` }] : []
}
