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
  /** All that must reach no log: what was issued, and what came to prove who asks. */
  readonly secrets = new Set<string>()
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
    this.secrets.add(token)
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
    this.secrets.add(keys.secretAccessKey).add(keys.sessionToken)
    return { ...keys, accessKeyId }
  }

  /** The keys of a session that has not ended; of an admin’s access key, which does not. */
  keysOf(accessKeyId: string): { readonly secretAccessKey: string; readonly sessionToken: string | null } | undefined {
    if (accessKeyId === LONG_LIVED.accessKeyId)
      return { secretAccessKey: LONG_LIVED.secretAccessKey, sessionToken: null }
    const keys = this.#keys.get(accessKeyId)
    return keys === undefined || keys.endsAt <= this.now() ? undefined : keys
  }

  /** Notes what came to prove who asks. */
  sawProof({ request, form, json }: Proven): void {
    const inHeaders = PROOF_HEADERS.map((name) => String(request.headers[name] ?? ''))
    const inBody = PROOF_FIELDS.flatMap((name) => [form?.get(name), json?.[name]])
    for (const proof of [...inHeaders, ...inBody]) {
      if (typeof proof === 'string' && proof !== '') this.secrets.add(proof.replace(SCHEME, ''))
    }
  }

  /** All that was issued ends now. */
  endAll(): void {
    this.#bearers.clear()
    this.#keys.clear()
  }
}

interface Proven extends Partial<Pick<TokenAsk, 'form' | 'json'>> {
  readonly request: Pick<ArrivedRequest, 'headers'>
}

const PROOF_HEADERS = ['authorization', 'x-amz-security-token', 'x-aws-ec2-metadata-token']
const PROOF_FIELDS = ['client_secret', 'client_assertion', 'assertion', 'subject_token', 'WebIdentityToken']
/** What stands before a token, and in a signature of AWS before its last field, which alone is secret. */
const SCHEME = /^(?:Bearer |AWS4-.*Signature=)/

/** The access key of a user that the fake knows. */
export const LONG_LIVED = {
  accessKeyId: 'AKIAFAKEFAKEFAKEFAKE',
  secretAccessKey: 'wJalrXUtnFEMIfakefakefakefakefakefakeKEY',
}
