import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SetupValues } from '../../console/setup/placeholders.ts'
import type { SetupProtocol, SetupWay } from '../../src/contract/setup.ts'
import { setupMark } from '../../src/access/setup-mark.ts'
import { keySetup } from '../../src/control/keys/setup/key-setup.ts'
import { INSTALL_TIMEOUT_MS } from '../clients/installed-clients.ts'
import { startDeadEnd } from '../clients/dead-end.ts'
import { CLIENT_TIMEOUT_MS } from '../clients/run-client.ts'
import { setUpClient } from '../clients/set-up-client.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite, isLongSuite } from '../support/run/suite.ts'
import { testClients } from '../support/test-servers.ts'
import { setupModel } from '../support/setup-model.ts'

// The texts that the console shows, run as they are by the real clients against a running gateway. The model's name is
// one that every shell and file format would misread if it were not quoted. The short suite has the clients that are there
// without installing any: curl, and the SDKs that this project depends on.

const MODEL = `fake/fixed?chunks=3&tag=it's "odd" $HOME \`x\` \\ 模型`

/** Google's clients write the name into a path, and the fake upstream would read what follows a `?` there as something else. */
const PLAIN_MODEL = 'fake/fixed'

const SETUP_TIMEOUT_MS = CLIENT_TIMEOUT_MS + 30_000

const WIRE_PATHS: Partial<Record<SetupProtocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}

let gateway: GatewayUnderTest
let setup: ReturnType<typeof keySetup>
/** The setup of a key whose only model has a plain name. */
let plainSetup: ReturnType<typeof keySetup>
let keyId: string
let packages: string
let deadEnd: Awaited<ReturnType<typeof startDeadEnd>>
let values: SetupValues
/** What the model says, to every caller. */
let answer: string

beforeAll(async () => {
  packages = isLongSuite ? await testClients() : join(import.meta.dirname, '..', '..', 'node_modules')
  deadEnd = await startDeadEnd()
  gateway = await gatewayUnderTest()
  await gateway.model(MODEL)
  await gateway.model(PLAIN_MODEL)
  const { secret, key } = await gateway.key(await gateway.account())
  keyId = key.id
  setup = keySetup({
    origin: gateway.origin,
    keyName: 'laptop',
    keyId: 'key_000007',
    models: [
      setupModel({
        name: MODEL,
        wires: ['openai-chat', 'openai-responses', 'anthropic-messages'],
        contextTokens: 200_000,
        maxOutputTokens: 64_000,
      }),
    ],
  })
  plainSetup = keySetup({
    origin: gateway.origin,
    keyName: 'laptop',
    keyId: 'key_000007',
    models: [setupModel({ name: PLAIN_MODEL, wires: [gemini], contextTokens: 200_000, maxOutputTokens: 64_000 })],
  })
  values = { key: secret, name: setup.provider_name, models: fourTimes(MODEL) }
  answer = await ask(secret)
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  deadEnd.close()
  await gateway.close()
})

const chat = 'openai-chat'
const responses = 'openai-responses'
const messages = 'anthropic-messages'
const gemini = 'gemini'

const AT_HAND = [
  ['openai-js', chat],
  ['openai-js', responses],
  ['anthropic-js', messages],
  ['curl', chat],
  ['curl', responses],
  ['curl', messages],
] as const
const INSTALLED = [
  ['claude-code', messages],
  ['codex', responses],
  ['opencode', chat],
  ['opencode', responses],
  ['opencode', messages],
  ['pi', chat],
  ['pi', responses],
  ['pi', messages],
  ['kimi-code', chat],
  ['kimi-code', responses],
  ['kimi-code', messages],
  ['qwen-code', chat],
  ['vercel-ai-sdk', chat],
  ['vercel-ai-sdk', responses],
  ['vercel-ai-sdk', messages],
  ['langchain-js', chat],
] as const

