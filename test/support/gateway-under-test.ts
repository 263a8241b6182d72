import { randomBytes } from 'node:crypto'
import type { Account } from '../../src/access/account.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import { displayParts, newSecret } from '../../src/access/key-secret.ts'
import { UNSET } from '../../src/access/key-settings.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { type RunningGateway, startGateway } from '../../src/app/server/start-gateway.ts'
import { readEnvironment, type Settings } from '../../src/app/installation/environment.ts'
import { startWorkers } from '../../src/app/workers/worker-pool.ts'
import { systemClock } from '../../src/core/clock.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, parseMultiplier, parseUsd } from '../../src/core/money.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import { keyedHash, sealer } from '../../src/core/secret-box.ts'
import { createLogger } from '../../src/core/log.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { migratedDirectory } from './test-servers.ts'

export const TEST_SECRET = 'a secret that is only for tests, 32 bytes and more'

/** USD per million tokens: figures that give odd nano-USD, so that a rounding mistake shows. */
export const TEST_PRICES: TokenPrices = {
  input: parseUsd('2.5'),
  output: parseUsd('10.000001'),
  cacheRead: parseUsd('0.25'),
  cacheWrite: parseUsd('3.125'),
  cacheWrite1h: null,
  other: null,
  units: null,
}

export interface GatewayUnderTest {
  readonly origin: string
  readonly store: Store
  readonly fake: FakeUpstream
  readonly running: RunningGateway
  account(options?: { balance?: string; status?: Account['status'] }): Promise<Account>
  /** `secret`: a custom one; generated where it is left out. */
  key(account: Account, fields?: Partial<ApiKey>, secret?: string): Promise<{ key: ApiKey; secret: string }>
  /** A model by the fake upstream's name for it, on upstreams of these protocols. */
  model(name: string, options?: { protocols?: readonly UpstreamProtocol[]; prices?: TokenPrices | null }): Promise<void>
  balance(account: Account): Promise<string>
  close(): Promise<void>
}

export interface UnderTestOptions {
  readonly environment?: Record<string, string>
  readonly upstream?: { readonly firstByteTimeoutMs?: number; readonly timeoutMs?: number }
}

/** A whole gateway in this process: real store, real sockets, the fake upstream behind it. */
export async function gatewayUnderTest(options: UnderTestOptions = {}): Promise<GatewayUnderTest> {
  const directory = await migratedDirectory()
  const environment = {
    PORT: '0',
    TOLLGATE_DATA_DIR: directory,
    TOLLGATE_LOG_LEVEL: 'silent',
    TOLLGATE_SHUTDOWN_DELAY_MS: '0',
    ...options.environment,
  }
  const settings: Settings = readEnvironment(environment)
  const store = await openStore({
    databaseUrl: settings.databaseUrl,
    dataDirectory: settings.dataDir,
    clock: systemClock,
    lowBalance: settings.lowBalance,
  })
  const fake = await startFakeUpstream()
  const now = Date.now()
  const groupId = newId('grp', now)
  await store.groups.putGroup({
    id: groupId,
    name: 'default',
    multiplier: parseMultiplier('1'),
    models: ['*'],
    isEnabled: true,
    isOpen: true,
    isManaged: false,
  })
  const box = sealer(TEST_SECRET)
  const upstreamIds = await putUpstreams(store, { fake, seal: (text) => box.seal(text), options })
  const hashSecret = keyedHash(TEST_SECRET)
  const log = createLogger('silent')
  const threads = settings.workers === 'auto' ? 1 : settings.workers
  const workers =
    threads === 1 ? {} : startWorkers({ settings, installation: { store, secret: TEST_SECRET }, log, threads })
  const running = await startGateway({
    settings,
    environment,
    // Of several in this process none is an earlier life of another: each has a host to itself. Threads share their slot's.
    ...(threads === 1 ? { process: { host: directory, processId: process.pid } } : {}),
    store,
    sealer: box,
    hashSecret,
    controlHashes: controlHashes(TEST_SECRET),
    deviceTokens: tokensOfDevices({ secret: TEST_SECRET, sealing: [TEST_SECRET] }),
    log,
    ...workers,
  })
  return {
    origin: running.origin,
    store,
    fake,
    running,
    account: (fields) => openAccount(store, fields),
    key: (account, fields, secret = newSecret((count) => randomBytes(count))) =>
      createKey(store, { account, groupId, hashSecret, fields: fields ?? {}, secret }),
    model: (name, about) => putModel(store, { name, upstreamIds, ...about }),
    balance: async (account) => formatUsd(await store.ledger.balance(account.id)),
    close: async () => {
      await running.drain()
      await store.close()
      await fake.close()
    },
  }
}

