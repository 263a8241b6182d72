import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unwritable } from './data-owner.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tollgate-writable-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const failing = (path: string, code: string) => (asked: string) => {
  if (asked === path) throw Object.assign(new Error(code), { code })
}

test('a directory that can be written is not the reason, whether it is there or has to be made', () => {
  writeFileSync(join(folder, 'tollgate.db'), '')
  expect([unwritable(folder), unwritable(join(folder, 'new', 'data'))]).toEqual([null, null])
})

test.for([
  ['EROFS', /^\S+ is on a file system that is mounted read-only: mount it for writing$/],
  ['EPERM', /^\S+ is protected against changes: .+chattr -i/],
  ['EACCES', /^this user may not write to \S+: .+chmod u\+rwX/],
] as const)(
  'what the system refuses with %s is one clause with the remedy, for the directory and each file',
  ([code, words]) => {
    expect(unwritable(join(folder, 'new', 'data'), failing(folder, code))).toMatch(words)
    for (const name of ['secret', 'tollgate.db', 'tollgate.db-wal', 'tollgate.db-shm']) {
      const path = join(folder, name)
      expect(unwritable(folder, failing(path, code))).toBeNull()
      writeFileSync(path, '')
      expect(unwritable(folder, failing(path, code))).toMatch(words)
      expect(unwritable(folder, failing(path, code))).toContain(path)
    }
  },
)

test('a file where the directory should be is named', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(unwritable(join(folder, 'file'))).toMatch(/file is not a directory/)
  expect(unwritable(join(folder, 'file', 'data'))).toMatch(/file is not a directory/)
})
