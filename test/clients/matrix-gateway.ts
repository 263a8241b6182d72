/** One gateway process before the fake upstream and fakes of the clouds, with an upstream of each kind and a key for every cell. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { CLOUD_NAMES, CLOUD_WAYS, type CloudName } from '../support/cloud-ways.ts'
import { CLOUD_KEY, type Clouds, startClouds } from '../support/clouds-under-test.ts'
import { gatewayEnvironment, startGatewayProcess } from '../support/gateway-process.ts'

export const UPSTREAM_PROTOCOLS = ['openai', 'openai-chat', 'anthropic', 'gemini'] as const

export type MatrixUpstream = (typeof UPSTREAM_PROTOCOLS)[number] | CloudName

/** All upstreams in the order of the table's columns. */
export const MATRIX_UPSTREAMS: readonly MatrixUpstream[] = [...UPSTREAM_PROTOCOLS, ...CLOUD_NAMES]

/** The part of a usage record that a cell looks at. */
export interface CellRecord {
  readonly id: string
  readonly outcome: string
  readonly fault: string | null
  readonly detail: string | null
  readonly http_status: number | null
  readonly usage_source: string
  readonly cost: string
  readonly attempts: readonly {
    readonly upstream: string
    readonly fault: string | null
    readonly status: number | null
  }[]
}

export interface MatrixGateway extends AsyncDisposable {
  readonly origin: string
  /** What arrived at the fake upstream, of clouds as they hand it on. */
  arrived(): FakeUpstream['requests']
  /** The usage records of one key, newest first; waits a while for the least number of them. */
  records(keyName: string, least: number): Promise<CellRecord[]>
}

export interface MatrixPlan {
  readonly folder: string
  /** Beginnings of model names; each model's name goes on with the protocol of its upstream. */
  readonly modelPrefixes: readonly string[]
  /** Secrets by the names of the keys. */
  readonly keys: ReadonlyMap<string, string>
}

const ADMIN_TOKEN = 'admin-token-of-the-matrix-which-is-long-enough'
const UPSTREAM_CREDENTIAL = 'upstream-credential-of-the-matrix'
const ROWS_PER_PAGE = 100
/** A record is written before the answer's last byte; only a client that left early leaves one that is still to come. */
const RECORDS_WAIT_MS = 20_000
const LOOK_MS = 100

export function modelName(prefix: string, upstream: MatrixUpstream): string {
  return `${prefix}-${upstream}`
}

export async function startMatrixGateway(plan: MatrixPlan): Promise<MatrixGateway> {
  const fake = await startFakeUpstream({ requiredCredential: UPSTREAM_CREDENTIAL, recordedRequests: 10_000 })
  // The clouds judge credentials themselves.
  const behindClouds = await startFakeUpstream({ recordedRequests: 10_000 })
  const clouds = await startClouds(behindClouds.url)
  const data = join(plan.folder, 'data')
  const file = join(plan.folder, 'tollgate.yaml')
  await mkdir(data)
  // JSON is YAML.
  await writeFile(file, JSON.stringify(declaration({ fakeUrl: fake.url, clouds }, plan)))
  const gateway = await startGatewayProcess(
    gatewayEnvironment(data, { TOLLGATE_CONFIG: file, TOLLGATE_DEMO: '0', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }),
  )
  const keyIds = await readKeyIds(gateway.origin)
  return {
    origin: gateway.origin,
    arrived: () => [...fake.requests, ...behindClouds.requests],
    records: (keyName, least) => recordsOf(gateway.origin, keyIds.get(keyName) ?? '', least),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await clouds.close()
      await behindClouds.close()
      await fake.close()
    },
  }
}

interface MatrixProviders {
  readonly fakeUrl: string
  readonly clouds: Clouds
}

function declaration({ fakeUrl, clouds }: MatrixProviders, { modelPrefixes, keys }: MatrixPlan): object {
  const email = 'ada@example.test'
  const plain = UPSTREAM_PROTOCOLS.map((protocol) => ({
    name: protocol,
    protocol,
    base_url: `${fakeUrl}/${protocol === 'gemini' ? 'v1beta' : 'v1'}`,
    credential: UPSTREAM_CREDENTIAL,
  }))
  const models = new Map<string, string>(UPSTREAM_PROTOCOLS.map((name) => [name, agentFor(name)]))
  const ofClouds = CLOUD_WAYS.map((way) => {
    const { dialect, apiVersion, region } = way.passage
    models.set(way.name, clouds.targetFor(way, agentFor(way.name)))
    const { name, protocol } = way
    const base_url = clouds.baseUrlOf(way)
    return { name, protocol, dialect, base_url, credential: CLOUD_KEY, api_version: apiVersion, region }
  })
  return {
    upstreams: [...plain, ...ofClouds],
    models: modelPrefixes.flatMap((prefix) =>
      MATRIX_UPSTREAMS.map((upstream) => ({
        name: modelName(prefix, upstream),
        price: { input: '1', output: '2', cache_read: '0.1', cache_write: '1.25' },
        context_tokens: 400_000,
        max_output_tokens: 64_000,
        targets: [{ upstream, model: models.get(upstream) }],
      })),
    ),
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: [{ email, password: 'a password of the matrix, long', role: 'admin', balance: '1000' }],
    keys: [...keys].map(([name, secret]) => ({ account: email, name, group: 'default', custom_key: secret })),
  }
}

function agentFor(upstream: MatrixUpstream): string {
  return `fake/agent?tag=${upstream}`
}

async function recordsOf(origin: string, keyId: string, least: number): Promise<CellRecord[]> {
  const until = performance.now() + RECORDS_WAIT_MS
  let found = await readAll<CellRecord>(`${origin}/api/usage?account_id=*&key=${keyId}`)
  while (found.length < least && performance.now() < until) {
    await pause(LOOK_MS)
    found = await readAll<CellRecord>(`${origin}/api/usage?account_id=*&key=${keyId}`)
  }
  return found
}

async function readKeyIds(origin: string): Promise<ReadonlyMap<string, string>> {
  const keys = await readAll<{ id: string; name: string }>(`${origin}/api/keys?account_id=*`)
  return new Map(keys.map(({ id, name }) => [name, id]))
}

/** All pages of a list. */
async function readAll<T>(list: string): Promise<T[]> {
  const found: T[] = []
  let cursor = ''
  do {
    const url = `${list}&limit=${ROWS_PER_PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`)
    const page = (await response.json()) as { data: T[]; next_cursor: string | null }
    found.push(...page.data)
    cursor = page.next_cursor === null ? '' : encodeURIComponent(page.next_cursor)
  } while (cursor !== '')
  return found
}
