import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashPassword } from '../../src/access/password.ts'
import type { Account } from '../../src/access/account.ts'
import { tokensOfDevices } from '../../src/app/installation/device-tokens.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { createControl } from '../../src/control/control.ts'
import { providerNetwork, signInStores } from '../../src/app/server/join-sign-in.ts'
import { createSignIn, type SignIn } from '../../src/control/sign-in.ts'
import type { RegistrationMode, SignInEvent, SignInDependencies } from '../../src/control/sign-in/parts.ts'
import { Fault } from '../../src/core/faults.ts'
import { newId } from '../../src/core/ids.ts'
import { answeredFailure } from '../../src/store/store-failure.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { deriveOnce } from './derive-once.ts'
import { migratedDirectory, migratedPostgres } from './test-servers.ts'

/** Sign-in behind a real socket, on a database of its own, with a clock, mailbox and registration in the test's hand. */
export interface SignInUnderTest {
  readonly signIn: SignIn
  readonly store: Store
  readonly origin: string
  readonly events: SignInEvent[]
  readonly errors: unknown[]
  readonly refusals: string[]
  readonly mails: { to: string; subject: string; text: string }[]
  registration: RegistrationMode
  /** Where requests seem to come from. */
  address: string
  /** scheme://host that requests seem to be sent to; null: the real one. */
  shownOrigin: string | null
  /** Moves the clock by which throttles and freshness go, in milliseconds. */
  advance(ms: number): void
  account(over?: Partial<Account> & { password?: string | null }): Promise<Account & { password: string }>
  browser(): Browser
  /** What the first start leaves behind; returns the token. */
  printSetUpLink(): Promise<string>
  close(): Promise<void>
}

const SECRET = 'a secret of this test, 32 bytes or more'

deriveOnce()

