import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import { FAULTS, type FaultCode } from '../../core/faults.ts'
import { errorList, errorPage } from './error-pages.ts'

const CODES = Object.keys(FAULTS) as FaultCode[]

test.each(CODES)('the page of %s opens with its name and its words, and shows no front matter', async (code) => {
  const written = await readFile(new URL(`../../../docs/errors/${code}.md`, import.meta.url), 'utf8')
  const html = shown(errorPage(code, written)?.html ?? '')
  expect(html).toContain(`<main><h1>${code}</h1><p><strong>`)
  expect(html).toContain(escaped(FAULT_TEXTS[code].cause))
  expect(html).toContain(escaped(FAULT_TEXTS[code].remedy))
  expect(html).not.toMatch(/---|(cause|remedy|doctor): /)
})

test('the list of codes says what every fault means', () => {
  const { html } = errorList()
  for (const code of CODES) expect(html).toContain(escaped(FAULT_TEXTS[code].cause))
})

test('a code that is neither a fault nor a problem has no page', () => {
  expect(errorPage('nothing', null)).toBeNull()
})

test('what a page says in HTML is shown as text, and a link leads to the page of its file', () => {
  const html = errorPage('internal', '# internal\n\na <b>c</b> [d](rate_limited.md)\n\n<script>e()</script>\n')?.html
  expect(html).toContain('a &lt;b&gt;c&lt;/b&gt; <a href="/docs/errors/rate_limited">d</a>')
  expect(html).toContain('&lt;script&gt;e()&lt;/script&gt;')
})

/** The text without the line breaks of the source, which browsers do not show. */
function shown(html: string): string {
  return html.replaceAll('>\n<', '><').replaceAll('\n', ' ')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
