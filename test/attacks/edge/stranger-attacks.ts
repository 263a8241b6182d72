/** What a sender without an account can do by guessing, by signing in, and by headers that are dear to read. */
import { connect } from 'node:net'
import { expect } from 'vitest'
import type { AttackedGateway } from '../attacked-gateway.ts'
import { attack } from '../attack.ts'
import { readSettings } from '../settings.ts'
import type { Edge } from './edge.ts'

const { isLong } = readSettings(process.env)

/** Processor time of one turn of the event loop. */
const STALL_MS = 50
/** What is dear is dear each time; a turn that other work on the machine stretched is not. */
const STALL_TRIES = 3
const LONG = 15_500

/** Attacks that come last on a gateway: the address is closed to guesses afterwards. */
export function strangerAttacks(edge: () => Edge): void {
  attack('no credential of 15 KB keeps the event loop from turning for 50 ms', async () => {
    const { gateway } = edge()
    const runs = ['\xa0', '"', '!', "'", '`', ' ', '-', '.', '_', '\xff']
    await rawGet(gateway, { authorization: 'Bearer x' })
    for (const run of runs) {
      for (const [begin, end] of [
        ['', 'x'],
        ['Bearer a', 'a'],
        ['Bearer "', 'a'],
      ] as const) {
        for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) {
          const shortest = await shortestStall(gateway, { [name]: begin + run.repeat(LONG) + end })
          expect(shortest, `${name}: ${begin}${run}…${end}`).toBeLessThan(STALL_MS)
        }
      }
    }
  })

  attack('a right custom key is not served to an address that has guessed wrongly too often', async () => {
    const { gateway } = edge()
    const guessed = 'correct-horse-7vq2kd93mxw4rzt8hbn6pj5fgc'
    const opened = await gateway.purse('1', { custom_key: guessed })
    expect(opened.secret).toBe(guessed)
    const statuses: number[] = []
    for (let tries = 0; tries < 300; tries++)
      statuses.push(await modelsWith(gateway, `wrong-${tries}-7vq2kd93mxw4rzt8hbn6pj5`))
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(130)
    expect(await modelsWith(gateway, guessed)).toBe(429)
  })

  attack('nothing that a stranger asks again and again is answered for ever', async () => {
    const { gateway } = edge()
    const asks = [
      ['POST', '/api/auth/passkeys/sign-in/start', '{}'],
      ['POST', '/api/auth/sign-in', JSON.stringify({ email: 'nemo@example.test', password: 'wrong horse battery' })],
      ['POST', '/api/auth/password/forgot', JSON.stringify({ email: 'nemo@example.test' })],
    ] as const
    const most = isLong ? 300 : 130
    for (const [method, path, body] of asks) {
      const seen = new Set<number>()
      for (let tries = 0; tries < most && !seen.has(429); tries++) {
        seen.add(await control(gateway, [method, path, body]))
      }
      expect([...seen], path).toContain(429)
    }
  })

  attack('the sign-in reads JSON under its own content type alone', async () => {
    const { gateway } = edge()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      const body = JSON.stringify({ email: 'nemo@example.test', password: 'wrong horse battery' })
      expect(await control(gateway, ['POST', '/api/auth/sign-in', body], type), type).toBe(415)
    }
  })

  attack('strangers write nothing of level error into the log', async () => {
    const { gateway } = edge()
    await control(gateway, ['GET', '/api/auth/callback/oidc?code=x&state=y', null])
    await control(gateway, ['POST', '/api/auth/second-step', '{"code":"000000"}'])
    const lines = (gateway.process?.printed() ?? '').split('\n')
    expect(lines.filter((line) => /"level":("error"|"fatal"|50|60)/.test(line))).toEqual([])
  })
}

async function modelsWith(gateway: AttackedGateway, secret: string): Promise<number> {
  const answer = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  await answer.arrayBuffer()
  return answer.status
}

/** Asks by the name that passkeys can have, as a browser of this machine would. */
async function control(
  gateway: AttackedGateway,
  [method, path, body]: readonly [string, string, string | null],
  type = 'application/json',
): Promise<number> {
  const origin = gateway.origin.replace('127.0.0.1', 'localhost')
  const headers = { origin, ...(body === null ? {} : { 'content-type': type }) }
  const options = { method, headers, redirect: 'manual' } as const
  const answer = await fetch(origin + path, body === null ? options : { ...options, body })
  await answer.arrayBuffer()
  return answer.status
}

/** Asks over a bare socket, because clients refuse to send some of these bytes. Resolves when the answer has begun. */
function rawGet(gateway: AttackedGateway, headers: Readonly<Record<string, string>>): Promise<void> {
  const { hostname, port } = new URL(gateway.origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', reject)
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.once('close', () => resolve())
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = ['GET /v1/models HTTP/1.1', 'host: gateway.test', 'connection: close', ...lines]
    socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
  })
}

/** The longest turn of the event loop that a request with these headers takes, in ms of processor time: the least of some tries. */
async function shortestStall(gateway: AttackedGateway, headers: Readonly<Record<string, string>>): Promise<number> {
  let shortest = Infinity
  for (let tries = 0; tries < STALL_TRIES && shortest >= STALL_MS; tries++) {
    await gateway.stalls()
    await rawGet(gateway, headers)
    shortest = Math.min(shortest, (await gateway.stalls())?.stalls[0]?.ms ?? 0)
  }
  return shortest
}
