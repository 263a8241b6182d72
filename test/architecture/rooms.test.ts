import { describe, expect, test } from 'vitest'
import { checkRooms } from './room-rules.ts'
import { printed, readSources } from './source-files.ts'

const sources = [
  ...(await readSources('src', /\.tsx?$/)),
  ...(await readSources('console', /\.tsx?$/)),
  ...(await readSources('client', /\.ts$/)),
]

describe('the sources of this project', () => {
  test('were found', () => {
    expect(sources.map((file) => file.path)).toContain('src/main.ts')
    expect(sources.length).toBeGreaterThan(20)
  })

  test('keep the table of rooms', () => {
    expect(printed(checkRooms(sources))).toEqual([])
  })
})

interface Case {
  readonly name: string
  readonly path?: string
  readonly text: string
  readonly finding?: string
}

/** Each source is checked alone; `finding` is what follows the path, and absent where there is nothing to find. */
const cases: readonly Case[] = [
  { name: 'a room of the table', text: `import { a } from '../core/a.ts'` },
  { name: 'its own private folder', text: `import { a } from './stream/a.ts'` },
  { name: 'a package', text: `import { z } from 'zod'` },
  {
    name: 'a file beside it',
    path: 'src/gateway/stream/deep/a.ts',
    text: `import { a } from '../../b.ts'`,
  },
  {
    name: 'the other plane',
    text: `// a comment\n\nimport { a } from '../control/a.ts'`,
    finding: ':3 imports src/control/a.ts: gateway may not import control',
  },
  {
    name: 'the other plane, from the other side',
    path: 'src/control/a.ts',
    text: `import '../gateway/a.ts'`,
    finding: ':1 imports src/gateway/a.ts: control may not import gateway',
  },
  {
    name: 'a type of a closed room',
    text: `import type { A } from '../store/a.ts'`,
    finding: ':1 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a type inside an annotation',
    text: `const a: import('../store/a.ts').A = 1`,
    finding: ':1 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a re-export',
    text: `export const b = 1\nexport { a } from '../store/a.ts'`,
    finding: ':2 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a re-export of everything',
    text: `export const b = 1\nexport * from '../store/a.ts'`,
    finding: ':2 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a dynamic import',
    text: `const a =\n  await import('../store/a.ts')`,
    finding: ':2 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a computed import',
    text: 'await import(`../${room}/a.ts`)',
    finding: ':1 imports what cannot be read: the name must be a plain string',
  },
  {
    name: 'a worker thread',
    text: `new Worker(new URL('../store/writer.ts', import.meta.url))`,
    finding: ':1 imports src/store/writer.ts: gateway may not import store',
  },
  {
    name: 'a worker thread named beforehand, packed or not',
    text: `const url = new URL(packed ? '../store/writer.js' : '../store/writer.ts', import.meta.url)`,
    finding: ':1 imports src/store/writer.ts: gateway may not import store',
  },
  { name: 'a worker thread of its own', text: `new Worker(new URL('./writer.ts', import.meta.url))` },
  {
    name: 'require',
    text: `const a = require('../store/a.ts')`,
    finding: ':1 imports src/store/a.ts: gateway may not import store',
  },
  {
    name: 'a private folder of an open room',
    text: `import '../protocols/anthropic/stream.ts'`,
    finding: ':1 imports src/protocols/anthropic/stream.ts, which is private to protocols',
  },
  { name: 'an open folder of a domain room', text: `import { a } from '../metering/budgets/budget.ts'` },
  {
    name: 'a private folder inside an open one',
    text: `import { a } from '../metering/usage/token-counter/thread.ts'`,
    finding: ':1 imports src/metering/usage/token-counter/thread.ts, which is private to metering',
  },
  {
    name: 'test code',
    text: `import '../../test/support/a.ts'`,
    finding: ':1 imports test/support/a.ts, which is not a source',
  },
  { name: 'a tool', text: `import '../../tools/dev.ts'`, finding: ':1 imports tools/dev.ts, which is not a source' },
  { name: 'a bench', text: `import '../../bench/run.ts'`, finding: ':1 imports bench/run.ts, which is not a source' },
  { name: 'a test file', text: `import './a.test.ts'`, finding: ':1 imports src/gateway/a.test.ts, a test file' },
  {
    name: 'a file without its ending',
    text: `import '../core/a'`,
    finding: `:1 imports src/core/a: the file's full name is needed, with .ts`,
  },
  {
    name: 'a way around relative paths',
    text: `import '#core/a.ts'`,
    finding: ':1 imports #core/a.ts: files are imported by their relative path',
  },
  {
    name: 'a room that is not in the table',
    text: `import '../tricks/a.ts'`,
    finding: ':1 imports src/tricks/a.ts, which stands in no room',
  },
  { name: 'a database driver', text: `import { Pool } from 'pg'`, finding: ':1 imports pg: only store, import may' },
  { name: 'main.ts -> app', path: 'src/main.ts', text: `import '../src/app/start.ts'` },
  {
    name: 'main.ts -> core',
    path: 'src/main.ts',
    text: `import './core/money.ts'`,
    finding: ':1 imports src/core/money.ts: main.ts may not import core',
  },
  {
    name: 'back to main.ts',
    path: 'src/app/start.ts',
    text: `import '../main.ts'`,
    finding: ':1 imports src/main.ts: app may not import main.ts',
  },
  {
    name: 'nothing, in a file outside every room',
    path: 'src/tricks/a.ts',
    text: `export const a = 1`,
    finding: ':1 stands in no room of the table',
  },
  {
    name: 'nothing, in a loose file',
    path: 'src/loose.ts',
    text: `export const a = 1`,
    finding: ':1 stands in no room of the table',
  },
  {
    name: 'a contract type in the console',
    path: 'console/api/client.ts',
    text: `import type { Key } from '../../src/contract/key.ts'`,
  },
  {
    name: 'contract code in the console',
    path: 'console/api/client.ts',
    text: `import { Key } from '../../src/contract/key.ts'`,
    finding: ':1 imports src/contract/key.ts: console may only import types from contract',
  },
  {
    name: 'test support and the fake upstream, in a test file',
    path: 'src/protocols/a.test.ts',
    text: `import '../../test/support/test-servers.ts'\nimport '../../tools/fake-upstream/main.ts'\nimport './a.ts'`,
  },
  {
    name: 'another tool, in a test file',
    path: 'src/gateway/a.test.ts',
    text: `import '../../tools/dev.ts'`,
    finding: ':1 imports tools/dev.ts, which is not a source',
  },
  {
    name: 'a closed room, in a test file',
    path: 'src/gateway/a.test.ts',
    text: `import '../store/a.ts'`,
    finding: ':1 imports src/store/a.ts: gateway may not import store',
  },
]

test.each(cases)('one file that imports $name', ({ path = 'src/gateway/a.ts', text, finding }) => {
  expect(printed(checkRooms([{ path, text }]))).toEqual(finding === undefined ? [] : [path + finding])
})

test('a file that only re-exports is a barrel', () => {
  const text = `import { a } from './a.ts'\nexport { a }\nexport * from './b.ts'\nexport type { C } from './c.ts'`
  expect(printed(checkRooms([{ path: 'src/core/all.ts', text }]))).toEqual([
    'src/core/all.ts:1 is a barrel: it only passes on what others export',
  ])
})

test('a file that cannot be parsed is an error, not a clean file', () => {
  expect(() => checkRooms([{ path: 'src/core/a.ts', text: 'import {' }])).toThrow('src/core/a.ts')
})
