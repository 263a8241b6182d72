import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { filesByPage } from './page-files.ts'
import { pagesOf } from './routed-pages.ts'

const chunk = { type: 'chunk', isEntry: false, imports: [] }
const holding = (...paths: string[]) => ({
  modules: Object.fromEntries(paths.map((path) => [`/here/console/${path}`, null])),
})

test('a page brings its own files and all of its words, and not what the entry brings anyway', () => {
  const [words, page] = ['assets/words-1.js', 'assets/sign-in-page-1.js']
  const files = filesByPage(
    [
      { ...chunk, fileName: 'assets/main-1.js', isEntry: true, imports: ['assets/react-1.js'] },
      { ...chunk, fileName: 'assets/react-1.js' },
      { ...chunk, fileName: 'assets/table-1.js', imports: ['assets/react-1.js'] },
      {
        ...chunk,
        fileName: page,
        ...holding('pages/outside/sign-in-page.tsx'),
        imports: ['assets/table-1.js', 'assets/main-1.js'],
      },
      { ...chunk, fileName: words, ...holding('dictionaries/outside-en.ts', 'dictionaries/every-page-en.ts') },
      { ...chunk, fileName: 'assets/chinese-1.js', ...holding('dictionaries/outside-zh-cn.ts') },
      { type: 'asset', fileName: 'assets/styles-1.css' },
      { type: 'asset', fileName: 'assets/inter-1.woff2' },
    ],
    [
      {
        path: 'sign-in',
        code: ['console/pages/outside/sign-in-page.tsx'],
        words: {
          en: ['console/dictionaries/every-page-en.ts', 'console/dictionaries/outside-en.ts'],
          zhCn: ['console/dictionaries/outside-zh-cn.ts'],
        },
      },
    ],
  )
  expect(files).toEqual({
    fonts: ['inter-1.woff2'],
    files: ['sign-in-page-1.js', 'table-1.js', 'words-1.js', 'chinese-1.js'],
    pages: { 'sign-in': [[0, 1], [2], [3]] },
  })
})

test('every page of the router is known with sources that are there, and those in front of the sign-in need no shell', async () => {
  const routes = await readFile(new URL('routes.tsx', import.meta.url), 'utf8')
  const pages = pagesOf(routes)
  expect(pages).toHaveLength(routes.match(/-page\.tsx'\)/g)?.length ?? 0)
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  for (const { path, code, words } of pages) {
    expect(path).toMatch(/^[a-z][\w/$-]*$/)
    const sources = [...code, ...words.en, ...words.zhCn]
    for (const source of sources) await readFile(new URL(`../${source}`, import.meta.url))
  }
  const named = (path: string) => pages.find((page) => page.path === path)
  expect(named('sign-in')?.code).toEqual(['console/pages/outside/sign-in-page.tsx'])
  expect(named('admin/upstreams/$')?.code).toContain('console/pages/admin/upstreams/upstream-page.tsx')
})

test('words are found by their names, in a list of the route or in one that has a name', () => {
  const [page] = pagesOf(
    "const TEXTS = ['causes', 'keySpend'] as const\nownPage(PATHS.key, () => import('./pages/key/key-page.tsx'), { texts: TEXTS }),",
  )
  expect(page?.path).toBe('keys/$')
  expect(page?.words.zhCn.slice(1)).toEqual(['src/causes/chinese.ts', 'console/dictionaries/key-spend-zh-cn.ts'])
})
