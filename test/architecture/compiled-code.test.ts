import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import openWabt from 'wabt'
import { readProjectFile } from './source-files.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes what is compiled. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const FOLDER = 'src/protocols/json'

test.for(['quote-marks', 'nested-tokens'])('the code of the %s is what its source compiles to', async (name) => {
  const wabt = await openWabt()
  const code = `${FOLDER}/${name}/${name}-code.ts`
  const parsed = wabt.parseWat(`${name}.wat`, await readProjectFile(`${FOLDER}/${name}/${name}.wat`), { simd: true })
  parsed.validate()
  const base64 = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
  const constant = `${name.toUpperCase().replace('-', '_')}_CODE`
  const written = `/** What ${name}.wat compiles to, in base64; \`test/architecture/compiled-code.test.ts\` writes it. */\nexport const ${constant} =\n  '${base64}'\n`
  if (WRITES) await writeFile(new URL(`../../${code}`, import.meta.url), written)
  else expect(await readProjectFile(code), `${code} is stale: TOLLGATE_WRITE_DOCS=1`).toBe(written)
})
