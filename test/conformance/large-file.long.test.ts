import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { largeFile } from '../support/large-file.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { readDeclarativeFile } from '../../src/app/declarative/declarative-file.ts'
import { DECLARATIVE_FILE_LIMIT_BYTES } from '../../src/app/declarative/located-yaml.ts'
import { EXPORTED_ACCOUNTS_LIMIT, EXPORTED_KEYS_LIMIT } from '../../src/app/declarative/export-file.ts'

async function read(text: string) {
  const path = join(await temporaryDirectory(), 'tollgate.yaml')
  await writeFile(path, text)
  return readDeclarativeFile(path, {})
}

// from: mike840609/assets_tracker#656, dteviot/WebToEpub#2933, Bubka/2FAuth#239
test('a file of as many accounts and keys as are exported is read, and has room to grow', async () => {
  const text = largeFile({ accounts: EXPORTED_ACCOUNTS_LIMIT, keys: EXPORTED_KEYS_LIMIT })
  expect(Buffer.byteLength(text)).toBeLessThan(DECLARATIVE_FILE_LIMIT_BYTES / 2)
  const { declaration } = await read(text)
  expect([declaration.accounts.length, declaration.keys.length]).toEqual([EXPORTED_ACCOUNTS_LIMIT, EXPORTED_KEYS_LIMIT])
})

test('a file beyond the bound is refused in one sentence, to the byte', async () => {
  const fill = (bytes: number) => `groups: []\n#${'x'.repeat(bytes - 'groups: []\n#'.length)}`
  expect((await read(fill(DECLARATIVE_FILE_LIMIT_BYTES))).declaration.groups).toEqual([])
  await expect(read(fill(DECLARATIVE_FILE_LIMIT_BYTES + 1))).rejects.toThrow(
    /is larger than \d+ bytes: make it smaller\.$/,
  )
})
