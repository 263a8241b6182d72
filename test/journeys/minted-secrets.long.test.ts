import { DatabaseSync } from 'node:sqlite'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MintedKind } from '../../src/core/credential-kind.ts'
import { startFakeUpstream, type FakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { type FakeTokenServices, startFakeTokenServices } from '../../tools/fake-upstream/clouds/token-issuers.ts'
import { ROLE } from '../../tools/fake-upstream/clouds/tokens/aws-tokens.ts'
import { CLIENT, CLIENT_SECRET, TENANT } from '../../tools/fake-upstream/clouds/tokens/entra-tokens.ts'
import { IMPERSONATED, POOL } from '../../tools/fake-upstream/clouds/tokens/google-tokens.ts'
import { identityToken, SERVICE_ACCOUNT } from '../../tools/fake-upstream/clouds/tokens/issuer.ts'
import { ANTHROPIC_IDENTITY, OPENAI_IDENTITY } from '../../tools/fake-upstream/clouds/tokens/provider-tokens.ts'
import { LONG_LIVED, type TokenAsk } from '../../tools/fake-upstream/clouds/tokens/token-book.ts'
import { APPLICATION_CERTIFICATE, APPLICATION_KEY } from '../support/application-certificate.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { startTokenFront, type TokenFront } from '../support/minted-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { tracesOf } from '../support/traces-of-secrets.ts'
import { withStandIns } from '../support/vendor-stand-in.ts'

// What a whole gateway says and keeps, at its most talkative, of credentials that are minted, renewed, refused and held.

const ADMIN_TOKEN = 'an-admin-token-for-the-tests-of-minted-secrets'
const KEY = 'a-key-of-the-tests-of-minted-secrets-2f9c61d07b3e'
const AUDIENCES = {
  gcp: POOL,
  azure: 'api://AzureADTokenExchange',
  aws: 'sts.amazonaws.com',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
}

let services: FakeTokenServices
let fake: FakeUpstream
let front: TokenFront
let files: Readonly<Record<keyof typeof AUDIENCES, string>>

beforeAll(async () => {
  services = await startFakeTokenServices({ certificate: APPLICATION_CERTIFICATE })
  fake = await startFakeUpstream()
  front = await startTokenFront(services, fake.url)
  const directory = await temporaryDirectory()
  const written = Object.entries(AUDIENCES).map(async ([name, audience]) => {
    const [path, token] = [join(directory, name), identityToken(audience, Date.now(), 7_200)]
    services.book.secrets.add(token)
    await writeFile(path, token)
    return [name, path] as const
  })
  files = Object.fromEntries(await Promise.all(written)) as typeof files
})
afterAll(async () => {
  await front.close()
  await fake.close()
  await services.close()
})

interface MintedModel {
  readonly name: string
  readonly kind: MintedKind
  readonly settings: Readonly<Record<string, string>>
  readonly secret?: string
}

const KEYS = { source: 'keys', access_key_id: LONG_LIVED.accessKeyId }
const APPLICATION = { tenant_id: TENANT, client_id: CLIENT }

/** One of each source that the environment of one gateway can have. */
function models(): readonly MintedModel[] {
  const federation = {
    type: 'external_account',
    audience: POOL,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: 'https://sts.googleapis.com/v1/token',
    credential_source: { file: files.gcp },
  }
  const ofAccount = JSON.stringify(SERVICE_ACCOUNT)
  const ofApplication = APPLICATION_CERTIFICATE + APPLICATION_KEY
  return [
    { name: 'aws-keys', kind: 'aws', settings: KEYS, secret: LONG_LIVED.secretAccessKey },
    { name: 'aws-role', kind: 'aws', settings: { ...KEYS, role_arn: ROLE }, secret: LONG_LIVED.secretAccessKey },
    { name: 'aws-instance', kind: 'aws', settings: { source: 'instance' } },
    { name: 'aws-pod', kind: 'aws', settings: { source: 'pod' } },
    {
      name: 'gcp-account',
      kind: 'gcp',
      settings: { source: 'service_account', impersonate: IMPERSONATED },
      secret: ofAccount,
    },
    {
      name: 'gcp-federation',
      kind: 'gcp',
      settings: { source: 'workload_identity' },
      secret: JSON.stringify(federation),
    },
    { name: 'gcp-metadata', kind: 'gcp', settings: { source: 'metadata' } },
    {
      name: 'azure-secret',
      kind: 'azure',
      settings: { source: 'client_secret', ...APPLICATION },
      secret: CLIENT_SECRET,
    },
    {
      name: 'azure-certificate',
      kind: 'azure',
      settings: { source: 'client_certificate', ...APPLICATION },
      secret: ofApplication,
    },
    { name: 'azure-identity', kind: 'azure', settings: { source: 'managed_identity' } },
    { name: 'azure-workload', kind: 'azure', settings: { source: 'workload_identity', ...APPLICATION } },
    { name: 'oidc-openai', kind: 'oidc', settings: { source: 'openai', ...OPENAI_IDENTITY, token_file: files.openai } },
    {
      name: 'oidc-anthropic',
      kind: 'oidc',
      settings: { source: 'anthropic', ...ANTHROPIC_IDENTITY, token_file: files.anthropic },
    },
  ]
}

async function environmentOf(pod: Readonly<Record<string, string>>) {
  const { port } = new URL(services.origin)
  const config = join(await temporaryDirectory(), 'tollgate.yaml')
  const ada = 'ada@example.test'
  const file = {
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: [{ email: ada, password: 'correct horse battery', role: 'admin', balance: '100' }],
    keys: [{ account: ada, name: 'laptop', group: 'default', custom_key: KEY }],
  }
  await writeFile(config, JSON.stringify(file))
  return freshEnvironment({
    ...services.environment,
    ...pod,
    ...withStandIns({ '': Number(port) }),
    AZURE_FEDERATED_TOKEN_FILE: files.azure,
    TOLLGATE_IDENTITY_HOSTS: '127.0.0.1',
    TOLLGATE_IDENTITY_TOKEN_FILES: Object.values(files).join(','),
    TOLLGATE_CONFIG: config,
    TOLLGATE_DEMO: '0',
    TOLLGATE_LOG_LEVEL: 'trace',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_WORKERS: '2',
  })
}

/** A service that is careless: its refusal repeats all that it was sent. */
function repeating({ request, form, json }: TokenAsk) {
  // Words are cut: what is secret stands first.
  const { authorization, ...headers } = request.headers
  const said = [authorization, ...form.values(), ...Object.values(json), ...Object.values(headers), request.body]
  const fields = { error: 'invalid_grant', error_description: `refused: ${said.join(' ')}` }
  return { status: 400, type: 'application/json', body: JSON.stringify(fields) }
}

/** All that a gateway has said to someone, or keeps, by what it is. */
type Heard = Map<string, string>

/** Asks as a client, and keeps the answer with its headers. */
async function ask(origin: string, model: string, heard: Heard): Promise<number> {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const text = `${JSON.stringify([...response.headers])} ${await response.text()}`
  heard.set(`answer ${response.status} of ${model}`, text)
  return response.status
}

interface ApiAnswer {
  readonly text: string
  /** Left out: the answer is something else than JSON. */
  readonly fields?: Record<string, object>
}

type Api = (method: string, path: string, body?: object) => Promise<ApiAnswer>

function apiOf(origin: string): Api {
  return async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok && method !== 'GET') throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return isJson ? { text, fields: JSON.parse(text) as Record<string, object> } : { text }
  }
}

