import type { Account } from '../../src/access/account.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, nanoUsd, partsPerMillion } from '../../src/core/money.ts'
import type { RateLimit } from '../../src/access/key-settings.ts'
import { type EngineName, newPlace } from '../conformance/store-under-test.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { threadsOfRun, workersOfRun } from './chance.ts'
import type { Evidence } from './evidence.ts'
import { MENU, type MenuPrices } from './menu.ts'
import type { LoadKey, LoadLimits } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import { readBooks, type WrittenBooks } from './written-books.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const MULTIPLIER = 1_370_001n
/** The group that subscriptions cover. */
const COVERED = 'default'

/** A whole gateway in this process that serves the menu, and the accounts and keys that a load spends from. */
export interface LoadedGateway {
  readonly gateway: GatewayUnderTest
  readonly keys: readonly LoadKey[]
  openKey(account: Account, options?: KeyOptions): Promise<LoadKey>
  /** `subscription`: quotas of one that covers the default group, from now on. */
  openAccount(balance: bigint, subscription?: LoadLimits['subscription']): Promise<Account>
  credit(accountId: string, amount: bigint): Promise<void>
  /** What a key may still spend by what is written: the least of its account's balance and its quota. Nano-USD. */
  left(key: LoadKey): Promise<bigint>
  /** Drains the gateway, proves its books by its own means, and reads what it left. To be called when no client is left. */
  comeToRest(sightings: readonly Sighting[]): Promise<Rest>
  /** Ends everything, after `comeToRest` or without it. */
  close(): Promise<void>
}

export interface Rest extends Evidence {
  /** What the gateway's own proof of its books finds. */
  readonly disagreements: readonly string[]
  /** How long the drain took. With a request that never ends it takes as long as requests are given. */
  readonly drainedInMs: number
}

interface KeyOptions {
  /** Nano-USD. */
  readonly quota?: bigint
  readonly quotaReset?: 'never' | 'daily' | 'weekly' | 'monthly'
  /** Set for a key of the group with a multiplier that is not 1. */
  readonly isDear?: boolean
  readonly isRich?: boolean
  readonly limits?: LoadLimits
}

/** Only a request that never ends takes so long, however busy the machine is. */
export const REQUESTS_ARE_GIVEN_MS = 150_000

export async function loadedGateway(engine: EngineName = 'sqlite'): Promise<LoadedGateway> {
  const { directory: dataDirectory, databaseUrl, leave } = await newPlace(engine)
  const place = { dataDirectory, databaseUrl }
  const gateway = await gatewayUnderTest({
    environment: {
      TOLLGATE_DATA_DIR: dataDirectory,
      TOLLGATE_DRAIN_MS: String(REQUESTS_ARE_GIVEN_MS),
      ...workersOfRun(process.env),
      ...(databaseUrl === null
        ? {}
        : { DATABASE_URL: databaseUrl, TOLLGATE_SECRET: 'only for tests: 32 bytes and a few more' }),
    },
  })
  const dearGroupId = await putMenu(gateway)
  const keys: LoadKey[] = []
  const granted = new Map<string, bigint>()
  let isAtRest = false
  return {
    gateway,
    keys,
    async openAccount(balance, subscription) {
      const account = await gateway.account({ balance: formatUsd(nanoUsd(balance)) })
      granted.set(account.id, balance)
      if (subscription !== undefined) await subscribe(gateway, account, subscription)
      return account
    },
    async openKey(account, options = {}) {
      const key = await openKey(gateway, account, { ...options, dearGroupId })
      keys.push(key)
      return key
    },
    async credit(accountId, amount) {
      await credit(gateway, accountId, amount)
      granted.set(accountId, (granted.get(accountId) ?? 0n) + amount)
    },
    left: async (key) => leftTo(key, await readBooks(place)),
    async comeToRest(sightings) {
      const beganAt = performance.now()
      await gateway.running.drain()
      const drainedInMs = performance.now() - beganAt
      isAtRest = true
      const { disagreements } = await gateway.store.ledger.prove()
      await gateway.fake.whenIdle()
      const books = await readBooks(place)
      const served = gateway.fake.stats()
      const evidence = { sightings, books, served, keys, granted, lives: [], troubles: [] }
      return { ...evidence, threads: threadsOfRun(process.env), disagreements, drainedInMs }
    },
    async close() {
      if (!isAtRest) await gateway.running.drain()
      await gateway.store.close()
      await gateway.fake.close()
      await leave()
    },
  }
}

