import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pendingInFile } from './pending-migrations.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-pending-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('what a first start that was killed left half done is rolled back, and stops no start', async () => {
  const writing = new DatabaseSync(join(folder, 'writing.db'))
  writing.exec('pragma cache_size = 1; create table things (thing text)')
  writing.exec(`begin; with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000)
    insert into things select hex(randomblob(200)) from numbers`)
  // As a kill -9 in the midst of it leaves the file: some pages written, and the journal that undoes them.
  await copyFile(join(folder, 'writing.db'), join(folder, 'tollgate.db'))
  await copyFile(join(folder, 'writing.db-journal'), join(folder, 'tollgate.db-journal'))
  writing.close()

  expect(pendingInFile(folder)).toEqual([])
  expect(await readdir(folder)).not.toContain('tollgate.db-journal')
})
