import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment, LAUNCHER } from '../support/gateway-process.ts'
import { makeNewApi, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { sqliteSource } from '../support/import-sources/source-database.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const USERS = 400
const UNIT_NANO = 2_000n

/** Ends the import from one instruction to the next as soon as it says that it is at this step. */
async function killedAt(step: string, environment: Record<string, string>, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes(`${step}: `)) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  return child.signalCode === 'SIGKILL'
}

test('an import that is killed at any step loses nothing and does nothing twice: the next run finishes it', async () => {
  const directory = await migratedDirectory()
  const source = sqliteSource(join(directory, 'new-api.db'))
  const rows = await makeNewApi(source, { users: USERS, passwordHash: await hash(SOURCE_PASSWORD, 4) })
  await source.close()
  const environment = { ...gatewayEnvironment(directory), TOLLGATE_SECRET: 'x7'.repeat(16) }
  const args = ['import', 'new-api', source.url]
  for (const step of ['group', 'account', 'account', 'key']) {
    expect({ step, killed: await killedAt(step, environment, args) }).toEqual({ step, killed: true })
  }
  const last = await runHere(environment, args)
  expect(last.code).toBe(0)
  expect((await runHere(environment, args)).stdout).toContain('Nothing is different from the last import.')
  expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  const accounts = await store.accounts.list(USERS + 1)
  const keys = await store.keys.list({ limit: USERS + 1 })
  let balances = 0n
  for (const { id } of accounts) {
    balances += await store.ledger.balance(id)
    expect(await store.ledger.entries(id, 5)).toHaveLength(1)
  }
  await store.close()
  expect({ accounts: accounts.length, keys: keys.length }).toEqual({ accounts: USERS, keys: USERS })
  expect(balances).toBe(rows.users.reduce((all, { quota }) => all + BigInt(quota) * UNIT_NANO, 0n))
}, 300_000)
