import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SettingStore } from '../../store/store.ts'
import { ConfigurationError } from './environment.ts'
import { checkInstallationSecret, readOrMakeSecret } from './secret.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-secret-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = (dataDir = folder) => readOrMakeSecret(dataDir, randomBytes)

describe('the secret of a data directory', () => {
  test('is made once, from 32 random bytes, for its owner alone, and nothing else is left there', async () => {
    const dataDir = join(folder, 'new', 'data')
    const secret = await read(dataDir)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await read(dataDir)).toBe(secret)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('is the same for all who start at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => read()))
    expect(new Set(secrets).size).toBe(1)
    expect(await readdir(folder)).toEqual(['secret'])
  })

  test('is the other process’s when that one was faster', async () => {
    const other = 'o'.repeat(40)
    const secret = await readOrMakeSecret(folder, (count) => {
      writeFileSync(join(folder, 'secret'), other, { mode: 0o600 })
      return randomBytes(count)
    })
    expect(secret).toBe(other)
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(other)
    expect(await readdir(folder)).toEqual(['secret'])
  })

  test('is waited for while another process is still writing it', async () => {
    await writeFile(join(folder, 'secret'), '', { mode: 0o600 })
    const reading = read()
    await writeFile(join(folder, 'secret'), `${'x'.repeat(40)}\n`)
    expect(await reading).toBe('x'.repeat(40))
  })

  test('is kept from other users when its file was open to them', async () => {
    await writeFile(join(folder, 'secret'), 'x'.repeat(40), { mode: 0o600 })
    await chmod(join(folder, 'secret'), 0o644)
    expect(await read()).toBe('x'.repeat(40))
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
  })

  test('that is too short is refused by its length', async () => {
    await writeFile(join(folder, 'secret'), 'too short', { mode: 0o600 })
    await expect(read()).rejects.toThrow(/secret has 9 bytes, but it must have at least 32 bytes/)
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('too short')
  })

  test('is refused when there is a file where the directory should be', async () => {
    await writeFile(join(folder, 'file'), '')
    const message = await read(join(folder, 'file', 'data')).catch((error: unknown) => String(error))
    expect(message).toMatch(/TOLLGATE_DATA_DIR is ".*", but its secret cannot be kept there \(ENOTDIR\)/)
  })

  test('is refused when it is a directory', async () => {
    await mkdir(join(folder, 'secret'))
    await expect(read()).rejects.toThrow(ConfigurationError)
  })
})

describe('a database', () => {
  const rows = new Map<string, string>()
  const settings: SettingStore = {
    read: async (name) => rows.get(name) ?? null,
    writeOnce: async (name, value) => rows.get(name) ?? rows.set(name, value).get(name) ?? value,
    write: async (name, value) => void rows.set(name, value),
  }

  test('accepts the secret that it was made with and no other, and does not hold it', async () => {
    const secret = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
    await checkInstallationSecret(settings, secret)
    await checkInstallationSecret(settings, secret)
    await expect(checkInstallationSecret(settings, `${secret}x`)).rejects.toThrow(/made with another secret/)
    expect(JSON.stringify([...rows])).not.toContain(secret)
  })
})
