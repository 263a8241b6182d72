import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { namesOf } from '../../src/store/migrations/migration.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { type Facts, readFacts, startOnRelease } from '../../tools/release/release-facts.ts'
import {
  DEMO_MODEL,
  HOLDER_EMAIL,
  LAPTOP_SECRET,
  OLD_SECRET,
  PASSKEY,
  RELEASE_ADMIN_TOKEN,
  RELEASE_NOON_MS,
  RELEASE_ORIGIN,
  RELEASE_PASSWORD,
  SMALL_SECRET,
  SOLD_MODEL,
} from '../../tools/release/release-plan.ts'
import { FACTS, releaseEnvironment, RELEASES_FOLDER, restoreRelease } from '../../tools/release/restore-release.ts'
import { Caller, SteppedGateway } from '../../tools/release/stepped-gateway.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment } from '../support/gateway-process.ts'
import { PasskeyAuthenticator } from '../support/passkey-authenticator.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

/*
 * The database that each release made by itself (`tools/release-database.ts`), with rows in every table, as its last process
 * left it when it was killed: this version brings it forward, and everything that was in it is there.
 */

const RELEASES = readdirSync(RELEASES_FOLDER)

const cases = RELEASES.flatMap((release) => ENGINES.map((engine) => ({ release, engine })))

describe.each(cases)('the database of $release on $engine', ({ release, engine }) => {
  let place: Place
  let gateway: SteppedGateway
  let admin: Caller
  let facts: Facts
  let proved: unknown
  const prove = () => runHere(gatewayEnvironment(place.directory, releaseEnvironment(place)), ['check-ledger'])
  const call = (secret: string, { model, expected }: { model: string; expected: number }) =>
    gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${secret}` },
      body: { model, messages: [{ role: 'user', content: 'Hello' }] },
      expected,
    })

  beforeAll(async () => {
    place = await newPlace(engine, { hasTables: false })
    await restoreRelease(release, place)
    proved = await prove()
    const started = await startOnRelease(place)
    gateway = new SteppedGateway(started, { name: 'upgraded', standsAtMs: RELEASE_NOON_MS })
    admin = new Caller(gateway, RELEASE_ADMIN_TOKEN)
    facts = await readFacts(started.origin)
  })
  afterAll(async () => {
    await gateway.stop()
    await place.leave()
  })

  test('is brought to the steps of this version, and its books are proved', async () => {
    expect(proved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: /) })
    const steps = await place.sql('select name from migrations order by name')
    expect(steps.map(({ name }) => name)).toEqual(namesOf(MIGRATIONS).toSorted())
  })

  const recorded = JSON.parse(readFileSync(join(RELEASES_FOLDER, release, FACTS), 'utf8')) as Facts

  test.each(Object.keys(recorded))('%s says what it said then', (page) => {
    expect(facts[page]).toMatchObject(recorded[page] as object)
  })

  test('its plans and subscriptions open the closed groups that they name, as they did', async () => {
    for (const table of ['plans', 'subscriptions']) {
      const rows = await place.sql(`select is_opening_groups from ${table}`)
      expect(rows.length, table).toBeGreaterThan(0)
      expect(new Set(rows.map((row) => Number(row['is_opening_groups']))), table).toEqual(new Set([1]))
    }
  })

  test('lets its people in by password and passkey', async () => {
    const body = { email: HOLDER_EMAIL, password: RELEASE_PASSWORD }
    expect(await new Caller(gateway).ask('POST', '/api/auth/sign-in', body)).toMatchObject({ state: 'signed_in' })
    const authenticator = new PasskeyAuthenticator(RELEASE_ORIGIN, PASSKEY)
    const caller = new Caller(gateway)
    type Options = Parameters<PasskeyAuthenticator['get']>[0]
    const credential = authenticator.get(await caller.ask<Options>('POST', '/api/auth/passkeys/sign-in/start'))
    const answer = await caller.ask('POST', '/api/auth/passkeys/sign-in/finish', { credential })
    expect(answer).toMatchObject({ state: 'signed_in', account: { email: HOLDER_EMAIL } })
  })

  test('serves its keys and charges what they use, and refuses those that it refused', async () => {
    const spent = async () => {
      const { data } = await admin.ask<{ data: readonly { spent: string }[] }>('GET', '/api/keys?search=laptop')
      return parseUsd(data[0]?.spent ?? '')
    }
    const before = await spent()
    await call(LAPTOP_SECRET, { model: DEMO_MODEL, expected: 200 })
    await call(SMALL_SECRET, { model: SOLD_MODEL, expected: 402 })
    await call(OLD_SECRET, { model: DEMO_MODEL, expected: 401 })
    type Usage = { data: readonly { model: string; outcome: string; cost: string }[] }
    const { data: records } = await admin.ask<Usage>('GET', '/api/usage?outcome=completed&limit=1')
    expect(records).toMatchObject([{ model: DEMO_MODEL, outcome: 'completed' }])
    const cost = parseUsd(records[0]?.cost ?? '')
    expect(cost).toBeGreaterThan(0n)
    expect(await spent()).toBe(before + cost)
    expect(await prove()).toMatchObject({ code: 0 })
  })
})
