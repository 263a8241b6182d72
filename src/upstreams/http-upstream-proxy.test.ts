import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { localProxy, type LocalProxy, type ProxyOptions } from '../../test/support/local-proxy.ts'
import { CERTIFICATE, KEY } from '../../test/support/localhost-certificate.ts'
import {
  answerOf,
  type OnRequest,
  type SocketOptions,
  type SocketUpstream,
  socketUpstream,
} from '../../test/support/upstream-on-sockets.ts'

import { isProxyFailure } from './connection-error.ts'
import { whyUnreachable } from './why-unreachable.ts'

// Upstreams that are reached through real proxies on this machine.

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, CERTIFICATE]))
afterAll(() => setDefaultCACertificates(trusted))

const open: (LocalProxy | SocketUpstream)[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function through(of: ProxyOptions, onRequest: OnRequest, options: SocketOptions = {}) {
  const proxy = await localProxy(of)
  const upstream = await socketUpstream(onRequest, { proxyUrl: proxy.url, ...options })
  open.push(upstream, proxy)
  return { proxy, upstream }
}

const KINDS = ['http', 'https', 'socks5'] as const
const WAYS = KINDS.flatMap((kind) => [
  { kind, over: 'plain' as const, login: undefined },
  { kind, over: 'TLS' as const, login: 'someone:p%40ss'.replace('%40', '-') },
])

test.for(WAYS)(
  'an upstream over $over is asked through a proxy of $kind, over one way for several requests',
  async (way) => {
    const { kind, over, login } = way
    const heads: string[] = []
    const { proxy, upstream } = await through(
      login === undefined ? { kind } : { kind, login },
      (text, socket) => {
        heads.push(text)
        socket.write(answerOf('ok'))
      },
      over === 'TLS' ? { tls: { cert: CERTIFICATE, key: KEY } } : {},
    )
    for (let i = 0; i < 3; i++) expect(await upstream.ask()).toMatchObject({ text: 'ok', isEnded: true })
    expect(proxy.asked).toHaveLength(1)
    expect(proxy.asked[0]).toMatch(over === 'TLS' ? /^localhost:\d+$/ : /^127\.0\.0\.1:\d+$/)
    expect(upstream.sockets).toHaveLength(1)
    expect(heads.join('')).not.toMatch(/proxy-authorization|CONNECT /)
  },
)

test.for(KINDS)('a long answer through a proxy of %s waits for a slow reader, and arrives whole', async (kind) => {
  const size = 3 * 1024 * 1024
  let paused = 0
  const { upstream } = await through({ kind }, (_text, socket) => void socket.write(answerOf('x'.repeat(size))), {
    onData: (exchange) => {
      if (++paused > 5) return
      exchange.pause()
      setImmediate(() => exchange.resume())
    },
  })
  const received = await upstream.ask()
  expect(received).toMatchObject({ isEnded: true, fault: null })
  expect(received.text).toHaveLength(size)
  expect(paused).toBeGreaterThan(0)
})

test.for(
  KINDS.flatMap((kind) => [
    { kind, what: 'gets no login, and wants one', login: 'a:b', says: undefined },
    { kind, what: 'gets another login than it wants', login: 'a:b', says: 'a:c' },
  ]),
)('a proxy of $kind that $what fails as a proxy, and the upstream sees nothing', async ({ kind, login, says }) => {
  const proxy = await localProxy({ kind, login })
  const { port } = new URL(proxy.url.replace(/^\w+:/, 'http:'))
  const url = `${kind}://${says === undefined ? '' : `${says}@`}localhost:${port}`
  const upstream = await socketUpstream((_text, socket) => void socket.write(answerOf('ok')), { proxyUrl: url })
  open.push(upstream, proxy)
  const { fault, status } = await upstream.ask()
  expect(status).toBe(0)
  expect(fault).toMatchObject({ code: 'upstream_unavailable', cause: { code: 'UPSTREAM_PROXY_LOGIN' } })
  expect(String(fault?.cause)).not.toMatch(/localhost|:c\b/)
  expect(whyUnreachable(fault?.cause)).toBe(
    `The proxy to it wants a login, or another one${kind === 'socks5' ? '' : ' (407)'}: check the user name and the password in proxy_url.`,
  )
  expect(upstream.sockets).toHaveLength(0)
})

const NOT_THROUGH = /^The proxy to it does not let this gateway through( \(\d+\))?: allow the host and port/
const NO_ROUTE = /^The proxy to it could not reach the upstream( \(\d+\))?: check base_url/

test.for([
  {
    kind: 'http',
    answers: '407 Proxy Authentication Required',
    why: /wants a login, or another one \(407\)/,
    from: 'projectdiscovery/nuclei#5189',
  },
  { kind: 'https', answers: '403 Forbidden', why: NOT_THROUGH, from: undefined },
  { kind: 'http', answers: '405 Method Not Allowed', why: NOT_THROUGH, from: undefined },
  { kind: 'http', answers: '429 Too Many Requests', why: NOT_THROUGH, from: undefined },
  { kind: 'http', answers: '502 Bad Gateway', why: NO_ROUTE, from: 'adamfisk/LittleProxy#126' },
  { kind: 'https', answers: '503 Service Unavailable', why: NO_ROUTE, from: undefined },
  { kind: 'http', answers: '504 Gateway Timeout', why: NO_ROUTE, from: undefined },
  { kind: 'socks5', answers: 2, why: NOT_THROUGH, from: undefined },
  { kind: 'socks5', answers: 4, why: NO_ROUTE, from: undefined },
  { kind: 'socks5', answers: 5, why: NO_ROUTE, from: undefined },
  { kind: 'socks5', answers: 7, why: /^The proxy to it could not be reached, or is not such a proxy/, from: undefined },
] as const)('a proxy of $kind that answers with $answers is said to have done so', async ({ kind, answers, why }) => {
  const { upstream } = await through({ kind, answers }, (_text, socket) => void socket.write(answerOf('ok')))
  const { fault } = await upstream.ask()
  expect(isProxyFailure(fault?.cause)).toBe(true)
  const sentence = whyUnreachable(fault?.cause)
  expect(sentence).toMatch(why)
  if (typeof answers === 'string') expect(sentence).toContain(`(${answers.slice(0, 3)})`)
  expect(sentence).not.toContain('localhost')
})

test('a proxy that is away, that is silent or that speaks something else fails as a proxy', async () => {
  const away = await localProxy({ kind: 'http' })
  await away.close()
  const { proxy } = await through({ kind: 'http', isSilent: true }, () => {})
  const other = await socketUpstream((_text, socket) => void socket.write('SSH-2.0-something else\r\n\r\n'))
  open.push(other)
  const { port } = new URL((await localPort(other)) ?? '')
  for (const proxyUrl of [away.url, proxy.url, `http://127.0.0.1:${port}`, `socks5://127.0.0.1:${port}`]) {
    const upstream = await socketUpstream(() => {}, { proxyUrl, connectTimeoutMs: 500 })
    open.push(upstream)
    const { fault } = await upstream.ask()
    expect(fault).toMatchObject({ code: 'upstream_unavailable', cause: { code: 'UPSTREAM_PROXY_FAILED' } })
  }
})

test('a certificate for another name is refused through a proxy as well, and is the upstream’s failure', async () => {
  const asked: string[] = []
  const tls = { cert: CERTIFICATE, key: KEY }
  const { upstream } = await through({ kind: 'http' }, (text) => void asked.push(text), { tls, host: '127.0.0.1' })
  const { fault } = await upstream.ask()
  expect(fault).toMatchObject({ code: 'upstream_unavailable', cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
  expect(asked).toEqual([])
})

test('headers of requests are left out and renamed, and the upstream’s own stay', async () => {
  const heads: string[] = []
  const upstream = await socketUpstream(
    (text, socket) => {
      heads.push(text)
      socket.write(answerOf('ok'))
    },
    {
      changes: {
        removed: new Set(['x-app', 'baggage']),
        renamed: new Map([
          ['session_id', 'x-session'],
          ['accept', 'authorization'],
        ]),
      },
    },
  )
  open.push(upstream)
  const headers = { 'x-app': 'cli', session_id: 's1', accept: 'Bearer stolen', 'user-agent': 'u' }
  expect(await upstream.ask({ headers })).toMatchObject({ text: 'ok' })
  const [head = ''] = heads
  expect(head).toContain('\r\nx-session: s1\r\nuser-agent: u\r\n')
  expect(head).toContain('\r\nauthorization: Bearer up\r\n')
  expect(head).not.toMatch(/x-app|session_id|stolen/)
})

/** Where a plain upstream listens. */
async function localPort(upstream: SocketUpstream): Promise<string | null> {
  await upstream.ask()
  const port = upstream.sockets[0]?.localPort
  return port === undefined ? null : `http://127.0.0.1:${port}`
}
