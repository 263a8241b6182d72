import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

let gateway: GatewayUnderTest
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  await gateway.model('fake/echo')
})
afterAll(() => gateway.close())

const MB = 1024 * 1024

async function newSecret(): Promise<string> {
  return (await gateway.key(await gateway.account())).secret
}

/** Sends so many bytes of a body of which one more is announced. */
async function neverFinished(secret: string, bytes: number): Promise<Socket> {
  const { port } = new URL(gateway.origin)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${secret}\r\n` +
      `content-type: application/json\r\ncontent-length: ${bytes + 1}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(bytes, ' '))
  return socket
}

async function ask(secret: string, characters: number): Promise<number> {
  const content = 'a '.repeat(characters / 2)
  const response = await fetch(gateway.origin + '/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake/echo', max_tokens: 16, messages: [{ role: 'user', content }] }),
  })
  await response.arrayBuffer()
  return response.status
}

test('one key with sixteen half-sent bodies of 32 MB keeps no other key out', async () => {
  const [hoarder, other] = [await newSecret(), await newSecret()]
  const sockets = await Promise.all(Array.from({ length: 16 }, () => neverFinished(hoarder, 32 * MB - 1)))
  const refused = new Set<Socket>()
  for (const socket of sockets) {
    socket.once('data', (answer) => {
      if (answer.toString('latin1').startsWith('HTTP/1.1 429 ')) refused.add(socket)
    })
  }
  // Three have room for all that they sent.
  await expect.poll(() => refused.size, { timeout: PATIENCE_MS }).toBe(13)
  await expect
    .poll(() => sockets.filter((socket) => socket.writableLength > 0).length, { timeout: PATIENCE_MS })
    .toBe(0)
  expect(await ask(other, 300)).toBe(200)
  expect(await ask(other, 3 * MB)).toBe(200)
  expect(await ask(hoarder, 300)).toBe(200)
})

test.for(['identity', 'Identity', 'IDENTITY'])('a body with content-encoding %s is read', async (encoding) => {
  const response = await fetch(gateway.origin + '/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${await newSecret()}`, 'content-encoding': encoding },
    body: '{"model":"fake/echo","messages":[{"role":"user","content":"hello"}]}',
  })
  await response.arrayBuffer()
  expect(response.status).toBe(200)
})
