import { randomBytes } from 'node:crypto'
import type { ArrivedRequest } from '../verify-sig-v4.ts'

export interface TokenReply {
  readonly status: number
  readonly type?: string
  readonly body: string
}

/** A request to a service that issues tokens, and what all of them need. */
export interface TokenAsk {
  readonly request: ArrivedRequest
  /** Below the service’s own host. */
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly json: Readonly<Record<string, unknown>>
  readonly book: TokenBook
}

export type TokenService = (ask: TokenAsk) => TokenReply

export function headerIn({ request }: TokenAsk, name: string): string {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}

export function reply(status: number, body: object): TokenReply {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

interface IssuedKeys {
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly endsAt: number
}

/** What was issued, and until when it is good. */
export class TokenBook {
  /** How long what is issued is good for. */
  lifeSeconds = 3_600
  /** How far the services’ clock is ahead of that of this machine. */
  aheadMs = 0
  /** How many tokens were issued. */
  issued = 0
  readonly #bearers = new Map<string, number>()
  readonly #keys = new Map<string, IssuedKeys>()

  now(): number {
    return Date.now() + this.aheadMs
  }

  bearer(prefix: string): { readonly token: string; readonly endsAt: number } {
    this.issued += 1
    const token = `${prefix}${randomBytes(24).toString('base64url')}`
    const endsAt = this.now() + this.lifeSeconds * 1_000
    this.#bearers.set(token, endsAt)
    return { token, endsAt }
  }

  isGood(token: string): boolean {
    return (this.#bearers.get(token) ?? 0) > this.now()
  }

  keys(): IssuedKeys & { readonly accessKeyId: string } {
    this.issued += 1
    const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`
    const keys: IssuedKeys = {
      secretAccessKey: randomBytes(20).toString('hex'),
      sessionToken: `IQoJb3JpZ2lu${randomBytes(60).toString('base64')}`,
      endsAt: this.now() + this.lifeSeconds * 1_000,
    }
    this.#keys.set(accessKeyId, keys)
    return { ...keys, accessKeyId }
  }

  /** The keys of a session that has not ended; of an admin’s access key, which does not. */
  keysOf(accessKeyId: string): { readonly secretAccessKey: string; readonly sessionToken: string | null } | undefined {
    if (accessKeyId === LONG_LIVED.accessKeyId)
      return { secretAccessKey: LONG_LIVED.secretAccessKey, sessionToken: null }
    const keys = this.#keys.get(accessKeyId)
    return keys === undefined || keys.endsAt <= this.now() ? undefined : keys
  }

  /** All that was issued ends now. */
  endAll(): void {
    this.#bearers.clear()
    this.#keys.clear()
  }
}

/** The access key of a user that the fake knows. */
export const LONG_LIVED = {
  accessKeyId: 'AKIAFAKEFAKEFAKEFAKE',
  secretAccessKey: 'wJalrXUtnFEMIfakefakefakefakefakefakeKEY',
}
