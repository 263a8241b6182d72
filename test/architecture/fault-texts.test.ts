import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FAULT_CODES, generatedFiles, withHead, wordsOf } from '../../tools/fault-texts.ts'
import { readProjectFile } from './source-files.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the files, to be read before they are committed. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const ROOT = new URL('../../', import.meta.url)

const pages = await Promise.all(FAULT_CODES.map((code) => readProjectFile(pathOf(code))))

test.each(FAULT_CODES)('the head of the page of %s says what its front matter and its facts say', async (code) => {
  const page = pages[FAULT_CODES.indexOf(code)] ?? ''
  await isWritten(pathOf(code), withHead(code, page, wordsOf(code, page)))
})

const readme = await readProjectFile('docs/errors/README.md')

test('every other English text about faults is generated from the pages and the facts', async () => {
  const words = new Map(FAULT_CODES.map((code, i) => [code, wordsOf(code, pages[i] ?? '')]))
  for (const [path, text] of generatedFiles(words, readme)) await isWritten(path, text)
})

test('front matter with a missing, unknown or badly written field is refused', () => {
  const front = (lines: string) => wordsOf('draining', `---\n${lines}\n---\n\n# draining\n`)
  const good = 'title: A title\ncause: A cause.\nremedy: A remedy.'
  expect(front(good)).toEqual({ title: 'A title', cause: 'A cause.', remedy: 'A remedy.' })
  expect(front(`${good}\ndoctor: An advice.`)).toMatchObject({ doctor: 'An advice.' })
  expect(() => front('title: A title\ncause: A cause.')).toThrow(/remedy is missing/)
  expect(() => front(`${good}\nadvice: none`)).toThrow(/unknown field advice/)
  expect(() => front(good.replace('A title', 'A title.'))).toThrow(/title is missing, or/)
  expect(() => front(good.replace('A cause.', 'a cause'))).toThrow(/cause is missing, or/)
  expect(() => front(good.replace('A cause.', 'The key\'s "cause".'))).toThrow(/cause is missing, or/)
  expect(() => wordsOf('draining', '# draining\n')).toThrow(/no front matter/)
})

test('a head is written once, whatever stood there, and keeps the rest of the page', () => {
  const words = { title: 'A title', cause: 'A cause.', remedy: 'A remedy.' }
  const front = '---\ntitle: A title\n---\n'
  const rest = 'Details.\n\n## Reproduce it\n\n```text\nkept\n```\n'
  const page = withHead('draining', `${front}\n# draining\n\n${rest}`, words)
  expect(page).toContain(
    `${front}\n# draining\n\n**A title.** A cause.\n\n**Fix:** A remedy.\n\n\`\`\`text\nHTTP status: 503`,
  )
  expect(page.endsWith(`\`\`\`\n\n${rest}`)).toBe(true)
  expect(withHead('draining', page, words)).toBe(page)
  expect(withHead('draining', page.replace('A cause.', 'Stale.'), words)).toBe(page)
})

async function isWritten(path: string, expected: string): Promise<void> {
  if (WRITES) await writeFile(new URL(path, ROOT), expected)
  else expect(await readProjectFile(path).catch(() => null), `${path} is stale: TOLLGATE_WRITE_DOCS=1`).toBe(expected)
}

function pathOf(code: string): string {
  return `docs/errors/${code}.md`
}
