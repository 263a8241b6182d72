import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKey } from '../../src/access/api-key.ts'
import { broughtHashOf, broughtSecret } from '../../src/access/brought-key.ts'
import { KeyRing } from '../../src/access/key-ring.ts'
import { UNSET } from '../../src/access/key-settings.ts'
import { processCliHost } from '../../src/app/cli/process-cli-host.ts'
import { readEnvironment } from '../../src/app/installation/environment.ts'
import { openInstallation } from '../../src/app/opening/open-installation.ts'
import { newId } from '../../src/core/ids.ts'
import { BAD_CREDENTIALS_PER_MINUTE } from '../../src/core/limits.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import type { Store } from '../../src/store/store.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { migratedDirectory, migratedPostgres } from '../support/test-servers.ts'

// Two gateways on one PostgreSQL, and keys of which only the hash of another gateway is there.

let gateways: readonly [GatewayUnderTest, GatewayUnderTest]
let dropDatabase = async () => {}
let environment: Record<string, string> = {}
beforeAll(async () => {
  const database = await migratedPostgres()
  dropDatabase = () => database.drop()
  environment = { DATABASE_URL: database.url, TOLLGATE_SECRET: TEST_SECRET }
  gateways = [await gatewayUnderTest({ environment }), await gatewayUnderTest({ environment })]
  await gateways[0].model('brought-model')
})
afterAll(async () => {
  for (const each of gateways) await each.close()
  await dropDatabase()
})

async function broughtKey(store: Store, secret: string, fields: Partial<ApiKey> & Pick<ApiKey, 'accountId'>) {
  const [group] = await store.groups.groups()
  const id = newId('key', Date.now())
  const named = { name: 'brought', groupId: group?.id ?? '', fallbackGroupIds: [], createdAt: Date.now() }
  const key = { ...UNSET, ...named, id, isManaged: false, ...fields }
  await store.keys.create(key, { hash: broughtHashOf(secret), start: '', end: secret.slice(-4) })
  return id
}

async function call(
  gateway: GatewayUnderTest,
  secret: string,
  header: 'authorization' | 'x-api-key' = 'authorization',
) {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      [header]: header === 'authorization' ? `Bearer ${secret}` : secret,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'brought-model', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return answer.status === 200 ? 'served' : answer.headers.get('x-tollgate-fault')
}

const CALLABLE = { timeout: PATIENCE_MS }

test('such a key works on every node from its first request on, also where many come at once', async () => {
  const [first, second] = gateways
  const account = await first.account({ balance: '5' })
  const secret = 'sk-Q9-brought_by-hash1'
  expect(await call(second, secret)).toBe('key_unknown')
  const id = await broughtKey(first.store, secret, { accountId: account.id })
  await expect.poll(() => call(second, secret), CALLABLE).toBe('served')
  await expect.poll(() => call(first, secret, 'x-api-key'), CALLABLE).toBe('served')
  expect(await first.store.keys.secretHashOf(id)).toBe(keyedHash(TEST_SECRET)(secret))

  const crowd = Array.from({ length: 5 }, (_, i) => `sk-of-a-crowd-${i}-x7Q`)
  for (const each of crowd) await broughtKey(first.store, each, { accountId: account.id })
  await expect.poll(() => call(second, crowd[0] ?? ''), CALLABLE).toBe('served')
  const asked = crowd.flatMap((each) => [call(first, each), call(second, each), call(first, each)])
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['served']))
  expect(await first.store.keys.hasBroughtHashes()).toBe(false)
})

