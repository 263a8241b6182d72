import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type Environment, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'
import { anAccount } from '../conformance/store-fixtures.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { signInDevice } from '../support/signed-in-device.ts'
import { migratedPostgres } from '../support/test-servers.ts'

// Nothing that happens to a gateway, its database or the way to it signs a device out.

const SECRET = 'a secret that is only for tests, 32 bytes and more'
const SALT = 'salt'
const DEVICES = 20
const KILLS = 8
const LOST_ANSWERS = 100
const AWAY_MS = 60_000

interface Renewal {
  readonly status: number
  readonly error: string | undefined
  readonly refreshToken: string | undefined
  readonly accessToken: string | undefined
}

/** Null: nothing came back. */
async function renewed(origin: string, token: string): Promise<Renewal | null> {
  try {
    const response = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    })
    const body = (await response.json()) as Record<string, string>
    return {
      status: response.status,
      error: body['error'],
      refreshToken: body['refresh_token'],
      accessToken: body['access_token'],
    }
  } catch {
    return null
  }
}

async function storeOf(environment: Environment): Promise<Store> {
  const store = await openStore({
    databaseUrl: environment['DATABASE_URL'] ?? null,
    dataDirectory: environment['TOLLGATE_DATA_DIR'] ?? '',
    clock: systemClock,
    lowBalance: null,
  })
  onTestFinished(() => store.close())
  return store
}

/** The first refresh tokens of devices of one account. */
async function signedIn(environment: Environment, count: number): Promise<readonly string[]> {
  const store = await storeOf(environment)
  const tokens = tokensOfDevices({ secret: SECRET, sealing: [SECRET] })
  const account = anAccount({ id: newId('acc', Date.now()) })
  await store.accounts.create(account, null)
  const [{ id: groupId } = { id: '' }] = await store.groups.groups()
  const found: string[] = []
  for (let i = 0; i < count; i++) {
    const keyId = await signInDevice(store, { accountId: account.id, groupId, nowMs: Date.now() })
    found.push(tokens.refreshToken({ keyId, count: 0, salt: SALT }))
  }
  return found
}

/** A device that renews again and again, as a program does that keeps what came last. */
class Renewing {
  readonly statuses = new Map<number | 'lost', number>()
  #token: string
  #ends = false
  readonly #done: Promise<void>

  constructor(token: string, origin: () => string) {
    this.#token = token
    this.#done = this.#go(origin)
  }

  async end(): Promise<string> {
    this.#ends = true
    await this.#done
    return this.#token
  }

  async #go(origin: () => string): Promise<void> {
    while (!this.#ends) {
      const answer = await renewed(origin(), this.#token)
      const status = answer?.status ?? 'lost'
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      this.#token = answer?.refreshToken ?? this.#token
      await pause(answer === null ? 50 : 5)
    }
  }
}

function statusesOf(devices: readonly Renewing[]): readonly (number | 'lost')[] {
  return [...new Set(devices.flatMap(({ statuses }) => [...statuses.keys()]))]
}

test('killed at any moment while twenty devices renew their tokens, a gateway signs none of them out', async () => {
  const environment = await freshEnvironment({ TOLLGATE_SECRET: SECRET })
  const first = await startGateway(environment)
  const tokens = await signedIn(environment, DEVICES)
  let gateway = first
  const devices = tokens.map((token) => new Renewing(token, () => gateway.origin))
  const answers = () => devices.reduce((sum, { statuses }) => sum + (statuses.get(200) ?? 0), 0)
  for (let kill = 0; kill < KILLS; kill++) {
    // In the midst of renewals, each time at another one.
    const until = answers() + 1 + 5 * kill
    await expect.poll(answers, { timeout: PATIENCE_MS, interval: 1 }).toBeGreaterThanOrEqual(until)
    await gateway.kill()
    gateway = await startGatewayProcess(environment)
  }
  const last = await Promise.all(devices.map((each) => each.end()))
  const after = await Promise.all(last.map((token) => renewed(gateway.origin, token)))
  await gateway.stop()
  expect(new Set(statusesOf(devices))).toEqual(new Set([200, 'lost']))
  expect(after.map((answer) => answer?.status)).toEqual(last.map(() => 200))
})