export async function startSignIn(
  options: Partial<SignInDependencies> & { readonly engine?: 'sqlite' | 'postgres'; readonly hasMail?: boolean } = {},
): Promise<SignInUnderTest> {
  const { engine = 'sqlite', hasMail = false, ...over } = options
  let skewMs = 0
  const clock = { now: () => Date.now() + skewMs, elapsed: () => performance.now() + skewMs }
  const database = engine === 'postgres' ? await migratedPostgres() : null
  const dataDirectory = await migratedDirectory()
  const store = await openStore({ databaseUrl: database?.url ?? null, dataDirectory, clock })
  const mails: SignInUnderTest['mails'] = []
  const hashes = {
    session: keyedHash(SECRET, 'session'),
    link: keyedHash(SECRET, 'sign-in link'),
    setUp: keyedHash(SECRET, 'set-up link'),
  }
  const events: SignInEvent[] = []
  const errors: unknown[] = []
  const refusals: string[] = []
  const signIn = createSignIn({
    ...signInStores(store),
    change: (work) => store.together((stores) => work(signInStores(stores), async (event) => void events.push(event))),
    settings: store.settings,
    clock,
    randomBytes,
    secret: SECRET,
    hashes,
    registration: async () => place.registration,
    wantsDemo: true,
    oidc: null,
    network: providerNetwork(clock),
    mail: hasMail ? { send: async (mail) => void mails.push(mail) } : null,
    onEvent: (event) => events.push(event),
    onRefusal: (what) => refusals.push(what),
    onError: (what, error) => errors.push([what, error]),
    ...over,
  })
  const control = createControl({
    store,
    clock,
    log: { error: (...args: unknown[]) => void errors.push(args), warn: () => {} },
    shippedPrices: async () => ({ dated: '2026-11-23', source: 'a list', providers: {}, fees: [] }),
    deviceTokens: tokensOfDevices({ secret: 'a secret for tests', sealing: ['a secret for tests'] }),
    fetchPrices: () => Promise.reject(new Error('no list of prices is there to be read')),
    explainRoute: noGateway,
    credentialsNow: () => [],
    upstreamNow: () => ({ inFlight: 0, models: [] }),
    capsNow: () => [],
    shadowCounts: async () => [],
    backupStanding: async () => null,
    variables: () => [],
    system: {
      read: () => Promise.reject(new Error('no process is there to be looked at')),
      retention: () => Promise.reject(new Error('nothing is deleted here')),
      begin: async () => 'not_here',
      nodes: async () => [],
      disks: async () => [],
    },
    testAlerts: async () => [],
    limitStates: async () => [],
    areLimitsExact: () => null,
    unknownTries: () => [],
    newId: (prefix) => newId(prefix, clock.now()),
    randomBytes,
    hashes: controlHashes(SECRET),
    seal: (text) => text,
    unseal: (sealed) => sealed,
    stripeApiUrl: null,
    publicOrigin: null,
    adminToken: null,
    signIn,
    addressOf: () => place.address,
    askedOriginOf: (incoming) => `http://${incoming.headers.host}`,
    originOf: (incoming) => place.shownOrigin ?? `http://${incoming.headers.host}`,
    exportFile: async () => null,
    testUpstream: () => Promise.reject(new Error('there is no upstream')),
    listUpstreamModels: () => Promise.reject(new Error('there is no upstream')),
    tryUpstream: () => Promise.reject(new Error('there is no upstream')),
    probeAddress: async ({ baseUrl }) => ({ protocol: null, baseUrl, steps: [], models: [] }),
    localServers: async () => [],
    sendKeyMessage: () => Promise.reject(new Error('there is no gateway')),
    waitForNodes: async () => [],
    isDraining: () => false,
    isClosed: () => false,
    storeFailure: async () => null,
    answeredFailure,
    instance: { version: 'test', demo: true, canMail: hasMail, oidcName: null },
    checksAnswers: true,
  })
  const server = createServer(control)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const place: SignInUnderTest = {
    signIn,
    store,
    origin,
    events,
    errors,
    refusals,
    mails,
    registration: 'invitation',
    address: '127.0.0.1',
    shownOrigin: null,
    advance(ms) {
      skewMs += ms
    },
    async account({ password = 'correct horse battery', ...fields } = {}) {
      const id = newId('acc', clock.now())
      const account: Account = {
        id,
        email: `${id}@example.test`,
        role: 'user',
        status: 'active',
        createdAt: clock.now(),
        isManaged: false,
        ...fields,
      }
      await store.accounts.create(account, password === null ? null : await hashOnce(password))
      return { ...account, password: password ?? '' }
    },
    browser: () => new Browser(origin),
    async printSetUpLink() {
      const admin = await place.account({ role: 'admin', email: 'admin@localhost', password: null })
      const token = randomBytes(32).toString('base64url')
      await store.settings.write('set_up_link', hashes.setUp(token))
      await store.settings.write('set_up_account', admin.id)
      return token
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
      await database?.drop()
    },
  }
  return place
}

const hashed = new Map<string, Promise<string>>()

/** A hash costs a tenth of a second of a processor, and most accounts of a file have the same password. */
function hashOnce(password: string): Promise<string> {
  const known = hashed.get(password) ?? hashPassword(password)
  hashed.set(password, known)
  return known
}

export interface BrowserAnswer {
  readonly status: number
  // Tests say what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Headers
}

/** Keeps cookies and sends what browsers send: `Origin` with every write. Paths are those below /api/auth, unless they begin with /api. */
export class Browser {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  get(path: string): Promise<BrowserAnswer> {
    return this.send('GET', path)
  }

  post(path: string, body: object = {}): Promise<BrowserAnswer> {
    return this.send('POST', path, { body })
  }

  delete(path: string): Promise<BrowserAnswer> {
    return this.send('DELETE', path)
  }

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<BrowserAnswer> {
    const answer = await fetch(this.origin + (path.startsWith('/api/') ? path : `/api/auth${path}`), {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'GET' ? {} : { origin: this.origin }),
        ...(this.cookies.size === 0 ? {} : { cookie: this.cookieHeader }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'user-agent': 'a browser of the tests',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) this.#take(line)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #take(line: string): void {
    const [pair = ''] = line.split(';', 1)
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

function noGateway(): never {
  throw new Fault('model_unknown', 'No gateway is there to be asked.')
}