test('one that is disabled, deleted or at its end is refused as any other, before its first use and after it', async () => {
  const [first, second] = gateways
  const account = await first.account({ balance: '5' })
  const ended = 'sk-has-ended-77aQ'
  await broughtKey(first.store, ended, { accountId: account.id, expiresAt: Date.now() - 1000 })
  await expect.poll(() => call(second, ended), CALLABLE).toBe('key_expired')
  for (const [status, fault] of [
    ['disabled', 'key_disabled'],
    ['deleted', 'key_deleted'],
  ] as const) {
    const unused = `sk-unused-${status}-81bW`
    await first.store.keys.setStatus(
      await broughtKey(first.store, unused, { accountId: account.id }),
      status,
      Date.now(),
    )
    await expect.poll(() => call(second, unused), CALLABLE).toBe(fault)
    const used = `sk-used-${status}-52cE`
    const id = await broughtKey(first.store, used, { accountId: account.id })
    await expect.poll(() => call(second, used), CALLABLE).toBe('served')
    await first.store.keys.setStatus(id, status, Date.now())
    await expect.poll(() => call(second, used), CALLABLE).toBe(fault)
  }
})

test('unknown keys are counted while such keys are left, and no guess is answered then', async () => {
  const [gateway] = gateways
  const account = await gateway.account({ balance: '5' })
  const secret = 'sk-left-unused-33dR'
  await broughtKey(gateway.store, secret, { accountId: account.id })
  const guess = (i: number) => call(gateway, `sk-guessed-${i}-Zk`)
  for (let i = 0; i < BAD_CREDENTIALS_PER_MINUTE; i++)
    expect(await guess(i)).toMatch(/^(?:key_unknown|credential_throttled)$/)
  expect(await guess(-1)).toBe('credential_throttled')
  expect(await call(gateway, secret)).toBe('credential_throttled')
})

test('another TOLLGATE_SECRET changes nothing for them: they get the hash that all keys have', async () => {
  const directory = await migratedDirectory()
  const [before, after] = ['the secret before, of 32 bytes and more', 'the secret after it, of 32 bytes and more']
  const open = (TOLLGATE_SECRET: string) =>
    openInstallation(readEnvironment({ TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET }), processCliHost())
  const old = await open(before)
  const id = newId('acc', Date.now())
  const person = { role: 'user', status: 'active', createdAt: Date.now(), isManaged: false } as const
  await old.store.accounts.create({ ...person, id, email: 'ada@example.test' }, null)
  const secret = 'sk-over-a-rotation-61fT'
  const keyId = await broughtKey(old.store, secret, { accountId: id })
  const used = old.hashSecret(secret)
  await old.store.close()
  const both = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: before, TOLLGATE_SECRET_NEXT: after }
  expect(await runHere(both, ['secret', 'rotate'])).toMatchObject({ code: 0 })
  const { store, hashSecret } = await open(after)
  const found = await new KeyRing(store.keys).load(hashSecret(secret), broughtSecret(secret))
  expect([found?.key.id, await store.keys.secretHashOf(keyId)]).toEqual([keyId, used])
  await store.close()
})

test('an export takes one that was not used yet to an installation of another secret, where it works as well', async () => {
  const [gateway] = gateways
  const account = await gateway.account({ balance: '5' })
  const secret = 'sk-moved-unused-44gU'
  const hash = broughtHashOf(secret)
  await broughtKey(gateway.store, secret, { accountId: account.id })
  const directory = await migratedDirectory()
  const path = `${directory}/export.yaml`
  const exported = await runHere(environment, ['export', path, '--plain-secrets'])
  expect({ code: exported.code, stderr: exported.stderr }).toMatchObject({ code: 0 })
  expect(await readFile(path, 'utf8')).toContain(hash)
  const TOLLGATE_SECRET = 'the secret of another installation, 32 bytes and more'
  const other = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET }
  const applied = await runHere(other, ['apply', path])
  expect({ code: applied.code, stderr: applied.stderr }).toMatchObject({ code: 0 })
  const { store, hashSecret } = await openInstallation(readEnvironment(other), processCliHost())
  const found = await new KeyRing(store.keys).load(hashSecret(secret), broughtSecret(secret))
  expect([found?.account.email, found?.key.secretStart]).toEqual([account.email, 'sk-moved-u'])
  await store.close()
})
