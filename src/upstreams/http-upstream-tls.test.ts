import { createServer } from 'node:net'
import { once } from 'node:events'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CERTIFICATE, KEY } from '../../test/support/localhost-certificate.ts'
import { answerOf, socketUpstream } from '../../test/support/upstream-on-sockets.ts'
import { HttpUpstream } from './http-upstream.ts'

const TLS = { cert: CERTIFICATE, key: KEY }

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, CERTIFICATE]))
afterAll(() => setDefaultCACertificates(trusted))

test('an upstream is asked by its name over TLS, and the session is resumed on the next connection', async () => {
  const seen: unknown[] = []
  const upstream = await socketUpstream(
    (_text, socket) => {
      seen.push([(socket as TLSSocket).servername, (socket as TLSSocket).isSessionReused()])
      socket.write(answerOf('ok', 'connection: close\r\n'))
    },
    { tls: TLS },
  )
  for (let i = 0; i < 3; i++) expect(await upstream.ask()).toMatchObject({ text: 'ok', isEnded: true })
  expect(seen).toEqual([
    ['localhost', false],
    ['localhost', true],
    ['localhost', true],
  ])
  await upstream.close()
})

test('a certificate that is for another name or that no authority has signed is refused', async () => {
  const asked: string[] = []
  const upstream = await socketUpstream((text) => void asked.push(text), { tls: TLS, host: '127.0.0.1' })
  expect((await upstream.ask()).fault).toMatchObject({
    code: 'upstream_unavailable',
    cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  })
  await upstream.close()
  setDefaultCACertificates(trusted)
  const other = await socketUpstream((text) => void asked.push(text), { tls: TLS })
  expect((await other.ask()).fault).toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
  setDefaultCACertificates([...trusted, CERTIFICATE])
  await other.close()
  expect(asked).toEqual([])
})

test('content that comes after a pause over TLS waits for the consumer, and so does the end', async () => {
  const size = 1024 * 1024
  const upstream = await socketUpstream(
    (_text, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(size)}`)
    },
    { tls: TLS, onData: (exchange) => exchange.pause() },
  )
  const { exchange, received, over } = upstream.begin()
  await expect.poll(() => received.pieces).toBe(1)
  for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(received).toMatchObject({ pieces: 1, isEnded: false, fault: null })
  const resuming = setInterval(() => exchange.resume(), 0)
  expect(await over).toMatchObject({ isEnded: true, fault: null })
  clearInterval(resuming)
  expect(received.text.length).toBe(size)
  await upstream.close()
})

test('a server that accepts the connection and never speaks TLS is given up after the time to connect', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = new HttpUpstream({
    baseUrl: `https://localhost:${port}`,
    headers: {},
    connectTimeoutMs: 20,
    maxConcurrency: null,
  })
  const code = await new Promise((resolve) => {
    client.send(
      { method: 'GET', path: '/', headers: {}, body: [] },
      { onHead() {}, onData() {}, onEnd() {}, onFailure: (fault) => resolve(fault.code) },
    )
  })
  expect(code).toBe('upstream_timeout')
  await client.close()
  server.close()
})
