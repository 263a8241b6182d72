import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownerRemedy } from './data-owner.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tollgate-owner-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** A user that is neither the owner of the folder nor of its group. */
const stranger = () => ({ uid: statSync(folder).uid + 7, gid: statSync(folder).gid + 7, groups: [] })

test('a data directory of another user is named with both users and the command that hands it over', () => {
  chmodSync(folder, 0o750)
  const { uid, gid } = statSync(folder)
  const self = stranger()
  expect(ownerRemedy(join(folder, 'new', 'data'), self)).toBe(
    `${folder} belongs to uid ${uid} and gid ${gid} with mode 750, and this process runs as uid ${self.uid} and gid ${self.gid}: run "chown -R ${self.uid}:${self.gid} ${join(folder, 'new', 'data')}" as root, or start it as that user`,
  )
})

test('a directory that the group or all may write to is not the reason, and a secret of another user in it is', () => {
  const { gid } = statSync(folder)
  chmodSync(folder, 0o770)
  const self = { ...stranger(), gid }
  expect(ownerRemedy(folder, self)).toBeNull()
  expect(ownerRemedy(folder, { ...stranger(), groups: [gid] })).toBeNull()
  writeFileSync(join(folder, 'secret'), 'x', { mode: 0o600 })
  expect(ownerRemedy(folder, self)).toMatch(new RegExp(`^${join(folder, 'secret')} belongs to uid`))
  if (process.getuid?.() === 0) {
    chownSync(join(folder, 'secret'), self.uid, gid)
    expect(ownerRemedy(folder, self)).toBeNull()
  }
})

test('a directory of its own that may not be written is not to be handed over: its mode is in the way', () => {
  chmodSync(folder, 0o500)
  if (process.getuid?.() === 0) chownSync(folder, 7, 7)
  const { uid, gid } = statSync(folder)
  expect(ownerRemedy(folder, { uid, gid, groups: [] })).toBeNull()
})

test('root is kept out by no owner, and neither is a user of a system without owners', () => {
  chmodSync(folder, 0o700)
  expect(ownerRemedy(folder, { uid: 0, gid: 0, groups: [] })).toBeNull()
  expect(ownerRemedy(folder, null)).toBeNull()
})