test('an answer that is lost a hundred times is had by asking again', async () => {
  const environment = await freshEnvironment({ TOLLGATE_SECRET: SECRET })
  const gateway = await startGateway(environment)
  let [token = ''] = await signedIn(environment, 1)
  for (let lost = 0; lost < LOST_ANSWERS; lost++) {
    await leftBeforeTheAnswer(gateway.origin, token)
    const answer = await renewed(gateway.origin, token)
    expect(answer, `time ${lost}`).toMatchObject({ status: 200 })
    token = answer?.refreshToken ?? ''
  }
})

/** Sends the whole request, and goes away at a moment between its last byte and the answer. */
function leftBeforeTheAnswer(origin: string, token: string): Promise<void> {
  return new Promise((resolve) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }
    const sent = request(`${origin}/oauth/token`, { method: 'POST', headers })
    sent.once('error', () => {})
    sent.once('close', () => resolve())
    sent.end(body, () => setTimeout(() => sent.destroy(), Math.random() * 4))
  })
}

test('with the database away for a minute each renewal is 503, and goes on with the same token once it is back', async () => {
  const database = await migratedPostgres()
  onTestFinished(() => database.drop())
  const name = new URL(database.url).pathname.slice(1)
  const elsewhere = new URL(database.url)
  elsewhere.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: elsewhere.href })
  await admin.connect()
  onTestFinished(() => admin.end())
  const setAway = async (isAway: boolean) => {
    await admin.query(`alter database "${name}" with allow_connections ${String(!isAway)}`)
    if (isAway) await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
  onTestFinished(() => setAway(false))
  const environment = await freshEnvironment({ DATABASE_URL: database.url, TOLLGATE_SECRET: SECRET })
  const gateway = await startGateway(environment)
  const tokens = await signedIn(environment, DEVICES)
  expect(await renewed(gateway.origin, tokens[0] ?? '')).toMatchObject({ status: 200 })
  const devices = tokens.slice(1).map((token) => new Renewing(token, () => gateway.origin))
  await pause(500)
  await setAway(true)
  await expect.poll(() => statusesOf(devices), { timeout: PATIENCE_MS }).toContain(503)
  const whileAway = await renewed(gateway.origin, tokens[1] ?? '')
  expect(whileAway).toMatchObject({ status: 503, error: 'temporarily_unavailable' })
  await pause(AWAY_MS)
  expect(await renewed(gateway.origin, tokens[1] ?? '')).toMatchObject({ status: 503 })
  await setAway(false)
  await expect
    .poll(async () => (await renewed(gateway.origin, 'tg-drt-none'))?.status, { timeout: PATIENCE_MS })
    .not.toBe(503)
  const last = await Promise.all(devices.map((each) => each.end()))
  const after = await Promise.all(last.map((token) => renewed(gateway.origin, token)))
  expect(new Set([...statusesOf(devices), 'lost'])).toEqual(new Set([200, 503, 'lost']))
  expect(after.map((answer) => answer?.status)).toEqual(last.map(() => 200))
})

test('another secret of the installation ends access tokens, and no sign-in', async () => {
  const environment = await freshEnvironment()
  const [old, other] = [{ ...environment, TOLLGATE_SECRET: SECRET }, 'another secret that is only for tests, 32 bytes']
  const before = await renewedAt(old)
  const both = { ...old, TOLLGATE_SECRET_NEXT: other }
  const during = await startGateway(both)
  expect(await usageStatus(during.origin, before)).toBe(200)
  expect(await runTollgate(both, ['secret', 'rotate'])).toMatchObject({ code: 0 })
  expect(await usageStatus(during.origin, before)).toBe(200)
  await during.stop()
  const gateway = await startGateway({ ...environment, TOLLGATE_SECRET: other })
  expect(await usageStatus(gateway.origin, before)).toBe(401)
  const after = await renewed(gateway.origin, before?.refreshToken ?? '')
  expect(after).toMatchObject({ status: 200 })
  expect(await usageStatus(gateway.origin, after)).toBe(200)
})

/** The tokens of a device of an installation that has run once, and no longer does. */
async function renewedAt(environment: Environment): Promise<Renewal | null> {
  const gateway = await startGateway(environment)
  const [token = ''] = await signedIn(environment, 1)
  const renewal = await renewed(gateway.origin, token)
  await gateway.stop()
  return renewal
}

async function usageStatus(origin: string, renewal: Renewal | null): Promise<number> {
  const headers = { authorization: `Bearer ${renewal?.accessToken}` }
  return (await fetch(`${origin}/api/oauth/usage`, { headers })).status
}
