import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { nanoUsd, parseUsd } from '../../src/core/money.ts'
import { gatewayUnderTest } from '../support/gateway-under-test.ts'

test('a request whose estimate is nothing is charged for what comes of it all the same', async () => {
  const gateway = await gatewayUnderTest()
  const free = {
    input: nanoUsd(0n),
    output: parseUsd('10'),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  }
  const model = 'fake/fixed?output=2&input=10'
  await gateway.model(model, { prices: free })
  const account = await gateway.account({ balance: '1' })
  const { secret } = await gateway.key(account)
  const answer = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': secret },
    body: JSON.stringify({ model, max_tokens: 0, messages: [] }),
  })
  expect(answer.headers.get('x-tollgate-cost')).toBe('0.00002')
  expect(await gateway.balance(account)).toBe('0.99998')
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
  await gateway.close()
})

test('a request whose body is still on its way when the drain begins is answered, and the drain ends', async () => {
  const gateway = await gatewayUnderTest({ environment: { TOLLGATE_DRAIN_MS: '5000' } })
  await gateway.model('fake/echo')
  const { secret } = await gateway.key(await gateway.account())
  const body = JSON.stringify({ model: 'fake/echo', messages: [{ role: 'user', content: 'hello' }] })
  const call = request(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-length': String(body.length) },
  })
  call.write(body.slice(0, 20))
  await new Promise((resolve) => call.once('socket', (socket) => socket.once('connect', resolve)))
  // By the time another connection was answered, the first one's head was read.
  for (let i = 0; i < 3; i++) await fetch(`${gateway.origin}/readyz`)
  const drained = gateway.running.drain()
  call.end(body.slice(20))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  answer.resume()
  await drained
  await gateway.store.close()
  await gateway.fake.close()
})

test('a variable that was not set is a missing key, not a wrong one', async () => {
  const gateway = await gatewayUnderTest()
  const empty = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: 'Bearer ' } })
  expect(empty.headers.get('x-tollgate-fault')).toBe('key_missing')
  await gateway.close()
})

test.for(['/v1/responses', '/responses', '/v1/v1/responses', '//v1/responses?x=1'])(
  'a WebSocket on %s is refused with the status that makes Codex fall back',
  async (path) => {
    const gateway = await gatewayUnderTest()
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const call = request(gateway.origin + path, { headers })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(426)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
    answer.resume()
    await gateway.close()
  },
)

test('HEAD is answered like GET, without a body: models and catalogue, also when the key is wrong', async () => {
  const gateway = await gatewayUnderTest()
  await gateway.model('fake/echo')
  const { secret } = await gateway.key(await gateway.account())
  const paths = ['/v1/models', '/v1/models/fake/echo', '/models', '/v1beta/models', '/v1/usage', '/api.json']
  for (const key of [secret, 'sk-wrong']) {
    const headers = { 'x-api-key': key }
    for (const path of paths) {
      const got = await fetch(gateway.origin + path, { headers })
      const head = await fetch(gateway.origin + path, { method: 'HEAD', headers })
      expect([path, head.status]).toEqual([path, key === secret ? 200 : 401])
      expect(head.status).toBe(got.status)
      for (const name of ['content-type', 'x-tollgate-hint', 'x-tollgate-fault']) {
        expect(head.headers.get(name)).toBe(got.headers.get(name))
      }
      expect(await head.text()).toBe('')
      expect((await got.text()).length).toBeGreaterThan(0)
    }
  }
  await gateway.close()
})

test.for([
  ['a method that HTTP does not know', 'FOO /v1/models HTTP/1.1\r\nHost: a\r\n', 400],
  ['a length that is none', 'POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n', 400],
  ['headers without end', `GET /v1/models HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(70_000)}\r\n`, 431],
  ['an expectation', 'POST /v1/messages HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 0\r\n', 417],
  ['no host', 'GET /v1/models HTTP/1.1\r\nConnection: close\r\n', 400],
] as const)('%s is refused with an id, a code and a sentence', async ([, head, status]) => {
  const gateway = await gatewayUnderTest()
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
  socket.write(`${head}\r\n`)
  const [answerHead = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(answerHead).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answerHead).toMatch(/^x-request-id: req_\w{26}\r$/m)
  expect(answerHead).toMatch(/^x-tollgate-fault: request_invalid\r$/m)
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'request_invalid', message: expect.stringMatching(/\.$/) } })
  await gateway.close()
})
