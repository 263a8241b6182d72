import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// What a record says of when each attempt began, how long its connection took, and when its answer came.

let gateway: GatewayUnderTest
let secret: string
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  ;({ secret } = await gateway.key(await gateway.account()))
})
afterAll(() => gateway.close())

const busy: Script = (request, response) => {
  request.resume()
  response.writeHead(503, { 'content-type': 'application/json', 'request-id': 'theirs-1' })
  response.end('{"error":{"message":"busy"}}')
}

async function attemptsOf(model: string) {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  await expect.poll(() => gateway.store.usage.record(id), { timeout: PATIENCE_MS }).not.toBeNull()
  const record = await gateway.store.usage.record(id)
  if (record === null) throw new Error('there is no record')
  return record
}

async function listed(): Promise<string> {
  const answer = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  return answer.text()
}

test('attempts begin one after the other, and each says when its head came; a new connection says how long it took, an open one nothing', async () => {
  const [first, second] = await Promise.all([scriptedUpstream(busy), scriptedUpstream(well)])
  onTestFinished(() => [first, second].forEach((upstream) => upstream.close()))
  const targets = [{ port: first.port }, { port: second.port, priority: 1 }]
  await putModelOf(gateway.store, { name: 'stepped', targets })
  await putModelOf(gateway.store, { name: 'plain', targets: [{ port: second.port }] })
  await expect.poll(listed, { timeout: PATIENCE_MS }).toContain('"plain"')
  const { attempts, totalMs, firstByteMs } = await attemptsOf('stepped')
  expect(attempts).toMatchObject([
    { fault: 'upstream_overloaded', connectMs: expect.any(Number), headMs: expect.any(Number), requestId: 'theirs-1' },
    { fault: null, connectMs: expect.any(Number), headMs: expect.any(Number) },
  ])
  const [one, two] = attempts
  // Each is rounded by itself.
  expect(one?.atMs).toBeGreaterThanOrEqual(0)
  expect(two?.atMs).toBeGreaterThanOrEqual((one?.atMs ?? NaN) + (one?.totalMs ?? NaN) - 2)
  expect(two?.headMs).toBeGreaterThanOrEqual(two?.connectMs ?? NaN)
  expect((two?.atMs ?? NaN) + (two?.headMs ?? NaN)).toBeLessThanOrEqual((firstByteMs ?? NaN) + 2)
  expect((two?.atMs ?? NaN) + (two?.totalMs ?? NaN)).toBeLessThanOrEqual(totalMs + 2)
  await attemptsOf('plain')
  const again = await attemptsOf('plain')
  expect(again.attempts).toMatchObject([{ atMs: expect.any(Number), headMs: expect.any(Number) }])
  expect(again.attempts[0]).not.toHaveProperty('connectMs')
})
