import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { OidcSettings } from '../../src/control/sign-in.ts'

type Claims = Readonly<Record<string, unknown>>

/** Who signs in, as a provider knows the person. */
export const PERSON = { sub: 'person-1', email: 'ada@example.test', name: 'Ada Lovelace' } as const

/** How one provider differs from the others. What is left out is as most have it. */
export interface Manner {
  /** Below the origin of the provider; may end with a slash. */
  readonly issuerPath?: string
  /** What the description names as its issuer. */
  readonly describedIssuer?: (issuer: string) => string
  /** What its tokens name as theirs. */
  readonly tokenIssuer?: (issuer: string) => string
  /** Goes into the description; undefined takes a field out of it. */
  readonly description?: Claims
  /** The only way in which this client may show its secret. */
  readonly takes?: 'client_secret_basic' | 'client_secret_post'
  /** What a wrong secret is answered with. */
  readonly clientRefusal?: { readonly status: number; readonly error: string }
  readonly alg?: string
  readonly kid?: string | null
  /** What else the set of keys has, and what of the key itself is changed. */
  readonly keys?: (key: JWK, issuer: string) => readonly unknown[]
  readonly idToken?: (person: typeof PERSON, about: { clientId: string; nowS: number }) => Claims
  /** Left out: there is no such endpoint. */
  readonly userInfo?: (person: typeof PERSON) => Claims
  /** Whether the return names the issuer (RFC 9207), or which. */
  readonly namesIssuer?: boolean | string
  /** How much the provider's clock is ahead of ours. */
  readonly aheadMs?: number
  /** Answers the request for tokens instead. */
  readonly tokenAnswer?: (
    fields: URLSearchParams,
    authorization: string,
  ) => { readonly status: number; readonly body: unknown }
}

/** A provider of our own on loopback, that has these manners. */
export interface MannerlyProvider {
  readonly settings: OidcSettings
  /** What the token endpoint got: how the secret was shown. */
  readonly shown: string[]
  manner: Manner
  /** Changes the key by which the provider signs from now on. */
  rotate(): Promise<void>
  /** Signs the person in, and returns where the browser is sent back to. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/** The key without one of its fields. */
export function without(key: JWK, name: 'alg' | 'kid' | 'use'): JWK {
  return Object.fromEntries(Object.entries(key).filter(([each]) => each !== name)) as JWK
}

const CLIENT_ID = 'tollgate at/example'
/** A secret of the form that openid/AppAuth-Android#337 is about. */
const CLIENT_SECRET = 'z/tZ9VwFZqApmIQ+ZH1I5pLk/uB4ud:X2/8bL+wfFTt1rFw='

const made = new Map<string, Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }>>()

/** Making an RSA key takes a fifth of a second: those of a file share them. */
function keyPair(alg: string, generation: number) {
  const name = `${alg} ${generation}`
  const known = made.get(name) ?? generateKeyPair(alg, { extractable: true })
  made.set(name, known)
  return known
}

export async function startMannerlyProvider(manner: Manner): Promise<MannerlyProvider> {
  const codes = new Map<string, URLSearchParams>()
  let generation = 0
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuerAt = () => origin + (provider.manner.issuerPath ?? '')
  const described = () => provider.manner.describedIssuer?.(issuerAt()) ?? issuerAt()
  const theirNow = () => Date.now() + (provider.manner.aheadMs ?? 0)

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', origin)
    response.setHeader('date', new Date(theirNow()).toUTCString())
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === `${new URL(issuerAt()).pathname.replace(/\/$/, '')}/.well-known/openid-configuration`) {
      return send(200, description())
    }
    if (url.pathname === '/keys') return send(200, { keys: await keys() })
    if (url.pathname === '/token') return token(request, send)
    const person = provider.manner.userInfo
    if (url.pathname === '/person' && person !== undefined) return send(200, person(PERSON))
    return send(404, {})
  }

  const description = () => ({
    issuer: described(),
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    ...(provider.manner.userInfo === undefined ? {} : { userinfo_endpoint: `${origin}/person` }),
    ...provider.manner.description,
  })

  const kidNow = () => (provider.manner.kid === undefined ? `key-${generation}` : provider.manner.kid)
  const keys = async () => {
    const { alg = 'RS256' } = provider.manner
    const { publicKey } = await keyPair(alg, generation)
    const kid = kidNow()
    const key = { ...(await exportJWK(publicKey)), use: 'sig', alg, ...(kid === null ? {} : { kid }) }
    return provider.manner.keys?.(key, issuerAt()) ?? [key]
  }

  const token = async (request: IncomingMessage, send: (status: number, body: unknown) => void) => {
    const fields = new URLSearchParams(await bodyOf(request))
    const way = wayOf(request, fields)
    provider.shown.push(way.name)
    const { takes = 'client_secret_basic', clientRefusal } = provider.manner
    const instead = provider.manner.tokenAnswer?.(fields, request.headers.authorization ?? '')
    if (instead !== undefined) return send(instead.status, instead.body)
    if (way.name !== takes || way.id !== CLIENT_ID || way.secret !== CLIENT_SECRET) {
      const { status, error } = clientRefusal ?? { status: 401, error: 'invalid_client' }
      return send(status, { error, error_description: `Client authentication failed (${way.name}).` })
    }
    const asked = codes.get(fields.get('code') ?? '')
    codes.delete(fields.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked?.get('code_challenge') !== challenge || asked.get('redirect_uri') !== fields.get('redirect_uri')) {
      return send(400, { error: 'invalid_grant', error_description: 'The code is not valid.' })
    }
    send(200, { access_token: 'opaque', token_type: 'Bearer', id_token: await idToken(asked.get('nonce') ?? '') })
  }

  const idToken = async (nonce: string) => {
    const { alg = 'RS256', idToken: claims, tokenIssuer } = provider.manner
    const nowS = Math.floor(theirNow() / 1_000)
    const usual = { iss: tokenIssuer?.(issuerAt()) ?? issuerAt(), sub: PERSON.sub, aud: CLIENT_ID, nonce }
    const all = { ...usual, iat: nowS, exp: nowS + 300, ...claims?.(PERSON, { clientId: CLIENT_ID, nowS }) }
    const kid = kidNow()
    const { privateKey } = await keyPair(alg, generation)
    return new SignJWT(all).setProtectedHeader({ alg, ...(kid === null ? {} : { kid }) }).sign(privateKey)
  }

  const provider: MannerlyProvider = {
    settings: {
      name: 'Example',
      get issuer() {
        return issuerAt()
      },
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      trustsEmail: false,
    },
    shown: [],
    manner,
    async rotate() {
      generation += 1
    },
    async visit(url) {
      const asked = new URL(url).searchParams
      const code = randomBytes(16).toString('base64url')
      codes.set(code, asked)
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      const { namesIssuer = false } = provider.manner
      if (namesIssuer !== false) back.searchParams.set('iss', namesIssuer === true ? described() : namesIssuer)
      return back.href
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** The way in which the client showed itself. Both halves of a basic pair are form-encoded (RFC 6749, 2.3.1). */
function wayOf(request: IncomingMessage, fields: URLSearchParams) {
  const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (basic === undefined) {
    const name = fields.has('client_secret') ? 'client_secret_post' : 'none'
    return { name, id: fields.get('client_id'), secret: fields.get('client_secret') }
  }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  const decoded = (text: string) => new URLSearchParams(`v=${text}`).get('v')
  return { name: 'client_secret_basic', id: decoded(id), secret: decoded(secret) }
}