describe('the shown setup brings an answer', () => {
  const setups = inSuite({ long: [...AT_HAND, ...INSTALLED], short: AT_HAND })
  test.for(setups)('%s over %s', { timeout: SETUP_TIMEOUT_MS }, async ([id, protocol]) => {
    await expectAnswer({ id, protocol })
  })

  if (!isLongSuite) return

  test.for(['gemini-cli', 'google-genai-js'])('%s over gemini', { timeout: SETUP_TIMEOUT_MS }, async (id) => {
    const way = wayOf(id, gemini, plainSetup)
    const plainValues = { ...values, models: fourTimes(PLAIN_MODEL) }
    const outcome = await setUpClient({ way, values: plainValues, packages, deadEnd: deadEnd.url })
    expect(outcome.stdout, outcome.stderr).toContain(answer)
  })

  test('Codex without its file', { timeout: SETUP_TIMEOUT_MS }, async () => {
    await expectAnswer({ id: 'codex', protocol: responses, by: 'without_file' })
  })

  test('Claude Code by the file that keeps it', { timeout: SETUP_TIMEOUT_MS }, async () => {
    await expectAnswer({ id: 'claude-code', protocol: messages, by: 'keep' })
  })
})

describe('a first message whose key is of another provider is recorded under the key whose page it was copied from', () => {
  const byCurl = [['curl', chat]] as const
  const setups = inSuite({ long: [['claude-code', messages], ['codex', responses], ...byCurl] as const, short: byCurl })
  test.for(setups)('by %s', { timeout: SETUP_TIMEOUT_MS }, async ([id, protocol]) => {
    const mark = setupMark(keyId, Date.now(), keyedHash(TEST_SECRET))
    const sinceMs = Date.now()
    const wrong = { ...values, mark, key: 'sk-proj-aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3' }
    await setUpClient({ way: wayOf(id, protocol), values: wrong, packages, deadEnd: deadEnd.url })
    const { accountId } = (await gateway.store.keys.findById(keyId)) ?? { accountId: '' }
    const tries = () => gateway.store.usage.firstSteps({ accountId, keyId, sinceMs, limit: 1 })
    await expect.poll(tries, { timeout: PATIENCE_MS }).toMatchObject([{ keyId, fault: 'key_unknown' }])
  })
})

test('a text that lacks the key is seen to fail', { timeout: SETUP_TIMEOUT_MS }, async () => {
  const wrong = { ...values, key: 'sk-tg-not-an-existing-key' }
  const outcome = await setUpClient({ way: wayOf('curl', chat), values: wrong, packages, deadEnd: deadEnd.url })
  expect(outcome.stdout).toContain('invalid_api_key')
  expect(outcome.stdout).not.toContain(answer)
})

async function expectAnswer(about: {
  id: string
  protocol: SetupProtocol
  by?: 'set' | 'keep' | 'without_file'
}): Promise<void> {
  gateway.fake.reset()
  const way = wayOf(about.id, about.protocol)
  const by = about.by ?? 'set'
  const outcome = await setUpClient({ way, values, packages, deadEnd: deadEnd.url, by })
  expect(outcome.stdout, outcome.stderr).toContain(answer)
  const asked = gateway.fake.requests.filter(({ path }) => path.split('?')[0] === WIRE_PATHS[about.protocol])
  expect(asked.length).toBeGreaterThan(0)
  for (const { body } of asked) expect(JSON.parse(body.toString())).toMatchObject({ model: MODEL })
}

function wayOf(id: string, protocol: SetupProtocol, from = setup): SetupWay {
  const way = from.clients.find((client) => client.id === id)?.ways.find((one) => one.protocol === protocol)
  if (way === undefined) throw new Error(`There is no setup of ${id} over ${protocol}.`)
  return way
}

function fourTimes(model: string): SetupValues['models'] {
  return { model, haiku_model: model, sonnet_model: model, opus_model: model }
}

async function ask(secret: string): Promise<string> {
  const response = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] }),
  })
  const body = (await response.json()) as { content: { text: string }[] }
  return body.content[0]?.text.trim() ?? ''
}
