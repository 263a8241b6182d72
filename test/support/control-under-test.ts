import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Account } from '../../src/access/account.ts'
import { newAccessToken, type AccessTokenScope } from '../../src/access/access-token.ts'
import { displayParts } from '../../src/access/key-secret.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { readEnvironment } from '../../src/app/installation/environment.ts'
import { retentionNow } from '../../src/app/retention/retention-now.ts'
import { RetentionNotes } from '../../src/app/retention/retention-notes.ts'
import { joinControl } from '../../src/app/server/join-control.ts'
import { Maintenance } from '../../src/app/server/maintenance.ts'
import { joinSignIn } from '../../src/app/server/join-sign-in.ts'
import { disksNow } from '../../src/app/server/disks-now.ts'
import { nodesNow, systemNow } from '../../src/app/server/system-now.ts'
import type { ControlParts } from '../../src/control/parts.ts'
import type { SignIn } from '../../src/control/sign-in.ts'
import type { Clock } from '../../src/core/clock.ts'
import { Fault } from '../../src/core/faults.ts'
import { newId } from '../../src/core/ids.ts'
import { answeredFailure } from '../../src/store/store-failure.ts'
import { createLogger } from '../../src/core/log.ts'
import { ONE_PPM, parseUsd } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { Store } from '../../src/store/store.ts'
import { type EngineName, newPlace, type Place } from '../conformance/store-under-test.ts'

export const CONTROL_SECRET = 'a secret that is only for tests, 32 bytes and more'
export const TEST_ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'

/** An answer of the API, read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed; null where there is no body. For reading what a test expects to be there. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** A caller: with an access token, a session, the admin token, or anonymous. */
export interface Asker {
  readonly account: Account | null
  /** `body` is sent as JSON; a text as it is. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface ControlUnderTest {
  readonly origin: string
  readonly store: Store
  readonly place: Place
  readonly clock: HandClock
  readonly maintenance: Maintenance
  readonly anonymous: Asker
  readonly adminToken: Asker
  /** Opens an account and returns it with a credential. */
  account(fields?: {
    role?: Account['role']
    via?: 'session' | AccessTokenScope
    balance?: string
    email?: string
  }): Promise<Asker & { readonly account: Account }>
  /** Asks as the same account by another credential. */
  as(account: Account, via: 'session' | 'stale_session' | AccessTokenScope): Promise<Asker>
  /** The cookie of a new session. */
  cookieOf(account: Account): Promise<string>
  /** A group that is enabled and open to all, with all models, unless said otherwise. */
  group(name: string, fields?: { isEnabled?: boolean; isOpen?: boolean; models?: readonly string[] }): Promise<string>
  close(): Promise<void>
}

/** A clock that stands where a test puts it. */
export interface HandClock extends Clock {
  advance(ms: number): void
}

