/** Claude Code's own gateway (`claude gateway`), in front of the same fake upstream, with a fake identity provider behind it. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OidcServer, startOidcServer } from '../../support/oidc-server.ts'
import { freePort } from '../../support/kept-process.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { temporaryDirectory, testPostgres } from '../../support/test-servers.ts'

export interface ReferenceGateway extends AsyncDisposable {
  readonly origin: string
  /** Approves a code by its page, as its person does in a browser. */
  approve(userCode: string): Promise<void>
  /** Caps what everyone may spend in a month. */
  capAt(cents: number): Promise<void>
}

const ADMIN_KEY = 'an-admin-key-of-the-reference-gateway'
const OUTPUT_TAIL_CHARACTERS = 2_000

export async function startReferenceGateway(about: {
  readonly packages: string
  readonly upstreamUrl: string
  /** What it serves everyone at `/managed/settings`. */
  readonly settings: object
}): Promise<ReferenceGateway> {
  const parts = new AsyncDisposableStack()
  const database = parts.adopt(await testPostgres(), (one) => one.drop())
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const callback = `${origin}/oauth/callback`
  const provider = parts.adopt(await startOidcServer(callback, { givesRefreshTokens: true }), (one) => one.close())
  const folder = await temporaryDirectory()
  const file = join(folder, 'gateway.json')
  await writeFile(file, JSON.stringify(configuration({ ...about, databaseUrl: database.url, port, provider })))
  const child = spawn(join(about.packages, '.bin', 'claude'), ['gateway', '--config', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // It refuses upstreams and providers on the machine itself otherwise.
    env: { HOME: folder, PATH: '/usr/bin:/bin', CLAUDE_GATEWAY_ALLOW_LOOPBACK: '1' },
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  parts.defer(async () => {
    process.off('exit', kill)
    kill()
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream
      .setEncoding('utf8')
      .on('data', (text: string) => void (printed = (printed + text).slice(-OUTPUT_TAIL_CHARACTERS)))
  }
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`claude gateway does not start:\n${printed}`)), PATIENCE_MS)
    child.stdout.on('data', () => printed.includes('listening on') && resolve())
    child.stderr.on('data', () => printed.includes('listening on') && resolve())
    child.once('close', () => reject(new Error(`claude gateway ended at its start:\n${printed}`)))
    void late.unref()
  })
  return {
    origin,
    approve: (userCode) => approve(userCode, { origin, provider }),
    async capAt(cents) {
      const body = JSON.stringify({ scope: { type: 'organization' }, amount: String(cents), period: 'monthly' })
      const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' }
      const answer = await fetch(`${origin}/v1/organizations/spend_limits`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`the cap is refused with ${answer.status}: ${await answer.text()}`)
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function configuration(of: {
  readonly upstreamUrl: string
  readonly settings: object
  readonly databaseUrl: string
  readonly port: number
  readonly provider: OidcServer
}): object {
  const { issuer, clientId, clientSecret } = of.provider
  return {
    listen: { host: '127.0.0.1', port: of.port },
    upstreams: [
      { provider: 'anthropic', base_url: of.upstreamUrl, auth: { api_key: 'upstream-credential-for-tests' } },
    ],
    session: { jwt_secret: 'a secret that is only for tests, 32 bytes and more' },
    store: { postgres_url: of.databaseUrl },
    oidc: { issuer, client_id: clientId, client_secret: clientSecret, scopes: ['openid', 'email', 'profile'] },
    login_notice: 'Approve it only where the browser shows this very code.',
    managed: { policies: [{ match: {}, cli: of.settings }] },
    admin: { write_keys: [{ id: 'tests', key: ADMIN_KEY }] },
  }
}

async function approve(
  userCode: string,
  { origin, provider }: { readonly origin: string; readonly provider: OidcServer },
): Promise<void> {
  const sent = await fetch(`${origin}/device`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ user_code: userCode }),
  })
  const cookie = sent.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const back = await provider.visit(sent.headers.get('location') ?? '')
  const answer = await fetch(back, { headers: { cookie } })
  if (!answer.ok) throw new Error(`the code is not approved: ${answer.status}`)
}
