import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createConsoleFiles } from './console-files.ts'

const PAGE = '<!doctype html><title>console</title><script src="./assets/main-abc.js"></script>'
const CODE = 'export const code = 1'

let folder: string
let server: Server

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-console-files-'))
  const files = createConsoleFiles(join(folder, 'console'))
  server = createServer((incoming, response) => void files(incoming, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await rm(folder, { recursive: true, force: true })
})

test('until it is built, one sentence says how', async () => {
  const answer = await ask('/console/keys')
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('npm run build -- console')
  await buildIt()
  expect((await ask('/console/keys')).text).toBe(PAGE)
})

test.for(['/console/', '/console/keys', '/console/account?section=security', '/console/a.b'])(
  '%s is the page, kept in no cache',
  async (path) => {
    await buildIt()
    const answer = await ask(path)
    expect(answer).toMatchObject({ status: 200, text: PAGE })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
  },
)

test.for([
  ['/console/keys/1', '../'],
  ['/console/admin/accounts/1?x=/a/b', '../../'],
  [`/console${'/deep'.repeat(9)}`, '../'.repeat(8)],
])('%s names the files from where it is', async ([path = '', up]) => {
  await buildIt()
  const text = PAGE.replace('./assets/', `${up}assets/`)
  expect(await ask(path)).toMatchObject({ status: 200, text })
  expect(await ask(path, { headers: { 'accept-encoding': 'gzip' } })).toMatchObject({ status: 200 })
})

test.for([10, 3_000])('a path that is %i names deep has no page, and is answered in a few bytes', async (depth) => {
  await buildIt()
  const answer = await ask(`/console${'/a'.repeat(depth)}`)
  expect([answer.status, answer.bytes.length < 100]).toEqual([404, true])
})

test('/console without its slash leads to the page, under whatever path it is', async () => {
  const answer = await ask('/console')
  expect([answer.status, answer.headers['location']]).toEqual([308, './console/'])
})

test('a file with a hash in its name is kept for ever', async () => {
  await buildIt()
  const answer = await ask('/console/assets/main-abc.js')
  expect(answer).toMatchObject({ status: 200, text: CODE })
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
})

test.for([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['identity', undefined],
  ['', undefined],
] as const)('to "%s" it goes as %s', async ([accepted, encoding]) => {
  await buildIt()
  const answer = await ask('/console/assets/main-abc.js', { headers: { 'accept-encoding': accepted } })
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
  if (encoding === 'gzip') expect(gunzipSync(answer.bytes).toString()).toBe(CODE)
})

test.for([
  '/console/assets/missing.js',
  '/console/assets/../../secret.txt',
  '/console/assets/..%2f..%2fsecret.txt',
  '/console/assets/%2e%2e/%2e%2e/secret.txt',
  '/console/assets//etc/passwd',
  '/console/assets/main-abc.js.br',
  '/console/assets/__proto__',
])('%s is not a file of the console', async (path) => {
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await buildIt()
  const answer = await ask(path)
  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain('secret')
})

test('every answer forbids what is not of this origin', async () => {
  await buildIt()
  for (const path of ['/console/keys', '/console/assets/main-abc.js', '/console/assets/missing.js']) {
    const { headers } = await ask(path)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  }
})

test('HEAD has the headers without the body, and other methods are refused', async () => {
  await buildIt()
  const head = await ask('/console/assets/main-abc.js', { method: 'HEAD' })
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(CODE.length)])
  const post = await ask('/console/', { method: 'POST' })
  expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
})

test('a new build is served at the next page, and its files with it', async () => {
  await buildIt()
  await ask('/console/')
  await buildIt({ page: '<title>new</title>', file: 'main-def.js' })
  expect((await ask('/console/')).text).toBe('<title>new</title>')
  expect((await ask('/console/assets/main-def.js')).status).toBe(200)
})

let builds = 0

async function buildIt({ page = PAGE, file = 'main-abc.js' } = {}): Promise<void> {
  const assets = join(folder, 'console', 'assets')
  await mkdir(assets, { recursive: true })
  await writeFile(join(assets, file), CODE)
  await writeFile(join(assets, `${file}.br`), brotliCompressSync(CODE))
  await writeFile(join(assets, `${file}.gz`), gzipSync(CODE))
  const path = join(folder, 'console', 'console.html')
  await writeFile(path, page)
  // Two builds within one tick of the file system's clock are not covered by this test.
  builds += 1
  await utimes(path, builds, builds)
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

/** Asks for a path as it is, without the tidying that `fetch` does. */
async function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
