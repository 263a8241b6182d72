import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'
import { type FileImports, readImports } from './source-imports.ts'

/** Where a gateway and a thread of it begin. */
const STARTS = ['src/app/server/start-gateway.ts', 'src/app/workers/worker-thread.ts']
/** The files that `tollgate start` comes to by itself, whatever is configured. */
const ORDINARY_START = ['src/main.ts', 'src/app/cli/start.ts', 'src/core/log.ts', 'src/store/open-store.ts', ...STARTS]
const LATE = 'src/app/open-telemetry/start-open-telemetry.ts'

async function sources(): Promise<ReadonlyMap<string, FileImports>> {
  return new Map((await readSources('src', /\.ts$/)).map((file) => [file.path, readImports(file)]))
}

/** What is loaded with these files, and the packages among it. */
function loadedWith(starts: readonly string[], files: ReadonlyMap<string, FileImports>) {
  const loaded = new Set(starts)
  const packages = new Set<string>()
  // The set grows while it is walked.
  for (const path of loaded) {
    for (const { target, specifier, typesOnly, isLate } of files.get(path)?.imports ?? []) {
      if (typesOnly || isLate) continue
      if (target === undefined) packages.add(specifier ?? '')
      else loaded.add(target)
    }
  }
  return { loaded, packages }
}

test('an ordinary start loads two packages, and the threads of the embedded database none', async () => {
  const files = await sources()
  expect([...loadedWith(ORDINARY_START, files).packages].filter(isForeign).sort()).toEqual(['kysely', 'pino'])
  for (const thread of ['src/store/sqlite/sqlite-thread.ts', 'src/store/sqlite/checkpoint-thread.ts']) {
    expect(files.has(thread)).toBe(true)
    expect([...loadedWith([thread], files).packages].filter(isForeign)).toEqual([])
  }
})

/** The packages that come with what is configured or asked for, by the file that leads to them. */
const CONFIGURED = {
  'src/store/postgres/open-postgres.ts': ['pg'],
  'src/store/open-cluster-counts.ts': ['@redis/client'],
  'src/alerts/mail.ts': ['nodemailer'],
  'src/alerts/webhook.ts': [],
  'src/app/backups/backup-schedule.ts': [],
  'src/app/declarative/declarative-file.ts': ['@hono/zod-openapi', 'yaml', 'zod'],
  'src/app/installation/set-up.ts': ['@hono/zod-openapi'],
  'src/app/server/join-sign-in.ts': ['@hono/zod-openapi', 'jose', 'nodemailer', 'zod'],
  'src/metering/usage/token-counter/counting-thread.ts': ['gpt-tokenizer/encoding/o200k_base'],
}

test.for(Object.entries(CONFIGURED))('%s brings along %j and no other package', async ([path, packages]) => {
  const files = await sources()
  expect(files.has(path)).toBe(true)
  const { loaded } = loadedWith([path], files)
  const before = loadedWith(ORDINARY_START, files).loaded
  const named = [...loaded]
    .filter((each) => !before.has(each))
    .flatMap((each) => files.get(each)?.imports ?? [])
    .flatMap(({ target, specifier, typesOnly }) => (typesOnly || target !== undefined ? [] : [specifier ?? '']))
  expect([...new Set(named)].filter((name) => isForeign(name) && name !== 'kysely').sort()).toEqual(packages)
})

function isForeign(name: string): boolean {
  return !name.startsWith('node:')
}

test('OpenTelemetry is loaded by the one import() that a configured collector leads to, and not with a gateway', async () => {
  const files = await sources()
  const { loaded, packages } = loadedWith(STARTS, files)
  expect(loaded.size).toBeGreaterThan(300)
  expect([...packages].filter((name) => name.startsWith('@opentelemetry/'))).toEqual([])
  const importers = [...files.values()].flatMap(({ path, imports }) =>
    imports.filter(({ target, typesOnly }) => target === LATE && !typesOnly).map(({ isLate }) => [path, isLate]),
  )
  expect(importers).toEqual([['src/app/open-telemetry/open-telemetry.ts', true]])
  expect(files.get(LATE)?.imports.some(({ specifier }) => specifier?.startsWith('@opentelemetry/'))).toBe(true)
})

test('what imports from other gateways is loaded by its command alone', async () => {
  const files = await sources()
  const isImport = (path: string) => path.startsWith('src/import/')
  expect([...loadedWith([...STARTS, 'src/main.ts'], files).loaded].filter(isImport)).toEqual([])
  const late = [...files.values()].flatMap(({ path, imports }) =>
    imports.flatMap(({ target, isLate }) => (isLate && target !== undefined && !isImport(path) ? [target] : [])),
  )
  const leading = new Set(late.filter((path) => [...loadedWith([path], files).loaded].some(isImport)))
  expect([...leading]).toEqual(['src/app/cli/import-command.ts'])
})

/** Libraries that mint tokens and sign for clouds. */
const OF_CLOUDS = /^(?:@aws-sdk|@smithy|@aws-crypto|@azure)\/|^google-auth-library$/

test('the libraries of the clouds are loaded by import() alone, where a credential is minted or a request is signed', async () => {
  const files = await sources()
  const { packages } = loadedWith([...STARTS, 'src/main.ts'], files)
  expect([...packages].filter((name) => OF_CLOUDS.test(name))).toEqual([])
  const importers = [...files.values()].flatMap(({ path, imports }) =>
    (path.endsWith('.test.ts') ? [] : imports)
      .filter(({ specifier, typesOnly }) => !typesOnly && OF_CLOUDS.test(specifier ?? ''))
      .map(({ isLate }) => ({ path, isLate })),
  )
  expect(
    importers.filter(({ path }) => path.startsWith('src/upstreams/credentials/')).every(({ isLate }) => isLate),
  ).toBe(true)
  const minting = importers.map(({ path }) => path).filter((path) => path.startsWith('src/upstreams/credentials/mint-'))
  expect(new Set(minting).size).toBe(3)
})
