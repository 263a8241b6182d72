import { afterAll, beforeAll, expect, test } from 'vitest'
import { testClients } from '../../support/test-servers.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { runScript, type SeenAnswer } from './protocol-script.ts'
import { type ReferenceGateway, startReferenceGateway } from './reference-gateway.ts'
import { type SignInPlace, startSignInPlace } from './sign-in-place.ts'

// What Claude Code asks for is answered here as its own gateway (2.1.332) answers it, but for what is named here.

const parts = new AsyncDisposableStack()
let place: SignInPlace
let reference: ReferenceGateway

beforeAll(async () => {
  const packages = await testClients()
  place = parts.use(await startSignInPlace())
  const env = Object.fromEntries(['HAIKU', 'OPUS', 'SONNET'].map((name) => [`ANTHROPIC_DEFAULT_${name}_MODEL`, 'x']))
  const settings = { model: 'claude-sonnet-4-5', availableModels: ['claude-sonnet-4-5'], env }
  const upstreamUrl = place.upstream.url
  reference = parts.use(await startReferenceGateway({ packages, upstreamUrl, settings }))
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

/** Headers that one of the two has more, in any answer: of security, of caching, of each one's own facts. */
const MORE_HERE =
  /^(?:cache-control|content-security-policy|content-type|etag|request-id|x-accel-buffering|x-should-retry|x-tollgate-.*)$/
const MORE_THERE =
  /^(?:anthropic-organization-id|cross-origin-opener-policy|pragma|referrer-policy|set-cookie|vary|x-cc-gateway-version|x-content-type-options|x-frame-options|x-request-id)$/

interface Difference {
  /** Ours, and the reference's. */
  readonly status?: readonly [number, number]
  /** Places in the body that only one has: `+` here, `-` there. */
  readonly body?: readonly string[]
}

const ERROR_TEXT: Difference = { body: ['+.error_description: string'] }
const OWN_MODELS = ['context_length: number', 'created_at: string', 'kind: string', 'max_input_tokens: number']
const MODELS = [...OWN_MODELS, 'max_output_tokens: number', 'max_tokens: number', 'supported_protocols[]: string']
const PRICES = ['cache_read', 'cache_write', 'input', 'output'].map((name) => `pricing.${name}: string`)
const OPENED = ['.error.message: string', '.error.type: string', '.request_id: string', '.type: string']

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  // It revokes nothing in this version, though its clients ask for it.
  discovery: { body: ['+.revocation_endpoint: string', '-.scopes_supported[]: string'] },
  'token, pending': ERROR_TEXT,
  // Its page allows both.
  'token, too fast': { ...ERROR_TEXT, status: [400, 429] },
  'token, unknown code': ERROR_TEXT,
  'token, other grant': ERROR_TEXT,
  // The provider behind it puts no address into its tokens.
  token: { body: ['+.email: string'] },
  refresh: { body: ['+.email: string'] },
  'refresh, unknown': ERROR_TEXT,
  models: {
    body: [
      ...[...MODELS, ...PRICES].map((each) => `+.data[].${each}`),
      ...['first_id', 'last_id'].flatMap((each) => [`+.${each}: string`, `-.${each}: null`]),
    ],
  },
  // At 404 the client says in words of its own that the model is not there.
  'message, another model': { status: [404, 400] },
  'message, the cap is used up': { body: ['+.request_id: string'] },
  metrics: { body: ['+: {}', '-: string'] },
  revoke: { status: [200, 401], body: ['+: {}', ...OPENED.map((each) => `-${each}`)] },
  'revoke, the rest': { status: [200, 401], body: ['+: {}', ...OPENED.map((each) => `-${each}`)] },
  'message, revoked': { status: [401, 429], body: ['+.request_id: string'] },
}

test('each answer has the status, the headers and the body of the reference, but for what is named', async () => {
  const person = await place.gateway.person({ balance: '100' })
  let device = ''
  const ours = await runScript({
    origin: place.origin,
    approve: async (code) => void (device = await place.approve(person, code)),
    capAt: async (cents) => {
      const settings = { quota_limit: String(cents / 100), quota_reset: 'monthly' }
      await person.ask('PATCH', `/api/keys/${device}`, settings)
    },
  })
  const theirs = await runScript(reference)
  expect([...ours.keys()]).toEqual([...theirs.keys()])
  const found = [...ours].map(([step, answer]) => [step, differences(answer, theirs.get(step) ?? answer)] as const)
  const named = [...ours.keys()].map((step) => {
    const { status, body = [] } = DIFFERENCES[step] ?? {}
    return [step, { status, headers: [], body: body.toSorted() }] as const
  })
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named))
  // The sign-out of a device is at once; there the cap is what still refuses.
  expect(ours.get('message, revoked')?.headers).toContain('x-should-retry')
})

function differences(ours: SeenAnswer, theirs: SeenAnswer) {
  const more = (a: readonly string[], b: readonly string[]): string[] => a.filter((each) => !b.includes(each))
  const afterRevoke = ours.status === 401 && theirs.status === 429
  return {
    status: ours.status === theirs.status ? undefined : [ours.status, theirs.status],
    headers: [
      ...more(ours.headers, theirs.headers)
        .filter((name) => !MORE_HERE.test(name))
        .map((name) => `+${name}`),
      ...more(theirs.headers, ours.headers)
        .filter((name) => !MORE_THERE.test(name) && !afterRevoke)
        .map((name) => `-${name}`),
    ],
    body: [
      ...more(ours.shape, theirs.shape).map((each) => `+${each}`),
      ...more(theirs.shape, ours.shape).map((each) => `-${each}`),
    ].toSorted(),
  }
}
