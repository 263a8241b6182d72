import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest

const SLOW = 'fake/slow-chunks?chunks=400&delay_ms=10'
const BROKEN = ['fake/cut-mid-stream', 'fake/end-mid-stream', 'fake/error-event']

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_DRAIN_MS: '300' } })
  for (const name of [SLOW, ...BROKEN]) await gateway.model(name)
})

afterAll(() => gateway.close())

const wires = [
  { path: '/v1/chat/completions', fields: { messages: [{ role: 'user', content: 'hi' }] }, error: '"error":{' },
  { path: '/v1/responses', fields: { input: 'hi' }, error: 'event: response.failed' },
  {
    path: '/v1/messages',
    fields: { messages: [{ role: 'user', content: 'hi' }], max_tokens: 900 },
    error: 'event: error',
  },
]

/** What the client got, and whether the answer ended as HTTP says an answer ends. */
interface Received {
  readonly text: string
  readonly isWhole: boolean
}

async function open(
  path: string,
  secret: string,
  body: object,
): Promise<{ call: ClientRequest; answer: IncomingMessage }> {
  const url = new URL(gateway.origin + path)
  const call = request(url, { method: 'POST', headers: { 'x-api-key': secret } })
  call.end(JSON.stringify(body))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return { call, answer }
}

async function read(answer: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer)
  } catch {
    // A connection that is destroyed in the middle of an answer is an error to Node's client, as it is to every other.
  }
  return { text: Buffer.concat(chunks).toString(), isWhole: answer.complete }
}

test.for(wires.flatMap((wire) => BROKEN.map((model) => ({ ...wire, model }))))(
  'when $model breaks a stream of $path the client gets an error event, no end, and no bill',
  async ({ path, fields, model, error }) => {
    const account = await gateway.account()
    const { secret } = await gateway.key(account)
    const { answer } = await open(path, secret, { model, stream: true, ...fields })
    const { text, isWhole } = await read(answer)
    expect(text).toContain(error)
    expect(isWhole).toBe(false)
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    expect(await gateway.balance(account)).toBe('10')
  },
)

test.for(wires)(
  'a key that is disabled ends its running stream of $path with the reason',
  async ({ path, fields, error }) => {
    const account = await gateway.account()
    const { key, secret } = await gateway.key(account)
    const { answer } = await open(path, secret, { model: SLOW, stream: true, ...fields })
    await once(answer, 'readable')
    await gateway.store.keys.setStatus(key.id, 'disabled', Date.now())
    const { text, isWhole } = await read(answer)
    expect(text.slice(-600)).toContain(error)
    expect(text.slice(-600)).toContain('was disabled at')
    expect(isWhole).toBe(false)
    await expect.poll(() => gateway.balance(account)).not.toBe('10')
  },
)

test('a drain lets running streams go on for its time, then ends them with an error event, and settles them', async () => {
  const own = await gatewayUnderTest({ environment: { TOLLGATE_DRAIN_MS: '300' } })
  await own.model(SLOW)
  const account = await own.account()
  const { secret } = await own.key(account)
  const call = request(new URL(`${own.origin}/v1/messages`), { method: 'POST', headers: { 'x-api-key': secret } })
  call.end(JSON.stringify({ model: SLOW, stream: true, max_tokens: 900, messages: [] }))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  await once(answer, 'readable')
  const reading = read(answer)
  const draining = own.running.drain()
  expect((await reading).text).toContain('event: error')
  await draining
  expect(await own.balance(account)).not.toBe('10')
  await own.store.close()
  await own.fake.close()
})
