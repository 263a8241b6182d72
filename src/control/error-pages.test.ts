import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FAULT_TEXTS } from '../core/fault-texts.ts'
import { FAULTS, type FaultCode } from '../core/faults.ts'
import { errorList, errorPage } from './error-pages.ts'

const CODES = Object.keys(FAULTS) as FaultCode[]

test.each(CODES)('the page of %s opens with its name and its words, and shows no front matter', async (code) => {
  const written = await readFile(new URL(`../../docs/errors/${code}.md`, import.meta.url), 'utf8')
  const { html } = errorPage(code, written) ?? { html: '' }
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
