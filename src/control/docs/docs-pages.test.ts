import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { docsFileOf, docsList, docsPage } from './docs-pages.ts'

const ROOT = new URL('../../..', import.meta.url)
const names = [...docsList().html.matchAll(/href="\/docs\/([\w-]+)"/g)]
  .map(([, name]) => name ?? '')
  .filter((name) => name !== 'errors')

test('the list leads to pages', () => {
  expect(names.length).toBeGreaterThan(5)
})

test.each(names)(
  '%s is shipped, is shown, and leads to nothing but headings and pages that are there',
  async (name) => {
    const file = docsFileOf(name) ?? ''
    const shipped: unknown = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
    expect(shipped).toMatchObject({ files: expect.arrayContaining([file.split('/', 1)[0]]) })
    const { html } = docsPage(name, await readFile(new URL(file, ROOT), 'utf8'))
    expect(html).toMatch(/<main><h1/)
    for (const [, link = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (link.startsWith('#')) expect(html, link).toContain(`id="${link.slice(1)}"`)
      else expect(link).toMatch(/^https?:\/\/|^\/docs(\/[\w-]+)?(#[\w-]+)?$|^\/docs\/errors\/\w+$|^\/api\/docs$/)
    }
  },
)

test('a name that is not of the list has no page', () => {
  for (const name of ['nothing', 'constructor', 'package', '../package.json', 'decisions']) {
    expect(docsFileOf(name), name).toBeNull()
  }
})
