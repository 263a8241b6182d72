import { expect, test } from 'vitest'
import { findCycles } from './import-cycles.ts'
import { printed, readSources, type SourceFile } from './source-files.ts'
import { readImports } from './source-imports.ts'

test('no files of this project import each other in a circle', async () => {
  const folders = ['src', 'console', 'client', 'bench', 'tools', 'test']
  const sources = await Promise.all(folders.map((folder) => readSources(folder, /\.tsx?$/)))
  for (const files of sources) expect(files.length).toBeGreaterThan(10)
  expect(cyclesOf(sources.flat())).toEqual([])
})

test('a cycle of files is reported once, with the way round', () => {
  const files = [
    { path: 'src/core/a.ts', text: `import './b.ts'` },
    { path: 'src/core/b.ts', text: `import type { C } from './c.ts'` },
    { path: 'src/core/c.ts', text: `import './d.ts'\nexport * from './a.ts'\nexport const c = 1` },
    { path: 'src/core/d.ts', text: `export const d = 1` },
  ]
  expect(cyclesOf(files)).toEqual([
    'src/core/c.ts:2 closes a cycle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts',
  ])
})

test('a worker thread closes a cycle too', () => {
  const files = [
    { path: 'src/store/a.ts', text: `new Worker(new URL('./a-worker.ts', import.meta.url))` },
    { path: 'src/store/a-worker.ts', text: `import type { Message } from './a.ts'` },
  ]
  expect(cyclesOf(files)).toEqual([
    'src/store/a-worker.ts:1 closes a cycle: src/store/a.ts -> src/store/a-worker.ts -> src/store/a.ts',
  ])
})

function cyclesOf(files: readonly SourceFile[]): string[] {
  return printed(findCycles(files.map(readImports)))
}
