import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyedHash, sealer } from '../../src/core/secret-box.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { largeFile } from '../support/large-file.ts'
import { migratedDirectory, temporaryDirectory } from '../support/test-servers.ts'
import { applyDeclarativeFile } from '../../src/app/declarative/apply-declarative.ts'
import { boundedExport, EXPORTED_ACCOUNTS_LIMIT, EXPORTED_KEYS_LIMIT } from '../../src/app/declarative/export-file.ts'
import { readDeclarativeFile } from '../../src/app/declarative/declarative-file.ts'

const SECRET = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
const now = 1_790_000_000_000

// from: mike840609/assets_tracker#656, dteviot/WebToEpub#2933, airbytehq/airbyte#4146
test('what is exported of the largest installation that may be exports the same once it is applied to an empty one', async () => {
  const [from, to] = [await opened(), await opened()]
  await apply(largeFile({ accounts: EXPORTED_ACCOUNTS_LIMIT, keys: EXPORTED_KEYS_LIMIT }), from)
  const exported = await boundedExport(from, now)
  expect(exported).not.toBeNull()
  await apply(exported?.text ?? '', to)
  expect(contentOf((await boundedExport(to, now))?.text)).toBe(contentOf(exported?.text))
})

/** Keys that were made at one moment have no order among them, and credentials are encrypted anew each time. */
function contentOf(text = ''): string {
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('secret: '))
  return lines.toSorted().join('\n')
}

/** Applies a file in the way that TOLLGATE_CONFIG, SIGHUP and `tollgate apply` do. */
async function apply(text: string, store: Store): Promise<void> {
  const path = join(await temporaryDirectory(), 'tollgate.yaml')
  await writeFile(path, text)
  const file = await readDeclarativeFile(path, {})
  const about = { store, sealer: sealer(SECRET), hashSecret: keyedHash(SECRET), nowMs: now }
  const { warnings } = await applyDeclarativeFile(file, about)
  expect(warnings).toEqual([])
}

async function opened(): Promise<Store> {
  const clock = { now: () => now, elapsed: () => 0 }
  const store = await openStore({ databaseUrl: null, dataDirectory: await migratedDirectory(), clock })
  onTestFinished(() => store.close())
  return store
}
