import { randomBytes } from 'node:crypto'
import type { Role } from '../../src/core/roles.ts'
import { type Environment, gatewayEnvironment, startGatewayProcess } from '../support/gateway-process.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

const ADMIN_TOKEN = 'an admin token that is only for tests of the browser'.replaceAll(' ', '-')
const DERIVE_ONCE = new URL('../support/preload-derive-once.ts', import.meta.url)
const PASSWORD = 'correct horse battery staple'

/** A parsed answer of the API, for reading what a test expects to be there. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

export interface Answer {
  readonly status: number
  readonly body: Json
}

export type Ask = (method: string, path: string, body?: object) => Promise<Answer>

/** An account, signed in by the API, so that a test need not begin with the form. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  /** Cookies for a browser's jar. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[]
  /** Asks as the person. Rejects on a refusal. */
  readonly ask: Ask
}

/** A real installation: the process of `tollgate start`, with the demo upstream and the built console. */
export interface Place {
  /** The origin as browsers open it, a secure context: `http://localhost:port`. */
  readonly origin: string
  /** The link of the first start, which can be used once. */
  readonly setUpLink: string
  /** The data directory. */
  readonly directory: string
  /** Everything it printed and logged so far. */
  printed(): string
  /** Asks as the holder of TOLLGATE_ADMIN_TOKEN. Rejects on a refusal. */
  readonly admin: Ask
  /** Opens an account, with a balance in USD. */
  person(options?: { readonly role?: Role; readonly balance?: string }): Promise<Person>
  /** A gateway call with an API key's secret; returns whatever came. */
  call(secret: string, body?: object, path?: string): Promise<Answer>
}

/** A place that its test ends. */
export interface OwnPlace extends Place {
  stop(): Promise<void>
  /** Ends the process from one instruction to the next. */
  kill(): Promise<void>
}

const SET_UP_LINK = /https?:\/\/\S+\/console\/set-up#\S+(?=\s)/

/** Starts a place on fresh data. */
export async function startPlace(environment: Environment = {}): Promise<OwnPlace> {
  return startPlaceIn(await temporaryDirectory(), environment)
}

let shared: Promise<Place> | undefined

/**
 * The place of this worker, for every file that asks for no settings of its own and changes nothing that all accounts see.
 * Other files have left their accounts and keys in it. Like a gateway under npm it ends when the process that started it
 * has ended, in whatever way.
 */
export function sharedPlace(): Promise<Place> {
  shared ??= startPlace({ npm_command: 'test' })
  return shared
}

/** Starts a place in an empty directory, or once more in one where a place was. Works outside vitest too. */
export async function startPlaceIn(
  directory: string,
  environment: Environment = {},
  { isFirstStart = true }: { readonly isFirstStart?: boolean } = {},
): Promise<OwnPlace> {
  const env = gatewayEnvironment(directory, {
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    // Nearly every test opens an account and signs in: two keys of one password, of which it derives one.
    ...environment,
    NODE_OPTIONS: [`--import=${DERIVE_ONCE.href}`, environment['NODE_OPTIONS'] ?? ''].join(' '),
  })
  // The link is the last thing that a first start prints.
  const gateway = await startGatewayProcess(env, isFirstStart ? { until: SET_UP_LINK } : {})
  const link = new URL(SET_UP_LINK.exec(gateway.printed())?.[0] ?? gateway.origin)
  // The link has the port of a proxy where a public URL says so.
  const port = environment['PORT'] ?? link.port
  const near = `http://127.0.0.1:${port}`
  const origin = `http://localhost:${port}`
  const admin = asker(near, { authorization: `Bearer ${ADMIN_TOKEN}` })
  return {
    origin,
    setUpLink: link.href.replace(link.origin, origin),
    directory,
    printed: gateway.printed,
    admin,
    person: (options = {}) => openPerson(near, { admin, ...options }),
    call: (secret, body = HELLO, path = '/v1/chat/completions') =>
      ask(near + path, { method: 'POST', body, headers: { authorization: `Bearer ${secret}` } }),
    stop: async () => void (await gateway.stop()),
    kill: () => gateway.kill(),
  }
}

const HELLO = { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }

async function openPerson(near: string, about: { admin: Ask; role?: Role; balance?: string }): Promise<Person> {
  const email = `ada-${randomBytes(4).toString('hex')}@example.test`
  const { body: account } = await about.admin('POST', '/api/accounts', {
    email,
    password: PASSWORD,
    role: about.role ?? 'user',
  })
  if (about.balance !== undefined) {
    const credit = { amount: about.balance, reason: 'for a test', kind: 'credit' }
    await about.admin('POST', `/api/accounts/${account.id}/ledger`, credit)
  }
  const cookies = await signIn(near, { email, password: PASSWORD })
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { id: account.id, email, password: PASSWORD, cookies, ask: asker(near, { cookie, origin: near }) }
}

/** Signs in by the API; returns the cookies of the new session. */
export async function signIn(
  near: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<{ name: string; value: string }[]> {
  const answer = await fetch(`${near}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: near },
    body: JSON.stringify({ email: credentials.email, password: credentials.password }),
  })
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
  return answer.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';', 1)
    const cut = pair.indexOf('=')
    return { name: pair.slice(0, cut), value: pair.slice(cut + 1) }
  })
}

function asker(near: string, headers: Record<string, string>): Ask {
  return async (method, path, body) => {
    const answer = await ask(near + path, { method, body, headers })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
}

async function ask(
  url: string,
  { method, body, headers }: { method: string; body?: object | undefined; headers: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}
