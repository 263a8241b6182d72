import { expect, test } from 'vitest'
import { readSources } from '../architecture/source-files.ts'

/** What finds an element by how the page is built, rather than by what a person reads of it. */
const BUILD_DETAILS =
  /\.locator\(\s*['"`]|getByTestId|data-testid|querySelector|getElement(s?)By|\.\$\$?\(|\$eval|xpath=|css=|getByPlaceholder|getByAltText/

test('the tests of the browser find everything by role and label', async () => {
  const files = (await readSources('test/browser', /\.ts$/)).filter(({ path }) => !path.endsWith('locators.test.ts'))
  expect(files.length).toBeGreaterThan(8)
  const findings = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (BUILD_DETAILS.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  )
  expect(findings).toEqual([])
  expect(BUILD_DETAILS.test(`page.locator('.card')`)).toBe(true)
})
