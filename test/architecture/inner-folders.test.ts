import { expect, test } from 'vitest'
import { checkInnerFolders, INNER_FOLDERS, RINGS_LEFT } from './inner-folders.ts'
import { printed, readSources } from './source-files.ts'
import { readImports } from './source-imports.ts'

test('the folders inside a room import each other in one direction', async () => {
  const sources = await Promise.all(['src', 'console'].map((folder) => readSources(folder, /\.tsx?$/)))
  const files = sources.flat().filter(({ path }) => !/\.test\.tsx?$/.test(path))
  expect(files.length).toBeGreaterThan(1_000)
  expect(printed(checkInnerFolders(files.map(readImports), INNER_FOLDERS, RINGS_LEFT))).toEqual([])
})

const files = [
  { path: 'src/gateway/gateway.ts', text: `import './exchange/send.ts'` },
  { path: 'src/gateway/exchange/send.ts', text: `import type { Trace } from '../request/trace.ts'` },
  { path: 'src/gateway/request/trace.ts', text: `export interface Trace {}` },
].map(readImports)

test('a folder that imports from one above it is reported with its line', () => {
  const good = { 'src/gateway': [['exchange'], ['request']] }
  const upsideDown = { 'src/gateway': [['request'], ['exchange']] }
  const beside = { 'src/gateway': [['request', 'exchange']] }
  const line = ['src/gateway/exchange/send.ts:1 exchange may not import from request']
  expect(printed(checkInnerFolders(files, good, []))).toEqual([])
  expect(printed(checkInnerFolders(files, upsideDown, []))).toEqual(line)
  expect(printed(checkInnerFolders(files, beside, []))).toEqual(line)
})

test('a ring through a file of the room is one too, and the list of rings holds no other folder', () => {
  const ring = [...files, readImports({ path: 'src/gateway/request/context.ts', text: `import '../gateway.ts'` })]
  const table = { 'src/gateway': [['exchange'], ['request']] }
  expect(printed(checkInnerFolders(ring, table, []))).toEqual([
    'src/gateway:1 has a ring: gateway.ts -> exchange -> request -> gateway.ts',
  ])
  expect(printed(checkInnerFolders(ring, table, ['src/gateway']))).toEqual([])
  expect(printed(checkInnerFolders(files, table, ['src/gateway']))).toEqual([
    'src/gateway:1 has no ring any more: take it off the list',
  ])
})

test('every inner folder of a room has its row', () => {
  expect(printed(checkInnerFolders(files, { 'src/gateway': [['exchange'], ['cache']] }, []))).toEqual([
    'src/gateway:1 its folder request stands in no row of the table',
    'src/gateway:1 the table names cache, which is not a folder of it',
  ])
})
