import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A real OIDC provider on loopback, that signs in the person whom the test names. */
export interface OidcServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  person: { sub: string; email: string; email_verified: boolean; name: string }
  /** Goes where the browser was sent, signs in there, and answers where it is sent at last: our callback. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/** `givesRefreshTokens`: to its client, unasked, as providers do where an admin has said so. */
export async function startOidcServer(
  redirectUri: string,
  { givesRefreshTokens = false }: { readonly givesRefreshTokens?: boolean } = {},
): Promise<OidcServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['tollgate', 'a secret that the provider gave us']
  const place: OidcServer = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'person-1', email: 'ada@example.test', email_verified: true, name: 'Ada' },
    visit: (url) => visit(url, redirectUri),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', ...(givesRefreshTokens ? ['refresh_token'] : [])],
      },
    ],
    issueRefreshToken: async () => givesRefreshTokens,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of this test'] },
    jwks: undefined,
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ ...place.person, sub: id }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: place.person.sub } })
  })
  return place
}

async function visit(url: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = url
  for (let hops = 0; hops < 8; hops++) {
    if (next.startsWith(redirectUri)) return next
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider stopped with ${answer.status}: ${await answer.text()}`)
    next = new URL(location, next).href
  }
  throw new Error('the provider sent the browser around')
}