async function setUp(api: Api): Promise<void> {
  await api('PATCH', '/api/settings', { capture_requests: true })
  for (const { name, kind, settings, secret } of models()) {
    const credential = { name: 'default', kind, settings, ...(secret === undefined ? {} : { secret }) }
    const upstream = {
      name: `of ${name}`,
      protocol: 'openai-chat',
      ...(kind === 'aws'
        ? { dialect: 'bedrock', base_url: front.url, region: 'us-east-1' }
        : { base_url: `${front.url}/v1` }),
      credentials: [credential],
    }
    await api('POST', '/api/upstreams', upstream)
    const targets = [{ upstream: upstream.name, model: 'fake/fixed?chunks=1&input=3&output=2' }]
    await api('POST', '/api/models', { name, price: { input: '1', output: '1' }, targets })
  }
}

/** Every answer of the console API that needs nothing but who asks, and those about the first objects of each list. */
async function readApi(api: Api, heard: Heard, when: 'held' | 'healed'): Promise<void> {
  const { fields } = await api('GET', '/api/openapi.json')
  const readable = Object.entries(fields?.['paths'] ?? {}).flatMap(([path, methods]) =>
    'get' in methods ? [path] : [],
  )
  for (const path of readable.filter((each) => !each.includes('{'))) {
    const answer = await api('GET', path)
    heard.set(`${when}: GET ${path}`, answer.text)
    const abouts = readable.filter((each) => /^\/\{id\}[^{]*$/.test(each.slice(path.length)) && each.startsWith(path))
    const urls = idsIn(answer).flatMap((id) => abouts.map((about) => about.replace('{id}', id)))
    for (const url of urls) heard.set(`${when}: GET ${url}`, (await api('GET', url)).text)
  }
}

function idsIn({ fields }: ApiAnswer): readonly string[] {
  const listed: unknown = fields?.['data']
  const ids = Array.isArray(listed) ? listed.map((each: { readonly id?: unknown }) => each.id) : []
  return ids.filter((id) => typeof id === 'string').slice(0, 13)
}

async function readFiles(directory: string, heard: Heard): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // Each byte is one character.
    heard.set(`file ${path.slice(directory.length)}`, (await readFile(path)).toString('latin1'))
  }
}

