import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The levels of a page's headings in order, with the code below each. Diagrams have words, and are left out. */
function outline(text: string): readonly { readonly level: number; readonly code: readonly string[] }[] {
  const sections: { level: number; code: string[] }[] = []
  for (const [, block, language, code, heading] of text.matchAll(/^(```(\w*)\n([\s\S]*?)^```$)|^(#+) .+$/gm)) {
    if (heading !== undefined) sections.push({ level: heading.length, code: [] })
    else if (block !== undefined && language !== 'mermaid') sections.at(-1)?.code.push(`${language}\n${code}`)
  }
  return sections
}

test.each([
  ['README.md', 'README.zh-CN.md'],
  ['docs/getting-started.md', 'docs/getting-started.zh-CN.md'],
])('%s and its Chinese page have the same sections, with the same commands in each', (english, chinese) => {
  const expected = outline(read(english))
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.flatMap(({ code }) => code).length).toBeGreaterThan(5)
  expect(outline(read(chinese))).toEqual(expected)
})

test.each([
  ['README.md', 'README.zh-CN.md'],
  ['README.zh-CN.md', 'README.md'],
  ['docs/getting-started.md', 'getting-started.zh-CN.md'],
  ['docs/getting-started.zh-CN.md', 'getting-started.md'],
])('%s leads to the page in the other language near its top', (page, other) => {
  expect(read(page).slice(0, 200)).toContain(`](${other})`)
})

/** Every page of the repository, by its path from the root. */
const PAGES = ['.', 'docs', 'bench'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)

const links = PAGES.flatMap((page) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
)

test('every link of every page leads to a file that is there, and to a heading of it', () => {
  const broken = links.filter(({ page, link }) => !/^(?:https?|mailto):/.test(link) && !leadsSomewhere(page, link))
  expect(PAGES).toContain('docs/moving-in.md')
  expect(links.length).toBeGreaterThan(300)
  expect(broken).toEqual([])
})

test('every picture is shown on a page', () => {
  const pictures = readdirSync(join(ROOT, 'docs', 'pictures')).map((name) => join('docs', 'pictures', name))
  const shown = new Set(links.map(({ page, link }) => join(dirname(page), link)))
  expect(pictures.length).toBeGreaterThan(5)
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([])
})

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const path = file === '' ? page : join(dirname(page), file)
  if (!existsSync(join(ROOT, path))) return false
  return anchor === undefined || anchorsOf(read(path)).includes(anchor)
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}
