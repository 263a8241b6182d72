/** The bundled command line in processes of its own, as clients run it. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildClient } from '../../tools/build-client.ts'
import { type FakeSignIn, startFakeSignIn } from '../support/fake-sign-in.ts'

const run = promisify(execFile)
let gateway: FakeSignIn
let home = ''
let program = ''

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bundle-'))
  await buildClient(join(folder, 'client'))
  program = join(folder, 'client', 'tollgate.cjs')
})
beforeEach(async () => {
  gateway = await startFakeSignIn()
  gateway.approval = 'approved'
  home = await mkdtemp(join(tmpdir(), 'tollgate-home-'))
  await tollgate('login', gateway.origin, '--no-browser')
})
afterAll(() => gateway.close())

/** Runs it with an environment that has nothing but the home directory. */
async function tollgate(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...args], { env: { HOME: home } })
  return stdout
}

async function accessFile(): Promise<string> {
  const folder = join(home, '.local/share/tollgate-client/gateways')
  return join(folder, (await readdir(folder))[0] ?? '', 'access.json')
}

/** Brings the end of the kept token near. */
async function age(): Promise<void> {
  const path = await accessFile()
  const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  await writeFile(path, JSON.stringify({ ...kept, expires_at_ms: Date.now() + 60_000 }))
}

function refreshes(): number {
  return gateway.seen.filter(({ body }) => body.includes('grant_type=refresh_token')).length
}

test('twenty processes at once renew the token once, and all print the same one', async () => {
  await age()
  const printed = await Promise.all(Array.from({ length: 20 }, () => tollgate('token')))
  expect([new Set(printed), refreshes()]).toEqual([new Set([`${gateway.accessToken()}\n`]), 1])
})

test('a process that is killed while it renews stops none after it', async () => {
  await age()
  gateway.instead.set('/oauth/token', () => undefined)
  const killed = run(process.execPath, [program, 'token'], {
    env: { HOME: home },
    timeout: 3_000,
    killSignal: 'SIGKILL',
  })
  await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' })
  gateway.instead.clear()
  expect(await tollgate('token')).toBe(`${gateway.accessToken()}\n`)
})

test('the copy that login keeps is the program, and prints the token without the one that npx fetched', async () => {
  const copy = join(home, '.local/share/tollgate-client/tollgate.cjs')
  const { stdout } = await run(process.execPath, [copy, 'token'], { env: { HOME: home } })
  expect(stdout).toBe(`${gateway.accessToken()}\n`)
  expect((await readFile(copy)).equals(await readFile(program))).toBe(true)
})

test('a gateway is asked through the HTTPS proxy that the environment names, and one on this computer never', async () => {
  const asked: string[] = []
  const web = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(403).end()
  })
  web.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const env = { HOME: home, HTTP_PROXY: at, HTTPS_PROXY: at }
  expect((await run(process.execPath, [program, 'status'], { env })).stdout).toContain(gateway.origin)
  expect(asked).toEqual([])
  const login = run(process.execPath, [program, 'login', 'https://gateway.example.test'], { env })
  await expect(login).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /cannot be reached.* It was asked through the HTTPS proxy that HTTPS_PROXY names\.\n$/,
    ),
  })
  expect(asked).toEqual(['gateway.example.test:443'])
  web.close()
})
