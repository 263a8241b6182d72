import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../core/durations.ts'
import { temporaryDirectory } from '../../../test/support/test-servers.ts'
import { readBackupStanding } from './backup-age.ts'

const NOW = Date.UTC(2026, 10, 23, 12)

async function files(...of: readonly (readonly [name: string, hoursOld: number, text?: string])[]): Promise<string> {
  const directory = await temporaryDirectory()
  for (const [name, hoursOld, text = 'x'] of of) {
    const path = join(directory, name)
    await writeFile(path, text)
    const at = new Date(NOW - hoursOld * HOUR_MS)
    await utimes(path, at, at)
  }
  return directory
}

const standing = (backupFiles: string | null) =>
  readBackupStanding({ backupFiles, backupMaxAgeHours: 26, backupDir: null, backupEvery: 24 }, NOW)

test('the newest backup counts, by its own time and not by its name', async () => {
  const directory = await files(['b.dump', 30], ['a.dump', 25])
  expect(await standing(directory)).toEqual({ newestAtMs: NOW - 25 * HOUR_MS, isOld: false, maxAgeHours: 26 })
  const old = await files(['a.dump', 27], ['b.dump', 400])
  expect(await standing(old)).toMatchObject({ newestAtMs: NOW - 27 * HOUR_MS, isOld: true })
})

test('files of other names, empty ones, hidden ones and directories do not count', async () => {
  const directory = await files(['tollgate-1.db', 40], ['other.db', 1], ['tollgate-2.db', 1, ''], ['.tollgate-3.db', 1])
  await mkdir(join(directory, 'tollgate-4.db'))
  expect(await standing(join(directory, 'tollgate-*.db'))).toMatchObject({
    newestAtMs: NOW - 40 * HOUR_MS,
    isOld: true,
  })
  expect(await standing(join(directory, 'tollgate+*.db'))).toMatchObject({ newestAtMs: null, isOld: true })
})

test('a directory that is missing has none, and without a setting none is looked for', async () => {
  expect(await standing('/no/such/directory')).toMatchObject({ newestAtMs: null, isOld: true })
  expect(await standing(null)).toBe(null)
})

test('those that the gateway makes itself are looked for unless others are named, and may be as old as their schedule says', async () => {
  const backupDir = await files(
    ['tollgate-2026-11-21T12-00-00Z.db', 49],
    ['tollgate-x.db.part-0123456789ab', 1],
    ['mine.db', 1],
  )
  const own = (backupEvery: number, backupFiles: string | null = null) =>
    readBackupStanding({ backupFiles, backupMaxAgeHours: 26, backupDir, backupEvery }, NOW)
  expect(await own(24)).toMatchObject({ newestAtMs: NOW - 49 * HOUR_MS, isOld: true, maxAgeHours: 26 })
  expect(await own(48)).toMatchObject({ isOld: false, maxAgeHours: 50 })
  expect(await own(48, join(backupDir, 'mine*.db'))).toMatchObject({ isOld: false, maxAgeHours: 26 })
})
