import { describe, expect, test } from 'vitest'
import { listFiles, readProjectFile } from './source-files.ts'

const FOLDER = 'docs/decisions'
const README = `${FOLDER}/README.md`
/** `# 0001: Title`, then the date and the status, and whatever more that line says. */
const HEAD = /^# (\d{4}): (.+)\n\d{4}-\d{2}-\d{2}\. (In force|Amended by .+?|Superseded by .+?)\.(?: .+)?\n/
const ROW = /^\| \[(\d{4})\]\(([\w-]+\.md)\) \| (.+) \| (.+) \|$/gm
const REFERENCE = /\[(\d{4})\]\(\1-[\w-]+\.md\)/g

interface Row {
  readonly file: string
  readonly title: string
  readonly status: string
}

const paths = (await listFiles(FOLDER)).filter((path) => path !== README).sort()
const records = await Promise.all(paths.map(async (path) => ({ path, text: await readProjectFile(path) })))
const readme = await readProjectFile(README)
const rows = [...readme.matchAll(ROW)].map(([, number = '', file = '', title = '', status = '']) => ({
  number,
  row: { file, title, status } satisfies Row,
}))
const rowOf = new Map(rows.map(({ number, row }) => [number, row]))

describe('decisions', () => {
  test('the index has each record once, and nothing else', () => {
    expect(records.length).toBeGreaterThan(90)
    expect(rows.map(({ row }) => `${FOLDER}/${row.file}`).sort()).toEqual(paths)
  })

  test.each(records)('$path has the title and the status that the index has', ({ path, text }) => {
    const [, number = '', title, status = ''] = HEAD.exec(text) ?? []
    expect(path.startsWith(`${FOLDER}/${number}-`)).toBe(true)
    expect(rowOf.get(number)).toMatchObject({ title, status: status[0]?.toLowerCase() + status.slice(1) })
  })

  test.each(records)('$path says what would make us think again, or what took its place', ({ text }) => {
    expect(text).toMatch(/\*\*Think again when\*\* .+\.\n|^# .+\n[\d-]+\. Superseded by /)
  })

  test('a status names later records that are there', () => {
    for (const { number, row } of rows) {
      const named = [...row.status.matchAll(REFERENCE)].map(([, other = '']) => other)
      expect(named.length > 0, number).toBe(row.status !== 'in force')
      for (const other of named) expect([other > number, rowOf.has(other)], `${number}: ${other}`).toEqual([true, true])
    }
  })

  test('a number without a record is named with what became of it', () => {
    const last = Math.max(...rowOf.keys().map(Number))
    const all = Array.from({ length: last }, (_, index) => String(index + 1).padStart(4, '0'))
    const [, unused = ''] = readme.split('## Numbers without a record')
    expect(unused.match(/\b\d{4}\b/g)).toEqual(all.filter((number) => !rowOf.has(number)))
  })
})
