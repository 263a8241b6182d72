import { join } from 'node:path'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../architecture/source-files.ts'
import { BEGIN_FIRST } from './longest-first.ts'
import { sortTestFiles } from './own-process.ts'
import { isLongFile } from './suite.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FOLDERS = ['src', 'console', 'tools', 'bench', 'test']

test('every test file is run once: in a thread or process that it shares, or in one of its own', async () => {
  const { shared, own, alone } = sortTestFiles(ROOT, FOLDERS)
  const all = (await Promise.all(FOLDERS.map(listFiles))).flat().filter((path) => /\.test\.[a-z]+$/.test(path))
  expect([...shared, ...own, ...alone].toSorted()).toEqual(all.toSorted())
  expect(all.filter(isLongFile).length).toBeGreaterThan(10)
  expect(shared).toEqual(expect.arrayContaining(['src/core/money.test.ts', 'test/architecture/vocabulary.test.ts']))
  expect(own).toEqual(expect.arrayContaining(['test/browser/keys.test.ts', 'test/conformance/store.test.ts']))
})

test('what begins first exists', async () => {
  expect(await listFiles('test')).toEqual(expect.arrayContaining([...BEGIN_FIRST]))
})

test.each([
  [`import './b.ts'`, 'shared'],
  [`import './c.ts'`, 'own'],
  [`import { spawn } from 'node:child_process'`, 'own'],
  [`const page = await import('playwright-core')`, 'own'],
  [`beforeEach(() => vi.useFakeTimers())`, 'alone'],
  [`process.env['PORT'] = '1'`, 'alone'],
  [`const port = process.env['PORT']`, 'shared'],
])('a test file with %s: %s', async (text, expected) => {
  const root = await mkdtemp(join(tmpdir(), 'tollgate-own-process-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'src'))
  const files = {
    'a.test.ts': text,
    'b.ts': '',
    'c.ts': `export { x } from './d.ts'`,
    'd.ts': `import 'node:child_process'`,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, 'src', name), content)
  const found = Object.entries(sortTestFiles(root, ['src'])).filter(([, paths]) => paths.includes('src/a.test.ts'))
  expect(found.map(([name]) => name)).toEqual([expected])
})
