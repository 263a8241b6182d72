import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import { parseUsd } from '../../src/core/money.ts'
import { newId } from '../../src/core/ids.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite } from '../support/run/suite.ts'
import { signInDevice } from '../support/signed-in-device.ts'
import { testPostgres } from '../support/test-servers.ts'

const SHORT = 'fake/echo?input=40&output=10&chunks=2&tag=devices'
const STALLS = 'fake/stalls-mid-stream?hold_ms=30000&tag=devices'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const tokens = tokensOfDevices({ secret: TEST_SECRET, sealing: [TEST_SECRET] })

/** The access tokens of devices at running gateways; they are made by the console API of the first. */
const TWO_NODES = ['two nodes on PostgreSQL', 2] as const
describe.each(inSuite({ long: [['one node on SQLite', 1], TWO_NODES] as const, short: [TWO_NODES] as const }))(
  'with %s',
  (_name, nodes) => {
    let database: { url: string; drop(): Promise<void> } | null = null
    const gateways: GatewayUnderTest[] = []
    let accountId: string

    beforeAll(async () => {
      database = nodes === 1 ? null : await testPostgres()
      const environment = {
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        ...(database === null ? {} : { DATABASE_URL: database.url, TOLLGATE_SECRET: 'x'.repeat(32) }),
      }
      for (let i = 0; i < nodes; i++) gateways.push(await gatewayUnderTest({ environment }))
      for (const model of [SHORT, STALLS]) await first().model(model)
      accountId = (await first().account({ balance: '10' })).id
    })
    afterAll(async () => {
      await Promise.all(gateways.map((each) => each.close()))
      await database?.drop()
    })

    const first = () => gateways[0] as GatewayUnderTest
    const last = () => gateways.at(-1) as GatewayUnderTest

    async function newDevice(fields: Partial<ApiKey> = {}) {
      const { store } = first()
      const [{ id: groupId } = { id: '' }] = await store.groups.groups()
      return signInDevice(store, { accountId, groupId, nowMs: Date.now(), fields })
    }
    const tokenOf = (keyId: string, { inMs = 3_600_000, epoch = 0 } = {}) =>
      tokens.accessToken({ keyId, expiresAt: Date.now() + inMs, epoch })

    async function call(
      token: string,
      model = SHORT,
      { at = last(), fields = {} }: { at?: GatewayUnderTest; fields?: object } = {},
    ) {
      const response = await fetch(`${at.origin}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'anthropic-version': '2023-06-01',
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          model,
          max_tokens: 64,
          stream: model === STALLS,
          messages: [{ role: 'user', content: 'hi' }],
          ...fields,
        }),
      })
      return response
    }
    async function refusal(token: string) {
      const response = await call(token)
      const { error } = (await response.json()) as { error: { type: string; message: string } }
      return { status: response.status, retry: response.headers.get('x-should-retry'), message: error.message }
    }
    const admin = (method: string, path: string, body?: object) =>
      fetch(first().origin + path, {
        method,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })

    test('a device calls models by any of its tokens, and all of it is one key’s', async () => {
      const id = await newDevice()
      const answers = await Promise.all([call(tokenOf(id)), call(tokenOf(id, { inMs: 600_000 })), call(tokenOf(id))])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      await expect
        .poll(
          async () =>
            (await first().store.usage.list({ accountId, keyId: id }, { after: null, limit: 10 })).records.length,
          {
            timeout: PATIENCE_MS,
          },
        )
        .toBe(3)
    })

    test('one that is over, forged, torn, of another epoch or another installation is refused with what to do', async () => {
      const id = await newDevice()
      const good = tokenOf(id)
      const other = tokensOfDevices({ secret: TEST_SECRET, sealing: ['another secret'] })
      const never = { status: 401, retry: 'false' }
      const again = 'Sign in again: enter /login in Claude Code, or run "tollgate login".'
      expect(await refusal(tokenOf(id, { inMs: -1_000 }))).toMatchObject({
        ...never,
        message: expect.stringMatching(`^The sign-in of this device expired at .*${again}`),
      })
      expect((await refusal(tokenOf(id, { epoch: 1 }))).message).toContain('The sign-in of this device expired.')
      const forged = other.accessToken({ keyId: id, expiresAt: Date.now() + 3_600_000, epoch: 0 })
      for (const text of [forged, good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A')]) {
        const message = expect.stringContaining('did not issue the sign-in token')
        expect(await refusal(text)).toMatchObject({ ...never, message })
      }
      expect(await refusal(good.slice(0, -3))).toMatchObject({
        ...never,
        message: expect.stringContaining('arrived incomplete'),
      })
      expect((await call(good)).status).toBe(200)
    })

    test('one that is signed out is refused by every node once the call returns, and its streams are cut', async () => {
      const id = await newDevice()
      const token = tokenOf(id)
      const stream = await call(token, STALLS)
      const reader = stream.body?.getReader()
      await reader?.read()
      expect((await admin('DELETE', `/api/devices/${id}`)).status).toBe(204)
      for (const gateway of gateways) expect((await call(token, SHORT, { at: gateway })).status).toBe(401)
      expect(await refusal(token)).toMatchObject({ message: expect.stringContaining('This device was signed out at') })
      let text = ''
      const readOn = async () => {
        for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
          text += Buffer.from(part.value).toString()
        }
      }
      // Its connection is cut behind the words.
      await expect(readOn()).rejects.toThrow('terminated')
      expect(text).toContain('This device was signed out')
    })

    test('of a disabled account it is refused with 401, at which Claude Code asks for a sign-in', async () => {
      const id = await newDevice()
      const token = tokenOf(id)
      await admin('PATCH', `/api/accounts/${accountId}`, { status: 'disabled' })
      expect(await refusal(token)).toMatchObject({ status: 401, retry: 'false' })
      await admin('PATCH', `/api/accounts/${accountId}`, { status: 'active' })
      expect((await call(token)).status).toBe(200)
    })

    test('a secret of a device is its key’s, and ends alone or with it', async () => {
      const id = await newDevice()
      const { store } = first()
      const { newSecret, displayParts } = await import('../../src/access/key-secret.ts')
      const { keyedHash } = await import('../../src/core/secret-box.ts')
      const make = async () => {
        const secret = newSecret((count) => randomBytes(count))
        const { start, end } = displayParts(secret)
        const kept = {
          id: newId('dsc', Date.now()),
          keyId: id,
          client: 'aider',
          secretStart: start,
          secretEnd: end,
          createdAt: 0,
        }
        expect(await store.devices.addSecret(kept, keyedHash(TEST_SECRET)(secret), 20)).toBe(true)
        return { secret, id: kept.id }
      }
      const [one, two] = [await make(), await make()]
      for (const text of [one.secret, two.secret, tokenOf(id)]) expect((await call(text)).status).toBe(200)
      // The records say which it was.
      const devicesOf = async () => {
        const { data } = (await (await admin('GET', `/api/usage?account_id=${accountId}&key=${id}`)).json()) as {
          data: { device: { secret_of: string | null } | null }[]
        }
        return data.map(({ device }) => device?.secret_of)
      }
      await expect.poll(devicesOf, { timeout: PATIENCE_MS }).toHaveLength(3)
      expect(new Set(await devicesOf())).toEqual(new Set(['aider', null]))
      expect((await admin('DELETE', `/api/devices/${id}/secrets/${one.id}`)).status).toBe(204)
      expect((await call(one.secret)).status).toBe(401)
      expect((await call(two.secret)).status).toBe(200)
      await admin('DELETE', `/api/devices/${id}`)
      for (const text of [two.secret, tokenOf(id)]) expect((await call(text)).status).toBe(401)
    })

    test('Claude Code is shown the dollars of its fullest cap, and without one what was spent', async () => {
      const read = async (keyId: string) => {
        const headers = { authorization: `Bearer ${tokenOf(keyId)}` }
        const answer = await fetch(`${last().origin}/api/oauth/usage`, { headers })
        return { status: answer.status, body: await answer.json() }
      }
      const [free, capped] = [await newDevice(), await newDevice({ quotaLimit: parseUsd('50'), quotaReset: 'monthly' })]
      const none = { limit: null, used_credits: 0, utilization: null }
      expect(await read(free)).toEqual({
        status: 200,
        body: {
          extra_usage: {
            is_enabled: true,
            monthly_limit: null,
            used_credits: 0,
            utilization: null,
            currency: 'USD',
            daily: none,
            weekly: none,
          },
          limits: [],
        },
      })
      const { body } = await read(capped)
      expect(body).toMatchObject({
        extra_usage: { monthly_limit: 5_000, used_credits: 0, utilization: 0 },
        limits: [{ kind: 'spend', group: 'monthly', percent: 0, severity: 'normal', is_active: true }],
      })
    })

    test('the head of its answers says how its cap stands, and that of a personal API key says nothing', async () => {
      const quota = { quotaLimit: parseUsd('0.001'), quotaReset: 'monthly' } as const
      const { secret } = await first().key({ id: accountId } as Account, quota)
      const unified = ({ headers }: Response) => [...headers].filter(([name]) => name.includes('unified'))
      expect(unified(await call(secret))).toEqual([])
      // 40 tokens of input and 10 of output: a fifth of a thousandth.
      expect(Object.fromEntries(unified(await call(tokenOf(await newDevice(quota)))))).toMatchObject({
        'anthropic-ratelimit-unified-status': 'allowed',
        'anthropic-ratelimit-unified-overage-utilization': '0.2',
      })
    })

    test('a cap that is used up refuses it in the shape of its own gateway, and others as ever', async () => {
      const thinking = { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_024 } }
      for (const [usd, fields, said] of [
        ['0', {}, 'quota'],
        // It pays for a few tokens, and fewer than the request may think for.
        ['0.001', thinking, 'Its thinking.budget_tokens have to be fewer.'],
      ] as const) {
        const id = await newDevice({ quotaLimit: parseUsd(usd), quotaReset: 'daily' })
        const response = await call(tokenOf(id), SHORT, { fields })
        const body = (await response.json()) as { error: { type: string; message: string } }
        expect([response.status, body.error.type]).toEqual([429, 'billing_error'])
        expect(body.error.message).toContain(said)
        const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'x-should-retry': 'false',
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(midnight),
          'anthropic-ratelimit-unified-overage-disabled-reason': 'org_spend_cap_reached',
        })
      }
    })

    test('its settings name models of its group where that lacks what Claude Code takes by itself', async () => {
      const id = await newDevice()
      const read = (headers: Record<string, string> = {}) =>
        fetch(`${last().origin}/managed/settings`, { headers: { authorization: `Bearer ${tokenOf(id)}`, ...headers } })
      const given = await read()
      const body = (await given.json()) as { checksum: string; settings: { availableModels: string[] } }
      expect([given.status, given.headers.get('etag')]).toEqual([200, `"${body.checksum}"`])
      expect(body.settings.availableModels.toSorted()).toEqual([SHORT, STALLS].toSorted())
      expect((await read({ 'if-none-match': `"${body.checksum}"` })).status).toBe(304)

      // What its group sets stands in their place, in the words in which it is set, and changes for all nodes at once.
      const [{ id: groupId } = { id: '' }] = await first().store.groups.groups()
      const ofGroup = (claude_settings: object | null) => admin('PATCH', `/api/groups/${groupId}`, { claude_settings })
      const set = { env: { B: '1', ANTHROPIC_MODEL: SHORT }, companyAnnouncements: ['é "quoted"'], availableModels: [] }
      expect((await ofGroup(set)).status).toBe(200)
      const own = await read({ 'if-none-match': `"${body.checksum}"` })
      const sorted = `{"availableModels":[],"companyAnnouncements":["é \\"quoted\\""],"env":{"ANTHROPIC_MODEL":"${SHORT}","B":"1"}}`
      const checksum = `sha256:${createHash('sha256').update(sorted).digest('hex')}`
      expect([own.status, own.headers.get('etag'), await own.json()]).toEqual([
        200,
        `"${checksum}"`,
        { uuid: groupId, checksum, settings: set },
      ])
      expect((await read({ 'if-none-match': `"${checksum}"` })).status).toBe(304)
      await ofGroup(null)
      expect(await (await read()).json()).toEqual(body)
      const report = { method: 'POST', headers: { authorization: `Bearer ${tokenOf(id)}` }, body: 'x'.repeat(100_000) }
      expect((await fetch(`${last().origin}/v1/metrics`, report)).status).toBe(200)
    })
  },
)
