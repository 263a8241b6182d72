import { request as ask } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { Problem } from '../../src/control/problem.ts'
import { DeviceCodes } from '../../src/control/sign-in/device-codes.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { anAccount } from './store-fixtures.ts'

// What strangers, other accounts and other pages do to the sign-in of programs.

const PUBLIC_URL = 'https://gateway.example.test'
const HERE = '127.0.0.1'
const BEHIND_A_PROXY = { TOLLGATE_TRUSTED_PROXIES: '127.0.0.1/32' }
const GUESSES = 1_000_000
const ADDRESSES = 1_000
const OPEN_CODES = 10_000
const MEGABYTE = 'x'.repeat(1024 * 1024)

let control: ControlUnderTest
let ada: Asker & { account: Account }
beforeAll(async () => {
  control = await controlUnderTest({ environment: BEHIND_A_PROXY })
  await control.group('default')
  ada = await control.account({ balance: '10' })
})
afterAll(() => control.close())

interface Said {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

async function form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Said> {
  const response = await fetch(control.origin + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return { status: response.status, body: await response.json() }
}

async function aCode(from = HERE): Promise<string> {
  const { body } = await form('/oauth/device_authorization', {}, { 'x-forwarded-for': from })
  return body.user_code as string
}

const isWaiting = async (code: string): Promise<boolean> =>
  (await ada.ask('GET', `/api/device-requests/${code}`)).status === 200

test('of a million guesses from a thousand addresses ten thousand are looked at, and none is left for the right code', async () => {
  let nowMs = 0
  const codes = new DeviceCodes({ now: () => nowMs, elapsed: () => nowMs })
  let looked = 0
  const store = {
    devices: {
      requestOf: async () => {
        looked += 1
        return null
      },
    },
    hash: (code: string) => code,
  }
  const [one] = [anAccount()]
  const accounts = Array.from({ length: ADDRESSES }, (_, at) => ({ ...one, id: `acc_${at}` }))
  const refusals = new Map<string, number>()
  for (let guess = 0; guess < GUESSES; guess++) {
    const at = guess % ADDRESSES
    const account = accounts[at] ?? one
    const address = `198.51.${at >> 8}.${at & 255}`
    try {
      await codes.find('BCDF-GHJK', { account, address, nowMs }, store)
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause
      refusals.set(cause.code, (refusals.get(cause.code) ?? 0) + 1)
    }
  }
  expect(looked).toBe(10 * ADDRESSES)
  expect(refusals.get('not_found')).toBe(10 * ADDRESSES)
  expect(refusals.get('too_many_requests')).toBe(GUESSES - 10 * ADDRESSES)
  nowMs += 600_001
  await codes.find('BCDF-GHJK', { account: one, address: '198.51.0.0', nowMs }, store).catch(() => {})
  expect(looked).toBe(10 * ADDRESSES + 1)
})

test('no link, form or other page approves a sign-in', async () => {
  const code = await aCode()
  const path = `/api/device-requests/${code}/approve`
  const cookie = await control.cookieOf(ada.account)
  const body = JSON.stringify({ name: 'laptop', group: 'default' })
  const sent = async (init: RequestInit) => (await fetch(control.origin + path, init)).status
  const own = { cookie, origin: control.origin, 'content-type': 'application/json' }
  expect(await sent({ method: 'GET', headers: own })).toBe(405)
  for (const headers of [
    { ...own, origin: 'https://evil.example.test' },
    { ...own, origin: 'null' },
    { ...own, 'content-type': 'text/plain' },
    { ...own, 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    expect(await sent({ method: 'POST', headers, body }), JSON.stringify(headers)).toBeGreaterThanOrEqual(400)
  }
  const asForm = new URLSearchParams({ name: 'laptop', group: 'default' })
  expect(
    await sent({ method: 'POST', headers: { cookie, origin: control.origin }, body: asForm }),
  ).toBeGreaterThanOrEqual(400)
  expect(await isWaiting(code)).toBe(true)
})

test('a code is decided once, and the device is of who approved it', async () => {
  const code = await aCode()
  const eve = await control.account()
  const approve = (by: Asker) =>
    by.ask('POST', `/api/device-requests/${code}/approve`, { name: 'laptop', group: 'default' })
  expect((await approve(eve)).status).toBe(200)
  expect((await approve(ada)).status).toBe(404)
  expect((await ada.ask('POST', `/api/device-requests/${code}/deny`)).status).toBe(404)
  const [device] = (await eve.ask('GET', '/api/devices')).body.data
  expect((await ada.ask('DELETE', `/api/devices/${device.key.id}`)).status).toBe(404)
  expect((await ada.ask('GET', '/api/devices')).body.data).toEqual([])
})

test('a lying host is led to no page of its own, and without TLS to nothing', async () => {
  const environment = { ...BEHIND_A_PROXY, TOLLGATE_PUBLIC_URL: PUBLIC_URL }
  const known = await controlUnderTest({ environment })
  onTestFinished(() => known.close())
  const lies = { host: 'evil.example.test', 'x-forwarded-prefix': '/evil' }
  expect((await raw(known.origin, lies)).status).toBe(404)
  const forwarded = { 'x-forwarded-host': 'evil.example.test', 'x-forwarded-proto': 'https' }
  for (const headers of [forwarded, { ...forwarded, ...lies }]) {
    const { status, body } = await raw(known.origin, headers)
    expect([status, body.verification_uri]).toEqual([200, `${PUBLIC_URL}/device`])
    expect(JSON.stringify(body)).not.toContain('evil')
  }
})

/** Asks with a host of its own, which `fetch` does not send. */
function raw(origin: string, headers: Record<string, string>): Promise<Said> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const options = { method: 'POST', headers: { ...type, ...headers } }
    const sent = ask(`${origin}/oauth/device_authorization`, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    sent.once('error', reject)
    sent.end()
  })
}

test('names of a megabyte, with markup or with escape codes are refused or shown as plain text of one line', async () => {
  for (const field of ['surface', 'device_name', 'client_name']) {
    const { status, body } = await form('/oauth/device_authorization', { [field]: MEGABYTE })
    expect([400, 413], field).toContain(status)
    expect(body.error, field).toBe('invalid_request')
  }
  const strange = '<img src=x onerror=alert(1)>\u001b[31m\u202e\r\nX: y\u0000'
  const { body } = await form('/oauth/device_authorization', { client_name: strange, device_name: strange })
  const { body: shown } = await ada.ask('GET', `/api/device-requests/${body.user_code}`)
  for (const name of [shown.client, shown.machine]) {
    expect(name.length).toBeLessThanOrEqual(64)
    // oxlint-disable-next-line no-control-regex
    expect(name).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/)
  }
})

test('ten thousand codes may wait in all; those that wait are served on, and new ones are asked to come later', async () => {
  const mine = await aCode('203.0.113.1')
  let refused = 0
  for (let network = 0; network * 30 < OPEN_CODES; network++) {
    const headers = { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` }
    const all = await Promise.all(Array.from({ length: 30 }, () => form('/oauth/device_authorization', {}, headers)))
    for (const { status, body } of all) {
      if (status === 200) continue
      expect({ status, error: body.error }).toEqual({ status: 429, error: 'slow_down' })
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(0)
  expect((await form('/oauth/device_authorization', {}, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429)
  const began = performance.now()
  expect(await isWaiting(mine)).toBe(true)
  const typed = { name: 'laptop', group: 'default', typed_code: mine }
  expect((await ada.ask('POST', `/api/device-requests/${mine}/approve`, typed)).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(5_000)
  control.clock.advance(600_001)
  await control.store.devices.forgetRequests(control.clock.now(), OPEN_CODES)
  expect((await form('/oauth/device_authorization', {}, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
})
