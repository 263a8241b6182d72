import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CREDENTIAL_KIND_NAMES, credentialSource } from '../../../../src/core/credential-kind.ts'
import { UPSTREAM_DIALECT_NAMES, upstreamDialectFacts } from '../../../../src/core/upstream-dialect.ts'
import { cloudOf, type Vendor, VENDOR_IDS, vendorOf } from './vendors.ts'

const shipped = JSON.parse(await readFile(new URL('../../../../docs/prices.json', import.meta.url), 'utf8')) as {
  readonly providers: Readonly<Record<string, object>>
}

const ROWS = VENDOR_IDS.map((id) => [id, vendorOf(id)] as const)

test.for(ROWS)('%s is called as the lists of prices call it, and its keys are made over HTTPS', ([, row]) => {
  for (const provider of row.prices) expect(Object.keys(shipped.providers)).toContain(provider)
  for (const { baseUrl, keys } of row.sites)
    expect([baseUrl, keys].every((url) => URL.parse(url)?.protocol === 'https:')).toBe(true)
})

test.for(ROWS)('%s has credentials that there are, and a cloud those that its dialect takes', ([, row]) => {
  const kinds = row.credentials.map((each) => {
    const [kind = '', source = ''] = each.split('.')
    const known = CREDENTIAL_KIND_NAMES.find((name) => name === kind)
    expect(known === undefined ? undefined : credentialSource(known, source), each).toBeDefined()
    return known
  })
  if (row.dialect === null) return
  const { credentialKinds, protocols } = upstreamDialectFacts(row.dialect)
  expect(credentialKinds).toEqual(expect.arrayContaining(kinds))
  expect(protocols).toEqual(expect.arrayContaining([...row.protocols]))
})

test('each cloud has a row, which its addresses lead to', () => {
  const clouds = ROWS.flatMap(([id, { dialect, example = '' }]: readonly [string, Vendor]) =>
    dialect === null ? [] : [[dialect, id, cloudOf(example)] as const],
  )
  expect(clouds.map(([dialect]) => dialect)).toEqual(UPSTREAM_DIALECT_NAMES)
  for (const [, id, found] of clouds) expect(found).toBe(id)
  expect(cloudOf('https://api.openai.com/v1')).toBeNull()
})
