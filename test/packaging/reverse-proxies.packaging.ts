import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayEnvironment, type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { SERVED_HOST as HOST, startShippedBalancer } from './shipped-balancer.ts'

const PARTS = 5

let folder = ''
let gateway: GatewayProcess | undefined
let key = ''
/** Ends the next part of the upstream's answer. */
const upstream = createServer((incoming, response) => {
  incoming.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    const delta = sent <= PARTS ? { content: `part ${sent} ` } : {}
    const choice = { index: 0, delta, finish_reason: sent > PARTS ? 'stop' : null }
    response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
    if (sent <= PARTS) return
    clearInterval(timer)
    response.end('data: [DONE]\n\n')
  }, BETWEEN_PARTS_MS)
})
const BETWEEN_PARTS_MS = 300

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-proxied-'))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  key = `k-${randomBytes(20).toString('hex')}`
  await writeFile(
    join(folder, 'tollgate.yaml'),
    `upstreams: [{ name: slow, protocol: openai-chat, base_url: "http://127.0.0.1:${port}/v1" }]
models: [{ name: slow, price: { input: "0", output: "0" }, targets: [{ upstream: slow, model: slow }] }]
groups: [{ name: default, multiplier: "1", models: ["*"] }]
accounts: [{ email: ada@example.test, balance: "1" }]
keys: [{ account: ada@example.test, name: laptop, group: default, custom_key: ${key}, allowed_ips: [127.0.0.1] }]
`,
  )
  gateway = await startGatewayProcess(
    gatewayEnvironment(join(folder, 'data'), {
      TOLLGATE_CONFIG: join(folder, 'tollgate.yaml'),
      TOLLGATE_TRUSTED_PROXIES: '127.0.0.1',
    }),
  )
})
afterAll(async () => {
  await gateway?.stop()
  upstream.close()
  await rm(folder, { recursive: true, force: true })
})

interface Asked {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** POST over TLS as a client of that host, with the times at which the parts of the answer came. */
function post(port: number, path: string, { body = '', headers = {} }: Asked = {}) {
  const asked = {
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    servername: HOST,
    rejectUnauthorized: false,
    headers: { host: HOST, authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  }
  return new Promise<{ status: number; text: string; times: readonly number[] }>((resolve, reject) => {
    const outgoing = request(asked, (response) => {
      const times: number[] = []
      let text = ''
      response.on('data', (chunk: Buffer) => {
        times.push(performance.now())
        text += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, times }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function proves(port: number): Promise<void> {
  const body = { model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] }
  const { status, text, times } = await post(port, '/v1/chat/completions', { body: JSON.stringify(body) })
  expect([status, text.match(/part \d/g)?.length]).toEqual([200, PARTS])
  expect(text).toMatch(/data: \[DONE\]\s*$/)
  // Passed on as they came: held back until the end, they would come within a moment.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((PARTS - 1) * BETWEEN_PARTS_MS * 0.7)

  // A client's own word about its address is not believed: it would pass the key's list of addresses, or fail it.
  const forged = { 'x-forwarded-for': '198.51.100.7' }
  expect((await post(port, '/v1/chat/completions', { body: JSON.stringify(body), headers: forged })).status).toBe(200)

  const large = { ...body, messages: [{ role: 'user', content: 'x'.repeat(20_000_000) }] }
  expect((await post(port, '/v1/chat/completions', { body: JSON.stringify(large) })).status).not.toBe(413)
  expect((await post(port, '/metrics')).status).toBe(404)
}

/** Longer than a check of any of them takes to count. */
const CHECKED_WITHIN_MS = 4_000

test.for(['nginx', 'caddy', 'haproxy'] as const)(
  'a node that is about to stop and is alone behind %s is asked all the same',
  async (name) => {
    const leaving = await startGatewayProcess(
      gatewayEnvironment(join(folder, `leaving-${name}`), {
        TOLLGATE_CONFIG: join(folder, 'tollgate.yaml'),
        TOLLGATE_TRUSTED_PROXIES: '127.0.0.1',
        TOLLGATE_SHUTDOWN_DELAY_MS: '60000',
      }),
    )
    const balancer = await startShippedBalancer(name, [Number(new URL(leaving.origin).port)])
    try {
      process.kill(leaving.processId, 'SIGTERM')
      const until = performance.now() + CHECKED_WITHIN_MS
      while (performance.now() < until)
        expect((await post(balancer.port, '/v1/models')).status).not.toBeGreaterThan(499)
      const body = JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
      expect((await post(balancer.port, '/v1/chat/completions', { body })).status).toBe(200)
    } finally {
      await balancer.stop()
      await leaving.kill()
    }
  },
)

test.for(['nginx', 'caddy', 'haproxy'] as const)(
  'the example for %s passes a stream on as it comes, large bodies, and the address of the caller',
  async (name) => {
    const balancer = await startShippedBalancer(name, [Number(new URL(gateway?.origin ?? '').port)])
    try {
      await proves(balancer.port)
    } finally {
      await balancer.stop()
    }
  },
)
