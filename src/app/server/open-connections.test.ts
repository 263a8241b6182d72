import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { OpenConnections } from './open-connections.ts'

/** More than the buffers of both ends take. */
const ANSWER_BYTES = 32 * 1024 * 1024

test('an answer that has ended is waited for until its client has taken it, and no longer than allowed', async () => {
  const server = createServer((_, response) => response.end(Buffer.alloc(ANSWER_BYTES)))
  const connections = new OpenConnections(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  expect(await connections.emptied(0)).toBe(true)
  const client: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.pause()
  const answered = once(server, 'request')
  client.write('GET / HTTP/1.1\r\nhost: gateway.example\r\n\r\n')
  await answered
  expect(await connections.emptied(50)).toBe(false)
  client.resume()
  expect(await connections.emptied(20_000)).toBe(true)
})
