import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'
import { readImports } from './source-imports.ts'

/** Where a gateway and a thread of it begin. */
const STARTS = ['src/app/server/start-gateway.ts', 'src/app/workers/worker-thread.ts']
const LATE = 'src/app/open-telemetry/start-open-telemetry.ts'

test('OpenTelemetry is loaded by the one import() that a configured collector leads to, and not with a gateway', async () => {
  const files = new Map((await readSources('src', /\.ts$/)).map((file) => [file.path, readImports(file)]))
  const loaded = new Set(STARTS)
  const packages = new Set<string>()
  // The set grows while it is walked.
  for (const path of loaded) {
    for (const { target, specifier, typesOnly, isLate } of files.get(path)?.imports ?? []) {
      if (typesOnly || isLate) continue
      if (target === undefined) packages.add(specifier ?? '')
      else loaded.add(target)
    }
  }
  expect(loaded.size).toBeGreaterThan(300)
  expect([...packages].filter((name) => name.startsWith('@opentelemetry/'))).toEqual([])
  const importers = [...files.values()].flatMap(({ path, imports }) =>
    imports.filter(({ target, typesOnly }) => target === LATE && !typesOnly).map(({ isLate }) => [path, isLate]),
  )
  expect(importers).toEqual([['src/app/open-telemetry/open-telemetry.ts', true]])
  expect(files.get(LATE)?.imports.some(({ specifier }) => specifier?.startsWith('@opentelemetry/'))).toBe(true)
})
