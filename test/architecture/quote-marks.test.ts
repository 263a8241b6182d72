import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import openWabt from 'wabt'
import { readProjectFile } from './source-files.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes what is compiled. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const FOLDER = 'src/protocols/json/quote-marks'
const CODE = `${FOLDER}/quote-marks-code.ts`

test('the code of the quote marks is what its source compiles to', async () => {
  const wabt = await openWabt()
  const parsed = wabt.parseWat('quote-marks.wat', await readProjectFile(`${FOLDER}/quote-marks.wat`), { simd: true })
  parsed.validate()
  const base64 = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
  const written = `/** What quote-marks.wat compiles to, in base64; \`test/architecture/quote-marks.test.ts\` writes it. */\nexport const QUOTE_MARKS_CODE =\n  '${base64}'\n`
  if (WRITES) await writeFile(new URL(`../../${CODE}`, import.meta.url), written)
  else expect(await readProjectFile(CODE), `${CODE} is stale: TOLLGATE_WRITE_DOCS=1`).toBe(written)
})
