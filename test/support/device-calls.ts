import { randomBytes } from 'node:crypto'
import type { ApiKey } from '../../src/access/api-key.ts'
import { displayParts, newSecret } from '../../src/access/key-secret.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { newPlace } from '../conformance/store-under-test.ts'
import { signInDevice } from './signed-in-device.ts'

/** Devices of one account that call models of known cost, at one node or more. */
export interface DeviceCalls {
  readonly nodes: readonly GatewayUnderTest[]
  readonly accountId: string
  /** The key of a device, by its token. */
  keyOf(token: string): string
  /** One more access token of a device that has one. */
  tokenBeside(token: string, lastsMs: number): string
  /** Stores a secret for a client of the device; returns it. */
  storedSecret(token: string, client: string): Promise<string>
  readonly noCounts: typeof NO_COUNTS
  /** Signs a device in; returns its access token. */
  device(fields: Partial<ApiKey>): Promise<string>
  /** Makes a personal API key; returns its secret. */
  key(fields: Partial<ApiKey>): Promise<string>
  /** Asks for an answer that costs so many cents, or as many as there are. */
  call(token: string, wish: CallWish): Promise<ShownHead>
  usage(token: string, node?: number): Promise<ClaudeUsage>
  /** Gives a device another quota, at the first node. */
  changeQuota(token: string, limit: NanoUsd): Promise<void>
  close(): Promise<void>
}

export interface CallWish {
  readonly cents: number
  readonly isStream?: boolean
  /** The model to call, whatever it costs. */
  readonly model?: string
  readonly maxTokens?: number
  readonly path?: string
  /** The number of a node; the last one where it is left out. */
  readonly node?: number
}

/** The status of an answer, and its headers that Claude Code reads, without the prefix that they share. */
export interface ShownHead {
  readonly status: number
  readonly unified: Readonly<Record<string, string>>
}

interface ClaudeUsage {
  readonly limits: readonly {
    readonly group: string
    readonly percent: number
    readonly resets_at: string
    readonly is_active: boolean
  }[]
}

const UNIFIED = 'anthropic-ratelimit-unified-'
/** A token of output costs a tenth of a cent, and input nothing. */
const PRICES = { ...TEST_PRICES, input: ZERO_NANO_USD, output: parseUsd('1000') }
const TOKENS_OF_CENT = 10
const COSTS = [0, 1, 5, 10, 19, 25, 50, 90]
const FAILING = ['fake/overloaded?tag=caps', 'fake/bad-request?tag=caps'] as const
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const MOST_TOKENS = 1_000
const tokens = tokensOfDevices({ secret: TEST_SECRET, sealing: [TEST_SECRET] })

export async function deviceCalls(engine: 'sqlite' | 'postgres', count: number): Promise<DeviceCalls> {
  const place = await newPlace(engine)
  const environment = {
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_DATA_DIR: place.directory,
    ...(place.databaseUrl === null
      ? {}
      : { DATABASE_URL: place.databaseUrl, TOLLGATE_SECRET: 'the same secret for all nodes of one test' }),
  }
  const keyIds = new Map<string, string>()
  const nodes: GatewayUnderTest[] = []
  for (let i = 0; i < count; i++) nodes.push(await gatewayUnderTest({ environment }))
  const nodeAt = (number = count - 1): GatewayUnderTest => {
    const node = nodes[number]
    if (node === undefined) throw new Error(`there is no node ${number}`)
    return node
  }
  const keyOf = (token: string): string => keyIds.get(token) ?? ''
  const first = nodeAt(0)
  for (const name of [...COSTS.map(modelOf), ...FAILING]) await first.model(name, { prices: PRICES })
  const account = await first.account({ balance: '1000' })
  const [{ id: groupId } = { id: '' }] = await first.store.groups.groups()
  return {
    nodes,
    accountId: account.id,
    keyOf,
    tokenBeside: (token, lastsMs) =>
      tokens.accessToken({ keyId: keyOf(token), expiresAt: Date.now() + lastsMs, epoch: 0 }),
    storedSecret: async (token, client) => {
      const secret = newSecret((length) => randomBytes(length))
      const { start: secretStart, end: secretEnd } = displayParts(secret)
      const [id, createdAt] = [newId('dsc', Date.now()), Date.now()]
      const kept = { id, keyId: keyOf(token), client, secretStart, secretEnd, createdAt }
      await first.store.devices.addSecret(kept, keyedHash(TEST_SECRET)(secret), 20)
      return secret
    },
    noCounts: NO_COUNTS,
    device: async (fields) => {
      const nowMs = Date.now()
      const keyId = await signInDevice(first.store, { accountId: account.id, groupId, nowMs, fields })
      const token = tokens.accessToken({ keyId, expiresAt: nowMs + 3_600_000, epoch: 0 })
      keyIds.set(token, keyId)
      return token
    },
    key: async (fields) => (await first.key(account, fields)).secret,
    call: async (token, { cents, node, path = '/v1/messages', ...wish }) => {
      const { isStream = false, model = modelOf(cents), maxTokens = MOST_TOKENS } = wish
      const response = await fetch(nodeAt(node).origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({
          model,
          max_tokens: maxTokens,
          stream: isStream,
          messages: [{ role: 'user', content: 'hi' }],
        }),
      })
      await response.text()
      const unified = [...response.headers].filter(([name]) => name.startsWith(UNIFIED))
      return {
        status: response.status,
        unified: Object.fromEntries(unified.map(([name, value]) => [name.slice(UNIFIED.length), value])),
      }
    },
    usage: async (token, node) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await (await fetch(`${nodeAt(node).origin}/api/oauth/usage`, { headers })).json()) as ClaudeUsage
    },
    changeQuota: async (token, limit) => {
      const answer = await fetch(`${first.origin}/api/keys/${keyOf(token)}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ quota_limit: formatUsd(limit) }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    close: async () => {
      await Promise.all(nodes.map((each) => each.close()))
      await place.leave()
    },
  }
}

function modelOf(cents: number): string {
  return `fake/echo?input=40&output=${cents * TOKENS_OF_CENT}&chunks=2&keeps_limits=1&tag=caps`
}