/** The console API on a real server and a real database, without a gateway beside it. */
export async function controlUnderTest(
  options: {
    engine?: EngineName
    environment?: Record<string, string>
    testUpstream?: ControlParts['testUpstream']
    listUpstreamModels?: ControlParts['listUpstreamModels']
  } = {},
): Promise<ControlUnderTest> {
  const place = await newPlace(options.engine ?? 'sqlite')
  const clock = handClock()
  const store = await place.open(clock)
  const environment = {
    TOLLGATE_DATA_DIR: place.directory,
    TOLLGATE_ADMIN_TOKEN: TEST_ADMIN_TOKEN,
    ...options.environment,
  }
  const settings = readEnvironment(environment)
  const hashes = controlHashes(CONTROL_SECRET)
  const stale = new Set<string>()
  const signIn = joinSignIn({ settings, store, keys: hashes.signIn, clock, log: createLogger('silent') })
  const maintenance = new Maintenance({ settings, clock, log: createLogger('silent') })
  const listener = joinControl({
    settings,
    environment,
    store,
    sealer: sealer(CONTROL_SECRET),
    hashes,
    deviceTokens: tokensOfDevices({ secret: CONTROL_SECRET, sealing: [CONTROL_SECRET] }),
    clock,
    log: createLogger('silent'),
    signIn: {
      ...signIn,
      async sessionOf(request) {
        const session = await signIn.sessionOf(request)
        return session && { ...session, signedInAt: clock.now() - (stale.has(session.sessionId) ? STALE_MS : FRESH_MS) }
      },
    },
    explainRoute: noGateway,
    credentialsNow: () => [],
    upstreamNow: () => ({ inFlight: 0, models: [] }),
    capsNow: () => [],
    shadowCounts: async () => [],
    backupStanding: async () => null,
    limitStates: async () => [],
    areLimitsExact: () => null,
    unknownTries: () => [],
    testUpstream: options.testUpstream ?? (() => Promise.reject(new Error('no upstream is there to be tested'))),
    listUpstreamModels:
      options.listUpstreamModels ?? (() => Promise.reject(new Error('no upstream is there to be asked'))),
    tryUpstream: () => Promise.reject(new Error('there is no upstream')),
    probeAddress: async ({ protocol, baseUrl }) => ({ protocol, baseUrl, steps: [], models: [] }),
    localServers: async () => [],
    sendKeyMessage: async () => ({
      kind: 'done',
      requestId: 'req_none',
      status: 404,
      fault: 'model_unknown',
      message: 'There is no gateway.',
      text: null,
      record: null,
      totalMs: 1,
    }),
    isDraining: () => false,
    isClosed: () => false,
    system: {
      begin: (kind) => maintenance.begin(kind),
      nodes: () => nodesNow({ store, nodeId: 'nod_none' }),
      disks: () => disksNow(settings, store, clock.now()),
      retention: () => retentionNow(clock.now(), { store, settings, notes: new RetentionNotes() }),
      read: () =>
        systemNow({ settings, store, clock, maintenance, figures: async () => [], threads: 1, nodeId: 'nod_none' }),
    },
    storeFailure: async () => null,
    answeredFailure,
    checksAnswers: true,
  })
  const server = createServer(listener)
  // A test may be busy between two requests for longer than Node keeps an idle connection.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const askAs = (account: Account | null, headers: Record<string, string>): Asker => ({
    account,
    ask: (...[method, path, body, more]) => ask(origin + path, { method, body, headers: { ...headers, ...more } }),
  })
  const as = async (account: Account, via: 'session' | 'stale_session' | AccessTokenScope): Promise<Asker> => {
    if (via === 'session' || via === 'stale_session') {
      const cookie = await sessionCookie(signIn, { accountId: account.id, origin })
      const session = await signIn.sessionOf({ headers: new Headers({ cookie }), origin })
      if (session !== null && via === 'stale_session') stale.add(session.sessionId)
      return askAs(account, { cookie, origin })
    }
    const secret = newAccessToken(randomBytes)
    const { start, end } = displayParts(secret)
    const token = {
      id: newId('pat', clock.now()),
      accountId: account.id,
      name: 'test',
      scope: via,
      secretStart: start,
      secretEnd: end,
      createdAt: clock.now(),
      expiresAt: null,
      lastUsedAt: null,
    }
    await store.accessTokens.create(token, hashes.accessToken(secret), 1000)
    return askAs(account, { authorization: `Bearer ${secret}` })
  }
  return {
    origin,
    store,
    place,
    clock,
    maintenance,
    anonymous: askAs(null, {}),
    adminToken: askAs(null, { authorization: `Bearer ${TEST_ADMIN_TOKEN}` }),
    as,
    cookieOf: (account) => sessionCookie(signIn, { accountId: account.id, origin }),
    async account(fields = {}) {
      const account = await openAccount(store, { ...fields, nowMs: clock.now() })
      const { ask: asking } = await as(account, fields.via ?? 'session')
      return { account, ask: asking }
    },
    async group(name, fields = {}) {
      const group = {
        id: newId('grp', clock.now()),
        name,
        multiplier: ONE_PPM,
        models: ['*'],
        isEnabled: true,
        isOpen: true,
      }
      await store.groups.putGroup({ ...group, ...fields, isManaged: false })
      return group.id
    },
    async close() {
      await maintenance.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await place.leave()
    },
  }
}

async function ask(
  url: string,
  { method, body, headers }: { method: string; body: unknown; headers: Record<string, string> },
): Promise<Answer> {
  const hasBody = body !== undefined
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as unknown) : null,
  }
}

/** Begins a session as a route does that has recognised an account. */
async function sessionCookie(signIn: SignIn, { accountId, origin }: { accountId: string; origin: string }) {
  const request = signIn.open({
    headers: new Headers(),
    address: '127.0.0.1',
    origin,
    signedIn: null,
    setCookies: () => {},
  })
  const { cookies } = await request.ask('/tollgate/begin', { accountId, keep: true }, 'test')
  return cookies.map((line) => line.split(';', 1)[0]).join('; ')
}

const FRESH_MS = 60_000
const STALE_MS = 3_600_000

async function openAccount(
  store: Store,
  fields: { role?: Account['role']; balance?: string; email?: string; nowMs: number },
): Promise<Account> {
  const id = newId('acc', fields.nowMs)
  const account: Account = {
    id,
    email: fields.email ?? `${id}@example.test`,
    role: fields.role ?? 'user',
    status: 'active',
    createdAt: fields.nowMs,
    isManaged: false,
  }
  await store.accounts.create(account, null)
  if (fields.balance !== undefined) {
    await store.ledger.post({
      id: newId('led', fields.nowMs),
      accountId: id,
      createdAt: fields.nowMs,
      kind: 'credit',
      amount: parseUsd(fields.balance),
      reason: 'test',
      actor: 'test',
    })
  }
  return account
}

function handClock(): HandClock {
  let added = 0
  const startedAt = Date.UTC(2026, 10, 21, 12)
  return {
    now: () => startedAt + added,
    elapsed: () => performance.now() + added,
    advance: (ms) => void (added += ms),
  }
}

function noGateway(): never {
  throw new Fault('model_unknown', 'No gateway is there to be asked.')
}
