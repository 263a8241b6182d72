import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-directory-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('what is missing on the way is made with the mode, and what is there is left as it is', async () => {
  const path = join(folder, 'one', 'two', 'three')
  const before = (await stat(folder)).mode
  await makeDirectory(path, 0o700)
  await makeDirectory(`${path}/`, 0o755)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'one'))).mode & 0o777).toBe(0o700)
  expect((await stat(folder)).mode).toBe(before)
})

test('many who make it at once all find it', async () => {
  const path = join(folder, 'one', 'two')
  await Promise.all(Array.from({ length: 20 }, () => makeDirectory(path, 0o700)))
  expect((await stat(path)).isDirectory()).toBe(true)
})

test('a file in the way is an error, as the path itself and above it', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(makeDirectory(join(folder, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeDirectory(join(folder, 'file', 'below'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.skipIf(process.platform !== 'linux')('where none can be made it is an error at once', async () => {
  await expect(makeDirectory('/proc/tollgate/data', 0o700)).rejects.toMatchObject({ code: 'ENOENT' })
})