async function putUpstreams(
  store: Store,
  context: { fake: FakeUpstream; seal: (text: string) => string; options: UnderTestOptions },
): Promise<ReadonlyMap<UpstreamProtocol, string>> {
  const ids = new Map<UpstreamProtocol, string>()
  for (const protocol of ['openai', 'openai-chat', 'anthropic'] as const) {
    const id = newId('ups', Date.now())
    await store.catalog.putUpstream({
      id,
      name: `fake-${protocol}`,
      protocol,
      baseUrl: context.fake.url + '/v1',
      credentials: [unlimitedCredential(context.seal('upstream-credential-for-tests'))],
      connectTimeoutMs: null,
      firstByteTimeoutMs: context.options.upstream?.firstByteTimeoutMs ?? null,
      timeoutMs: context.options.upstream?.timeoutMs ?? null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
    })
    ids.set(protocol, id)
  }
  return ids
}

async function putModel(
  store: Store,
  about: {
    name: string
    upstreamIds: ReadonlyMap<UpstreamProtocol, string>
    protocols?: readonly UpstreamProtocol[]
    prices?: TokenPrices | null
  },
): Promise<void> {
  const protocols = about.protocols ?? ['openai', 'anthropic']
  await store.catalog.putModel({
    id: newId('mdl', Date.now()),
    name: about.name,
    prices: about.prices === undefined ? TEST_PRICES : about.prices,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    targets: protocols.map((protocol) => ({
      upstreamId: about.upstreamIds.get(protocol) ?? '',
      model: about.name,
      priority: 0,
      weight: 1,
    })),
    createdAt: Date.now(),
    isManaged: false,
  })
}

async function openAccount(
  store: Store,
  fields: { balance?: string; status?: Account['status'] } = {},
): Promise<Account> {
  const now = Date.now()
  const id = newId('acc', now)
  const account: Account = {
    id,
    email: `${id}@example.test`,
    role: 'user',
    status: fields.status ?? 'active',
    createdAt: now,
    isManaged: false,
  }
  await store.accounts.create(account, null)
  const amount = parseUsd(fields.balance ?? '10')
  if (amount > 0n) {
    await store.ledger.post({
      id: newId('led', now),
      accountId: id,
      createdAt: now,
      kind: 'credit',
      amount,
      reason: 'test',
      actor: 'test',
    })
  }
  return account
}

async function createKey(
  store: Store,
  about: {
    account: Account
    groupId: string
    hashSecret: (secret: string) => string
    fields: Partial<ApiKey>
    secret: string
  },
): Promise<{ key: ApiKey; secret: string }> {
  const now = Date.now()
  const { secret } = about
  const parts = displayParts(secret)
  const id = newId('key', now)
  await store.keys.create(
    {
      id,
      accountId: about.account.id,
      name: 'test key',
      groupId: about.groupId,
      fallbackGroupIds: [],
      ...UNSET,
      createdAt: now,
      isManaged: false,
      ...about.fields,
    },
    { hash: about.hashSecret(secret), ...parts },
  )
  const key = await store.keys.findById(id)
  if (key === null) throw new Error('the key was not created')
  return { key, secret }
}