const POD = {
  'the identity of a container': () => ({}),
  'the web identity of a pod': () => ({
    AWS_WEB_IDENTITY_TOKEN_FILE: files.aws,
    AWS_ROLE_ARN: ROLE,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: '',
  }),
}

test.each(Object.entries(POD))(
  'no token, key or assertion is in logs, metrics, answers, records, the audit or the database, but sealed: with %s',
  async (_name, pod) => {
    services.book.lifeSeconds = 8
    services.failure = null
    const environment = await environmentOf(pod())
    const gateway = await startGateway(environment)
    const api = apiOf(gateway.origin)
    const heard: Heard = new Map()
    const names = models().map(({ name }) => name)
    const all = async () => {
      const statuses: Record<string, number> = {}
      for (const name of names) statuses[name] = await ask(gateway.origin, name, heard)
      return statuses
    }
    const good = Object.fromEntries(names.map((name) => [name, 200]))
    const minted = names.filter((name) => name !== 'aws-keys')

    await setUp(api)
    await expect.poll(all, { timeout: PATIENCE_MS }).toEqual(good)
    await api('POST', `/api/keys/${idsIn(await api('GET', '/api/keys'))[0]}/capture`, {})
    // Renewals beside requests.
    const { issued } = services.book
    await expect.poll(() => services.book.issued - issued, { timeout: PATIENCE_MS }).toBeGreaterThan(2 * minted.length)
    expect(await all()).toEqual(good)
    // The provider refuses a token that has not ended, in words that repeat it.
    const refusals = front.refusals.length
    services.book.endAll()
    await all()
    expect(front.refusals.length).toBeGreaterThan(refusals)
    // No renewal comes about, and the last tokens end.
    services.failure = repeating
    const isHeld = async () =>
      (await Promise.all(minted.map((name) => ask(gateway.origin, name, heard)))).every((status) => status >= 500)
    await expect.poll(isHeld, { timeout: PATIENCE_MS }).toBe(true)
    await readApi(api, heard, 'held')
    services.failure = null
    await expect.poll(all, { timeout: PATIENCE_MS }).toEqual(good)

    heard.set('metrics', (await api('GET', '/metrics')).text)
    await readApi(api, heard, 'healed')
    const data = environment['TOLLGATE_DATA_DIR'] ?? ''
    await readFiles(data, heard)
    await gateway.stop()
    await readFiles(data, heard)
    heard.set('log', gateway.printed())

    // The places that are searched have what they should have.
    const has = (place: string, words: string) =>
      [...heard].some(([name, text]) => name.startsWith(place) && text.includes(words))
    expect(has('metrics', 'of gcp-account')).toBe(true)
    expect(has('log', 'failed to renew the token of a credential')).toBe(true)
    expect(has('healed: GET /api/audit', 'of azure-certificate')).toBe(true)
    expect(has('healed: GET /api/usage/req', 'of azure-certificate')).toBe(true)
    expect(has('held: GET /api/', 'refused: ') || has('held: GET /api/', 'is not known or has ended')).toBe(true)
    expect(has('file ', 'of oidc-openai')).toBe(true)
    expect(has('answer 5', 'error')).toBe(true)
    const file = [...heard.keys()].find((name) => name.endsWith('.db') || name.endsWith('.sqlite')) ?? ''
    const rows = new DatabaseSync(join(data, file.slice('file '.length)), { readOnly: true })
      .prepare('SELECT sealed_token FROM minted_tokens WHERE sealed_token IS NOT NULL')
      .all()
    expect(rows).toHaveLength(minted.length)

    const known = [...services.book.secrets, LONG_LIVED.secretAccessKey, APPLICATION_KEY, SERVICE_ACCOUNT.private_key]
    expect(known.length).toBeGreaterThan(4 * minted.length)
    const found = known.flatMap((secret) =>
      [...heard].flatMap(([place, text]) =>
        tracesOf(secret)
          .filter((trace) => text.includes(trace))
          .map((trace) => `${place}: ${trace}`),
      ),
    )
    expect(found).toEqual([])
  },
  600_000,
)
