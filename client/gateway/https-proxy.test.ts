import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runCommandLine } from '../command-line.ts'
import { handHost } from '../../test/support/client-host.ts'
import { httpsProxyRemark } from './https-proxy.ts'

const GATEWAY = 'https://gateway.example.test:8443/oauth/token'

test.for([
  [{}, ''],
  [{ HTTP_PROXY: 'http://web:3128' }, ''],
  [{ HTTPS_PROXY: '' }, ''],
  [{ HTTPS_PROXY: 'http://web:3128' }, ' It was asked through the HTTPS proxy that HTTPS_PROXY names.'],
  [{ https_proxy: 'http://web:3128' }, ' It was asked through the HTTPS proxy that https_proxy names.'],
  [
    { ALL_PROXY: 'socks5://web:1080' },
    / The HTTPS proxy that ALL_PROXY names was not used: take Node\.js 24\.14 or newer/,
  ],
  ...['*', 'gateway.example.test', 'gateway.example.test:8443', 'x, .example.test', '*.example.test'].map(
    (NO_PROXY) => [{ HTTPS_PROXY: 'http://web:3128', NO_PROXY }, ''] as const,
  ),
  [
    { HTTPS_PROXY: 'http://web:3128', NO_PROXY: 'other.test,.test:1' },
    ' It was asked through the HTTPS proxy that HTTPS_PROXY names.',
  ],
] as const)('with %j the remark on a gateway that is not reached is: %s', ([env, remark]) => {
  expect(httpsProxyRemark({ env, usesHttpsProxy: true }, GATEWAY)).toEqual(
    typeof remark === 'string' ? remark : expect.stringMatching(remark),
  )
})

test('a Node.js that uses no HTTPS proxy says what would, and names no address of it', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  const host = handHost({ env: { HTTPS_PROXY: 'http://ada:secret@web.example.test:3128' }, usesHttpsProxy: false })
  expect(await runCommandLine(host, ['login', `https://127.0.0.1:${port}`])).toBe(1)
  expect(host.remarked()).toBe(
    `127.0.0.1:${port} cannot be reached (ECONNREFUSED). The HTTPS proxy that HTTPS_PROXY names was not used: take Node.js 24.14 or newer and HTTPS_PROXY, or name 127.0.0.1 in NO_PROXY where it is reached without one.\n`,
  )
})