function leftTo({ id, accountId, quota }: LoadKey, { budgets }: WrittenBooks): bigint {
  const balance = budgets.find(({ kind, subject_id }) => kind === 'balance' && subject_id === accountId)
  const ofKey = budgets.find(({ kind, subject_id }) => kind === 'key_quota' && subject_id === id)
  const left = (balance?.limit_nano ?? 0n) - (balance?.used_nano ?? 0n)
  const leftOfQuota = quota === null ? left : quota - (ofKey?.used_nano ?? 0n)
  return left < leftOfQuota ? left : leftOfQuota
}

/** Puts the models of the menu in, and returns the group with a multiplier, once the gateway knows all of it. */
async function putMenu(gateway: GatewayUnderTest): Promise<string> {
  for (const { name, prices } of MENU) {
    await gateway.model(name, { protocols: ['openai', 'openai-chat', 'anthropic'], prices: pricesOf(prices) })
  }
  const dearGroupId = newId('grp', Date.now())
  await gateway.store.groups.putGroup({
    id: dearGroupId,
    name: 'dear',
    multiplier: partsPerMillion(MULTIPLIER),
    models: ['*'],
    isEnabled: true,
    isOpen: true,
    isManaged: false,
  })
  const { secret } = await gateway.key(await gateway.account({ balance: '0' }), { groupId: dearGroupId })
  const deadline = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    const response = await fetch(`${gateway.origin}/v1/models`, {
      headers: { authorization: `Bearer ${secret}` },
      signal: deadline,
    })
    const listed = await response.text()
    if (MENU.every(({ name }) => listed.includes(JSON.stringify(name)))) return dearGroupId
  }
}

function pricesOf({ input, output, cacheRead, cacheWrite }: MenuPrices) {
  return {
    input: nanoUsd(input),
    output: nanoUsd(output),
    cacheRead: cacheRead === null ? null : nanoUsd(cacheRead),
    cacheWrite: cacheWrite === null ? null : nanoUsd(cacheWrite),
    cacheWrite1h: null,
    other: null,
    units: null,
  }
}

async function openKey(
  gateway: GatewayUnderTest,
  account: Account,
  options: KeyOptions & { dearGroupId: string },
): Promise<LoadKey> {
  const { quota, quotaReset = 'never', isDear = false, isRich = false, dearGroupId, limits } = options
  const { key, secret } = await gateway.key(account, {
    quotaLimit: quota === undefined ? null : nanoUsd(quota),
    quotaReset,
    rateLimit: limits === undefined ? null : rateLimitOf(limits),
    ...(isDear ? { groupId: dearGroupId } : {}),
  })
  const multiplier = isDear ? MULTIPLIER : 1_000_000n
  const group = isDear ? 'dear' : COVERED
  const about = { id: key.id, accountId: account.id, secret, quota: quota ?? null, group, multiplier, isRich }
  return limits === undefined ? about : { ...about, limits, ...(limits.subscription && { coveredIn: COVERED }) }
}

function rateLimitOf({ concurrency, requestsPerMinute, tokensPerMinute, spend = [] }: LoadLimits): RateLimit {
  return {
    concurrency: concurrency ?? null,
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
    spend: spend.map(({ window, usd }) => ({ window, usd: nanoUsd(usd) })),
  }
}

async function subscribe(
  { store }: GatewayUnderTest,
  account: Account,
  quotas: NonNullable<LoadLimits['subscription']>,
): Promise<void> {
  const now = Date.now()
  const groups = await store.groups.groups()
  await store.subscriptions.open({
    id: newId('sub', now),
    accountId: account.id,
    planId: newId('pln', now),
    planName: 'small',
    groupIds: groups.filter(({ name }) => name === COVERED).map(({ id }) => id),
    opensGroups: true,
    quotas: quotas.map(({ window, usd }) => ({ window, usd: nanoUsd(usd) })),
    startsAt: now,
    endsAt: now + 86_400_000,
    cancelledAt: null,
    createdAt: now,
  })
}

async function credit(gateway: GatewayUnderTest, accountId: string, amount: bigint): Promise<void> {
  const now = Date.now()
  await gateway.store.ledger.post({
    id: newId('led', now),
    accountId,
    createdAt: now,
    kind: 'credit',
    amount: nanoUsd(amount),
    reason: 'test',
    actor: 'test',
  })
}
