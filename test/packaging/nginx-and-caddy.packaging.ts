import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayEnvironment, type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { CERTIFICATE, KEY } from '../support/localhost-certificate.ts'
import { needTools } from './run-tool.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'packaging')
const EXAMPLE_HOST = 'tollgate.example.com'
/** What the certificate is for. */
const HOST = 'localhost'
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
  await needTools({ nginx: 'nginx', caddy: 'caddy' })
  folder = await mkdtemp('/var/tmp/tollgate-before-it-')
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'certificate.pem'), CERTIFICATE)
  await writeFile(join(folder, 'key.pem'), KEY)
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

/** The example with the ports and the certificate of this test. */
async function example(path: string, changes: readonly (readonly [string, string])[]): Promise<string> {
  let text = await readFile(join(EXAMPLES, path), 'utf8')
  const common: typeof changes = [
    [EXAMPLE_HOST, HOST],
    ['127.0.0.1:8787', (gateway?.origin ?? '').replace('http://', '')],
  ]
  for (const [from, to] of [...common, ...changes]) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return text
}

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
  const listens = () =>
    post(port, '/v1/models').then(
      () => true,
      () => false,
    )
  await expect.poll(listens, { timeout: 20_000 }).toBe(true)
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

test('the example for nginx passes a stream on as it comes, large bodies, and the address of the caller', async () => {
  const port = await freePort()
  const server = await example('nginx/tollgate.conf', [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    [`/etc/letsencrypt/live/${HOST}/fullchain.pem`, join(folder, 'certificate.pem')],
    [`/etc/letsencrypt/live/${HOST}/privkey.pem`, join(folder, 'key.pem')],
  ])
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  await writeFile(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary}\n${server}}`,
  )
  const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    await proves(port)
  } finally {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
  }
})

test('the example for Caddy does the same', async () => {
  const port = await freePort()
  const site = await example('caddy/Caddyfile', [
    [
      `${HOST} {`,
      `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${join(folder, 'certificate.pem')} ${join(folder, 'key.pem')}`,
    ],
  ])
  const config = join(folder, 'Caddyfile')
  await writeFile(config, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const caddy = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await proves(port)
  } finally {
    caddy.kill('SIGTERM')
    await once(caddy, 'exit')
  }
})
