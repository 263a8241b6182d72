import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rawConnection } from '../../../test/support/raw-connection.ts'
import { toOriginForm } from './refuse-unreadable.ts'

let server: Server
let origin = ''
let seen: (Pick<IncomingMessage, 'url' | 'rawHeaders'> & { isRight: boolean; host: string | undefined })[] = []

beforeEach(async () => {
  seen = []
  server = createServer((request, response) => {
    const isRight = toOriginForm(request)
    const { url, rawHeaders, headers } = request
    seen.push({ isRight, url, rawHeaders, host: headers.host })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

// from: zoxy-io/zoxy#233, K0M15/webserv#44, Lightbug-HQ/lightbug_http#133 and #134, actor-framework/actor-framework#2079.
test.for([
  ['http://x/healthz', '/healthz', 'x'],
  ['HTTP://X.example:8787/v1/models?limit=1', '/v1/models?limit=1', 'X.example:8787'],
  ['https://[2001:db8::1]:8443/', '/', '[2001:db8::1]:8443'],
  ['http://x', '/', 'x'],
  ['http://x?a=b', '/?a=b', 'x'],
  ['http://x//double', '//double', 'x'],
  ['/plain?u=http://y/z', '/plain?u=http://y/z', 'from-header'],
  ['//x/path', '//x/path', 'from-header'],
] as const)('the target %s is %s of the host %s', async ([target, url, host]) => {
  const connection = await rawConnection(origin)
  connection.socket.write(`GET ${target} HTTP/1.1\r\nHost: from-header\r\n\r\n`)
  await connection.answer()
  expect(seen).toMatchObject([{ isRight: true, url, host, rawHeaders: ['Host', host] }])
  connection.socket.destroy()
})

test.for(['http://ada:secret@x/healthz', 'http://x@/healthz', 'http:///healthz'])(
  'the target %s is taken for a mistake',
  async (target) => {
    const connection = await rawConnection(origin)
    connection.socket.write(`GET ${target} HTTP/1.1\r\nHost: from-header\r\n\r\n`)
    await connection.answer()
    // Node’s parser refuses some of them by itself.
    for (const { isRight } of seen) expect(isRight).toBe(false)
    connection.socket.destroy()
  },
)
