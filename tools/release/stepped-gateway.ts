import { setTimeout as pause } from 'node:timers/promises'
import type { SampleProcess } from '../sample/sample-process.ts'
import { RELEASE_ORIGIN } from './release-plan.ts'

const STEP_MS = 100
/** A node that its clock has left behind serves again with its next beat. */
const SERVES_WITHIN_MS = 30_000
const LOOK_MS = 50

/** An answer, read. */
export interface Answer<Body> {
  readonly body: Body
  readonly headers: Headers
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object | string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Statuses of 200 to 299 and redirects unless given. */
  readonly expected?: number | undefined
  /** Set for a step that changes nothing, and is repeated until something has happened: the clock stays where it is. */
  readonly isLook?: boolean
}

/**
 * A gateway that is asked for one thing after the other. Before each its clock moves on a little, and what it draws begins
 * anew, so that a step writes the same rows whatever happened in the background before it.
 */
export class SteppedGateway {
  readonly #process: SampleProcess
  readonly #name: string
  #nowMs: number
  #steps = 0

  /** `name`: gateways on one database need two of them. */
  constructor(process: SampleProcess, about: { readonly name: string; readonly standsAtMs: number }) {
    this.#process = process
    this.#name = about.name
    this.#nowMs = about.standsAtMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Resolves when the gateway serves again, for which it first tells the database that it is alive. */
  async moveTo(atMs: number): Promise<void> {
    this.#nowMs = atMs
    await this.#process.moveTo(atMs)
    for (let waitedMs = 0; waitedMs < SERVES_WITHIN_MS; waitedMs += LOOK_MS) {
      // Without a key: no record is written of it.
      const response = await fetch(`${this.#process.origin}/v1/messages`, { method: 'POST' })
      await response.arrayBuffer()
      if (response.headers.get('x-tollgate-fault') !== 'store_unavailable') return
      await pause(LOOK_MS)
    }
    throw new Error('the gateway does not serve again after its clock was moved')
  }

  /** Rejects unless the answer has the expected status. */
  async send<Body>(call: Call): Promise<Answer<Body>> {
    if (call.isLook !== true) await this.#step()
    const { method, path, body, headers, expected } = call
    const response = await fetch(this.#process.origin + path, {
      method,
      redirect: 'manual',
      headers: { ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isExpected = expected === undefined ? response.status < 400 : response.status === expected
    if (!isExpected) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    return { body: (isJson && text !== '' ? JSON.parse(text) : null) as Body, headers: response.headers }
  }

  /** Begins a stream with an API key and resolves with its response when it has begun. */
  async open(path: string, { secret, body }: { secret: string; body: object }): Promise<Response> {
    await this.#step()
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    return fetch(this.#process.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** SIGTERM. */
  async stop(): Promise<void> {
    await this.#step()
    await this.#process.stop()
  }

  async kill(): Promise<void> {
    await this.#process.kill()
  }

  async #step(): Promise<void> {
    this.#nowMs += STEP_MS
    this.#steps += 1
    await this.#process.moveTo(this.#nowMs, `${this.#name} ${this.#steps}`)
  }
}

/** One who asks the API: with a bearer credential, or as a browser with the cookies that it was given. */
export class Caller {
  readonly #gateway: SteppedGateway
  readonly #bearer: string | null
  readonly #cookies = new Map<string, string>()

  constructor(gateway: SteppedGateway, bearer: string | null = null) {
    this.#gateway = gateway
    this.#bearer = bearer
  }

  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    return (await this.send<Body>({ method, path, body })).body
  }

  /** Reads without moving the clock. */
  async look<Body>(path: string): Promise<Body> {
    return (await this.send<Body>({ method: 'GET', path, isLook: true })).body
  }

  async send<Body>(call: Call): Promise<Answer<Body>> {
    const answer = await this.#gateway.send<Body>({ ...call, headers: { ...this.#headers(), ...call.headers } })
    for (const line of answer.headers.getSetCookie()) {
      const pair = line.split(';', 1)[0] ?? ''
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  #headers(): Readonly<Record<string, string>> {
    if (this.#bearer !== null) return { authorization: `Bearer ${this.#bearer}` }
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { cookie, origin: RELEASE_ORIGIN, 'user-agent': 'a browser of release databases' }
  }
}
