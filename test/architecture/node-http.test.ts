import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'
import { readImports } from './source-imports.ts'

const SOURCES = await readSources('src', /(?<!\.test)\.ts$/)

test('no file of the gateway loads undici, HTTP/2 and web streams by an import of node:http', () => {
  const naming = SOURCES.filter(({ text }) => /['"](?:node:)?http2?['"]/.test(text))
  const importing = naming
    .map(readImports)
    .filter(({ imports }) =>
      imports.some(({ specifier, typesOnly }) => !typesOnly && /^(?:node:)?http2?$/.test(specifier ?? '')),
    )
  expect(naming.map(({ path }) => path)).toContain('src/core/node-http.ts')
  expect(importing.map(({ path }) => path)).toEqual([])
})
