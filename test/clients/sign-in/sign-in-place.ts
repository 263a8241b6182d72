/** A gateway process before the fake upstream, with models of the names that clients look for, and people who approve. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FakeUpstream, startFakeUpstream } from '../../../tools/fake-upstream/fake-upstream.ts'
import { type OwnPlace, type Person, startPlaceIn } from '../../browser/place.ts'
import { temporaryDirectory, testClientPackage } from '../../support/test-servers.ts'
import { type Recorder, startRecorder } from './recorder.ts'

export interface SignInPlace extends AsyncDisposable {
  /** Where clients reach the gateway: all that passes there is noted. */
  readonly origin: string
  readonly recorder: Recorder
  readonly gateway: OwnPlace
  readonly upstream: FakeUpstream
  /** Approves what a terminal shows, as its person does in the console. Resolves with the device's id. */
  approve(person: Person, printed: string, settings?: object): Promise<string>
}

/** Names by which each client finds the model that it takes. */
const MODELS = ['claude-sonnet-4-5', 'claude-haiku-4-5', 'gpt-5.2'] as const

/** A model of which each answer costs $3.001. */
export const DEAR_MODEL = 'gpt-dear'

/** How what the models say begins, to everyone. */
export const ANSWER = 'the toll is paid once per gate'

/** Each answer costs $0.125071: 41,357 × $3/M + 1,000 × $1/M. */
const TARGET = 'fake/fixed?chunks=3&input=41357&output=1000'
const DEAR_TARGET = 'fake/fixed?chunks=3&input=1000000&output=1000'
const PRICE = { input: '3', output: '1', cache_read: '0.3', cache_write: '3.75' }

const CODE = /\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/

export async function startSignInPlace(environment: Readonly<Record<string, string>> = {}): Promise<SignInPlace> {
  const parts = new AsyncDisposableStack()
  await testClientPackage()
  const upstream = parts.adopt(await startFakeUpstream({ recordedRequests: 1_000 }), (one) => one.close())
  const folder = await temporaryDirectory()
  const file = join(folder, 'tollgate.yaml')
  const data = join(folder, 'data')
  await mkdir(data)
  // JSON is YAML.
  await writeFile(file, JSON.stringify(declaration(upstream.url)))
  const variables = { TOLLGATE_CONFIG: file, TOLLGATE_DEMO: '0', ...environment }
  const gateway = parts.adopt(await startPlaceIn(data, variables), (one) => one.stop())
  const recorder = parts.use(await startRecorder(gateway.origin.replace('localhost', '127.0.0.1')))
  return {
    origin: recorder.origin,
    recorder,
    gateway,
    upstream,
    async approve(person, printed, settings = {}) {
      const code = CODE.exec(printed)?.[0] ?? ''
      const { body } = await person.ask('POST', `/api/device-requests/${code}/approve`, {
        name: 'laptop',
        group: 'default',
        ...settings,
      })
      return body.key.id
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function declaration(upstreamUrl: string): object {
  const upstreams = ['openai', 'openai-chat', 'anthropic'].map((protocol) => ({
    name: protocol,
    protocol,
    base_url: `${upstreamUrl}/v1`,
    credential: 'upstream-credential-for-tests',
  }))
  const model = (name: string, target: string) => ({
    name,
    price: PRICE,
    context_tokens: 1_000_000,
    max_output_tokens: 64_000,
    targets: upstreams.map((each) => ({ upstream: each.name, model: target })),
  })
  const models = [...MODELS.map((name) => model(name, TARGET)), model(DEAR_MODEL, DEAR_TARGET)]
  return { upstreams, models, groups: [{ name: 'default', multiplier: '1', models: ['*'] }] }
}
