import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { openStore } from '../../store/open-store.ts'
import { ConfigurationError, readEnvironment, type Settings } from '../installation/environment.ts'
import { openDatabase, openInstallation } from './open-installation.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-installation-'))
})
afterEach(() => rm(folder, { recursive: true }))

const options = {
  randomBytes,
  nowMs: systemClock.now,
  openStore: ({ databaseUrl, dataDir }: Settings) =>
    openStore({ databaseUrl, dataDirectory: dataDir, clock: systemClock }),
}

async function start(environment: Record<string, string> = {}): Promise<void> {
  const settings = readEnvironment({ TOLLGATE_DATA_DIR: folder, ...environment })
  await (await openInstallation(settings, options)).store.close()
}

test('a lost secret is not replaced: the start is refused, and goes on with the old one put back', async () => {
  await start()
  const path = join(folder, 'secret')
  const secret = await readFile(path)
  await unlink(path)
  const files = await readdir(folder)
  const refused = start()
  await expect(refused).rejects.toBeInstanceOf(ConfigurationError)
  await expect(refused).rejects.toThrow('The file "secret" is missing')
  expect(await readdir(folder)).toEqual(files)
  await start({ TOLLGATE_SECRET: secret.toString('utf8') })
  expect(await readdir(folder)).toEqual(files)
  await writeFile(path, secret, { mode: 0o600 })
  await start()
})

test('a database that was migrated before the first start gets its secret', async () => {
  const store = await openDatabase(readEnvironment({ TOLLGATE_DATA_DIR: folder }), options)
  await store.close()
  await start()
  expect(await readdir(folder)).toContain('secret')
})

test('many who start at once on an empty directory all open it', async () => {
  await Promise.all(Array.from({ length: 5 }, () => start()))
  await start()
})

test.skipIf(process.platform !== 'linux')('a data directory that cannot be made is refused at once', async () => {
  await expect(start({ TOLLGATE_DATA_DIR: '/proc/tollgate' })).rejects.toThrow(
    'TOLLGATE_DATA_DIR is "/proc/tollgate", but its secret cannot be kept there (ENOENT)',
  )
})
