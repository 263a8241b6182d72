/** The endpoints of a gateway by which a device signs in, played: tokens rotate as they do there, and every answer can be replaced. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The words of a gateway for all of its clients. */
const SIGNED_OUT =
  'This device was signed out at 2026-11-30T08:00:00Z. Sign in again: enter /login in Claude Code, or run "tollgate login".'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly bearer: string | null
}

export interface FakeSignIn {
  readonly origin: string
  readonly seen: SeenRequest[]
  /** Path → what answers there instead. */
  readonly instead: Map<string, (response: ServerResponse, request: SeenRequest) => void>
  /** Secrets of clients by their ids. */
  readonly secrets: Map<string, string>
  /** What the device page says beside account and group. */
  device: Record<string, unknown>
  approval: 'pending' | 'approved' | 'denied'
  isEnded: boolean
  count(path: string): number
  /** The refresh token that is good now. */
  refreshToken(): string
  accessToken(): string
  /** Voids the access tokens that were given so far. */
  raiseEpoch(): void
  close(): void
}

export async function startFakeSignIn(): Promise<FakeSignIn> {
  let generation = 0
  let oldestGood = 0
  const fake: FakeSignIn = {
    origin: '',
    seen: [],
    instead: new Map(),
    secrets: new Map(),
    device: {},
    approval: 'pending',
    isEnded: false,
    count: (path) => fake.seen.filter((each) => each.path === path).length,
    refreshToken: () => `tg-drt-${generation}`,
    accessToken: () => `tg-dat-${generation}`,
    raiseEpoch: () => void (oldestGood = generation + 1),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const tokens = (): [number, object] => {
    generation++
    return [
      200,
      {
        access_token: fake.accessToken(),
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: fake.refreshToken(),
        email: 'ada@example.test',
      },
    ]
  }
  const tokenAnswer = (form: URLSearchParams): [number, object] => {
    if (form.get('grant_type') === 'refresh_token') {
      const isGood = !fake.isEnded && form.get('refresh_token') === fake.refreshToken()
      return isGood ? tokens() : [401, { error: 'invalid_grant', error_description: SIGNED_OUT }]
    }
    if (fake.approval === 'approved') return tokens()
    return [400, { error: fake.approval === 'denied' ? 'access_denied' : 'authorization_pending' }]
  }
  const isCalling = ({ bearer }: SeenRequest): boolean => {
    if ([...fake.secrets.values()].some((secret) => secret === bearer)) return true
    const [, found] = /^tg-dat-(\d+)$/.exec(bearer ?? '') ?? []
    return found !== undefined && Number(found) >= oldestGood && Number(found) <= generation && !fake.isEnded
  }
  const answer = (request: SeenRequest): [number, object] => {
    const { path, method, body } = request
    if (path === '/.well-known/oauth-authorization-server') return [200, metadata(fake.origin)]
    if (path === '/oauth/device_authorization') return [200, codes(fake.origin)]
    if (path === '/oauth/token') return tokenAnswer(new URLSearchParams(body))
    if (path === '/oauth/revoke') return [200, {}]
    if (!isCalling(request)) return [401, { title: 'Signed out', detail: 'This device is signed out.' }]
    if (path === '/oauth/device') return [200, { ...deviceOf(fake.origin), ...fake.device }]
    if (path === '/oauth/device/secrets' && method === 'POST') {
      const id = `sec_${fake.secrets.size + 1}`
      fake.secrets.set(id, `sk-tg-${id}-0123456789abcdef`)
      return [201, { id, secret: fake.secrets.get(id) }]
    }
    if (path === '/oauth/device/secrets/delete') {
      fake.secrets.delete(new URLSearchParams(body).get('id') ?? '')
      return [200, {}]
    }
    return path.startsWith('/v1')
      ? [200, { id: 'x', content: [], choices: [], output: [] }]
      : [404, { title: 'Not found' }]
  }
  const server = createServer((message, response) => {
    void read(message).then((request) => {
      fake.seen.push(request)
      const instead = fake.instead.get(request.path)
      if (instead !== undefined) return instead(response, request)
      const [status, body] = answer(request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body))
      return undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(fake, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function read(message: IncomingMessage): Promise<SeenRequest> {
  const { authorization, 'x-api-key': key, 'x-goog-api-key': googleKey } = message.headers
  const other = typeof key === 'string' ? key : typeof googleKey === 'string' ? googleKey : null
  return {
    method: message.method ?? '',
    path: (message.url ?? '').split('?')[0] ?? '',
    body: await text(message),
    bearer: authorization?.replace(/^Bearer /, '') ?? other,
  }
}

function metadata(origin: string): object {
  return {
    issuer: origin,
    device_authorization_endpoint: `${origin}/oauth/device_authorization`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    gateway_protocol_version: 1,
  }
}

function codes(origin: string): object {
  return {
    device_code: 'dc-1',
    user_code: 'BCDF-GHJK',
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?user_code=BCDF-GHJK`,
    expires_in: 600,
    interval: 5,
    login_notice: 'Ask the desk for more.',
  }
}

function deviceOf(origin: string): object {
  return {
    account: { email: 'ada@example.test' },
    device: { id: 'key_1', name: 'ada’s laptop', client: 'tollgate 0.1.0' },
    group: { name: 'team' },
    base_urls: { openai: `${origin}/v1`, anthropic: origin },
    models: ['claude-opus-4-7', 'claude-haiku-4-5-20251001', 'gpt-5.2', 'gemini-3-pro'],
    balance_usd: '12.345',
    limits: [{ name: 'month', spent_usd: '4.1', limit_usd: '5', resets_at: '2026-12-01T00:00:00Z' }],
    recent: [{ at: '2026-11-30T07:00:00Z', model: 'gpt-5.2', cost_usd: '0.01', fault: null }],
    secrets: [],
  }
}
