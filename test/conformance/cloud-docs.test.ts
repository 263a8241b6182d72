import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseDeclarativeFile } from '../../src/app/declarative/declarative-file.ts'
import { upstreamCreate } from '../../src/contract/upstreams.ts'
import { CREDENTIAL_KINDS } from '../../src/core/credential-kind.ts'
import { UPSTREAM_DIALECTS } from '../../src/core/upstream-dialect.ts'

const page = await readFile(new URL('../../docs/clouds.md', import.meta.url), 'utf8')
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

test('the file that docs/clouds.md shows can be applied, with each cloud in it', () => {
  const { declaration } = parseDeclarativeFile(block('yaml'), { name: 'tollgate.yaml', environment: {} })
  const dialects = declaration.upstreams.map(({ passage }) => passage?.dialect)
  expect(new Set(dialects)).toEqual(new Set(Object.keys(UPSTREAM_DIALECTS)))
})

test('the body that it shows for the API is taken', () => {
  const [, body = ''] = /-d '([\s\S]*?)'/.exec(block('sh')) ?? []
  expect(upstreamCreate.safeParse(JSON.parse(body)).error).toBeUndefined()
})

test('it names each dialect, kind and source', () => {
  for (const name of Object.keys(UPSTREAM_DIALECTS)) expect(page).toContain(`| \`${name}\` |`)
  for (const [kind, { sources }] of Object.entries(CREDENTIAL_KINDS)) {
    expect(page).toContain(`\`${kind}\``)
    for (const [source, { settings }] of Object.entries(sources)) {
      if (kind !== 'static') expect(page).toContain(`\`${source}\``)
      for (const setting of Object.keys(settings)) expect(page).toContain(`\`${setting}\``)
    }
  }
})
