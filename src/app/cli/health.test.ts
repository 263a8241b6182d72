import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

/** Alive, and not ready. */
const server = createServer((request, response) => {
  const isAlive = request.url === '/healthz'
  response.writeHead(isAlive ? 200 : 503).end(isAlive ? '{"status":"alive"}' : '{"status":"draining"}')
})
let port = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = String((server.address() as AddressInfo).port)
})
afterAll(() => server.close())

async function health(environment: Record<string, string>, ...args: string[]) {
  const { host, printed, remarked } = cliHostByHand({ environment })
  return { code: await runCommandLine(['health', ...args], host), said: printed.join('') + remarked.join('') }
}

test('health asks the gateway of this environment, wherever it listens', async () => {
  for (const HOST of ['0.0.0.0', '127.0.0.1', '']) {
    expect(await health({ HOST, PORT: port })).toEqual({ code: 0, said: `ok http://127.0.0.1:${port}/healthz\n` })
  }
})

test('health --ready fails while the gateway takes no requests, with its answer', async () => {
  expect(await health({ PORT: port }, '--ready')).toEqual({
    code: 1,
    said: `http://127.0.0.1:${port}/readyz answered 503: {"status":"draining"}\n`,
  })
})

test('health fails in one sentence where none listens, or where the port cannot be known', async () => {
  const none = await health({ PORT: '1' })
  expect(none).toMatchObject({ code: 1, said: expect.stringMatching(/^No answer from http:\/\/127\.0\.0\.1:1 .*\n$/) })
  expect(await health({ PORT: '0' })).toMatchObject({ code: 1, said: expect.stringContaining('set PORT') })
})
