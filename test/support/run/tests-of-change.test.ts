import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testsOfChange } from './tests-of-change.ts'

const FILES = {
  'bin/tollgate.js': `await import('../src/main.ts')`,
  'src/main.ts': `import './app/start.ts'`,
  'src/app/start.ts': '',
  'src/core/money.ts': '',
  'src/core/money.test.ts': `import './money.ts'`,
  'src/core/other.test.ts': `import './other.ts'`,
  'src/core/other.ts': `import './money.ts'`,
  'console/main.tsx': `import './pages/keys.tsx'`,
  'console/pages/keys.tsx': '',
  'test/support/gateway-process.ts': '',
  'test/support/built-console.ts': '',
  'test/journeys/cli.test.ts': `import '../support/gateway-process.ts'`,
  'test/browser/keys.test.ts': `import '../support/built-console.ts'`,
  'test/conformance/prices.test.ts': `readFile('docs/prices.json')`,
  'test/architecture/rooms.test.ts': '',
}
const ARCHITECTURE = 'test/architecture/rooms.test.ts'

async function touched(...changed: string[]) {
  const root = await mkdtemp(join(tmpdir(), 'tollgate-tests-of-change-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return testsOfChange(root, changed, ['bin', 'src', 'console', 'test'])
}

test.for([
  ['a file that two tests import', ['src/core/money.ts'], ['src/core/money.test.ts', 'src/core/other.test.ts']],
  ['a file of the gateway that a test starts', ['src/app/start.ts'], ['test/journeys/cli.test.ts']],
  ['a page that a browser opens', ['console/pages/keys.tsx'], ['test/browser/keys.test.ts']],
  ['a file that a test reads', ['docs/prices.json'], ['test/conformance/prices.test.ts']],
  ['a test', ['src/core/other.test.ts'], ['src/core/other.test.ts']],
] as const)('%s brings its tests and those of the architecture', async ([, changed, expected]) => {
  const { tests, untested } = await touched(...changed)
  expect(tests).toEqual([...expected, ARCHITECTURE].toSorted())
  expect(untested).toEqual([])
})

test('a change of what all depend on brings all, and no change none', async () => {
  expect((await touched('package.json')).tests).toHaveLength(6)
  expect((await touched()).tests).toEqual([])
})

test('a file that no test comes to is named', async () => {
  expect(await touched('docs/pictures/overview-light.png')).toEqual({
    tests: [ARCHITECTURE],
    untested: ['docs/pictures/overview-light.png'],
  })
})
