import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { modelDocs } from '../../tools/model-docs.ts'
import { readProjectFile } from './source-files.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the page, to be read before it is committed. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const PAGE = 'docs/models.md'

test('docs/models.md says what the table of models says', async () => {
  if (WRITES) await writeFile(new URL(`../../${PAGE}`, import.meta.url), modelDocs())
  else expect(await readProjectFile(PAGE), `${PAGE} is stale: TOLLGATE_WRITE_DOCS=1`).toBe(modelDocs())
})
