import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { VARIABLES } from '../../src/app/installation/environment.ts'
import { fileVariableOf } from '../../src/app/installation/secret-files.ts'
import type { Variable } from '../../src/app/installation/variable.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the table into the page, to be read before it is committed. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const PAGE = new URL('../../docs/operating.md', import.meta.url)
const TABLE = /(?<=<!-- variables -->\n).*?(?=<!-- end of variables -->)/s

test('the reference says of every environment variable what its record says', async () => {
  const page = await readFile(PAGE, 'utf8')
  expect(page).toMatch(TABLE)
  const written = page.replace(TABLE, () => referenceTable())
  if (WRITES) await writeFile(PAGE, written)
  else expect(page, 'docs/operating.md is stale: TOLLGATE_WRITE_DOCS=1').toBe(written)
})

function referenceTable(): string {
  const head = '| variable | while unset | takes | meaning |\n|---|---|---|---|'
  return `\n${[head, ...VARIABLES.map(row)].join('\n')}\n\n`
}

function row({ name, isSecret, ifUnset, takes, meaning, more, unset }: Variable): string {
  const names = isSecret ? `\`${name}\`, \`${fileVariableOf(name)}\`` : `\`${name}\``
  const isShown = unset !== null && !Array.isArray(unset)
  const sentence = more === undefined ? marked(meaning) : `${marked(meaning)}. ${more}`
  return `| ${names} | ${isShown ? `\`${ifUnset}\`` : marked(ifUnset)} | ${marked(takes)} | ${sentence} |`
}

/** Names, commands and addresses as code: Markdown would make elements and links of some. */
function marked(words: string): string {
  const asCode = /"([^"]+)"|\w+ <[^>]+>|\S+:\/\/[^\s,]+|[A-Z]+_[A-Z_]+|X-Forwarded-\*/g
  return words.replaceAll(asCode, (found: string, quoted: string | undefined) => `\`${quoted ?? found}\``)
}
