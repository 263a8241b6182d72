import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { instanceMetadata, POD_TOKEN, podIdentity, sts } from './tokens/aws-tokens.ts'
import { azureMetadata, entra } from './tokens/entra-tokens.ts'
import { googleMetadata, googleSts, googleToken, iamCredentials } from './tokens/google-tokens.ts'
import { anthropicTokens, openaiTokens } from './tokens/provider-tokens.ts'
import { TokenBook, type TokenAsk, type TokenReply, type TokenService } from './tokens/token-book.ts'

export interface FakeTokenServices {
  readonly origin: string
  /** What was issued; its clock and the life of tokens can be set. */
  readonly book: TokenBook
  /** What all services answer from now on; null: as they judge. `hangs`: nothing. */
  failure: TokenFailure | null
  /** How many requests came, whatever became of them. */
  readonly asked: number
  /** Reaches the services by the URLs that they have in the world. */
  readonly fetch: typeof fetch
  /** The variables by which the libraries of the clouds find what has no URL of its own. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

type TokenFailure = TokenReply | 'hangs' | ((ask: TokenAsk) => TokenReply | 'hangs')

export interface FakeTokenServicesOptions {
  /** The certificate of an application of Entra, in PEM. */
  readonly certificate?: string
}

/**
 * The services that issue tokens for clouds: STS, the metadata of instances and pods, Google’s token endpoints, Entra, and the
 * exchanges of OpenAI and Anthropic. Each judges assertions, signatures and headers as the service does.
 */
export async function startFakeTokenServices({
  certificate,
}: FakeTokenServicesOptions = {}): Promise<FakeTokenServices> {
  // A test may put this one in its place.
  const plainFetch = globalThis.fetch
  const book = new TokenBook()
  const services = servicesWith(certificate ?? null)
  const state: { failure: TokenFailure | null; asked: number } = { failure: null, asked: 0 }
  const server = createServer((request, response) => {
    state.asked += 1
    void answer(request, response, (ask) => judged({ ...ask, book }, services, state.failure)).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    judge: (ask: Omit<TokenAsk, 'book'>) => TokenReply | 'hangs',
  ): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const said = judge(askOf(request, Buffer.concat(chunks)))
    if (said === 'hangs') return
    const type = said.type === undefined ? {} : { 'content-type': said.type }
    response.writeHead(said.status, { ...type, date: new Date(book.now()).toUTCString() }).end(said.body)
  }

  return {
    origin,
    book,
    get failure() {
      return state.failure
    },
    set failure(failure) {
      state.failure = failure
    },
    get asked() {
      return state.asked
    },
    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : input.toString()
      return plainFetch(inside(url, origin), init)
    },
    environment: {
      AWS_ENDPOINT_URL_STS: `${origin}/sts`,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: origin,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/pod/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: POD_TOKEN,
      AZURE_POD_IDENTITY_AUTHORITY_HOST: origin,
      GCE_METADATA_HOST: `127.0.0.1:${port}`,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A service behind the name of its host is reached below that name here. */
function inside(url: string, origin: string): string {
  const { host, protocol, pathname, search } = new URL(url)
  return protocol === 'https:' ? `${origin}/${host}${pathname}${search}` : url
}

function servicesWith(certificate: string | null): readonly (readonly [prefix: string, TokenService])[] {
  return [
    ['/sts', sts],
    ['/pod', podIdentity],
    ['/oauth2.googleapis.com', googleToken],
    ['/sts.googleapis.com', googleSts],
    ['/iamcredentials.googleapis.com', iamCredentials],
    ['/login.microsoftonline.com', entra(certificate)],
    ['/auth.openai.com', openaiTokens],
    ['/api.anthropic.com', anthropicTokens],
    ['', (ask) => machineService(ask)],
  ]
}

/** What machines of the clouds find at an address of their own. */
function machineService(ask: TokenAsk): TokenReply {
  if (ask.path.startsWith('/latest/')) return instanceMetadata(ask)
  if (ask.path.startsWith('/computeMetadata/')) return googleMetadata(ask)
  // The library of Microsoft asks with a slash behind it.
  if (/^\/metadata\/identity\/oauth2\/token\/?$/.test(ask.path)) return azureMetadata(ask)
  return { status: 404, body: '' }
}

function judged(
  ask: TokenAsk,
  services: ReturnType<typeof servicesWith>,
  failure: TokenFailure | null,
): TokenReply | 'hangs' {
  ask.book.sawProof(ask)
  if (failure !== null) return typeof failure === 'function' ? failure(ask) : failure
  const [prefix, service] = services.find(([name]) => ask.path === name || ask.path.startsWith(`${name}/`)) ?? [
    '',
    machineService,
  ]
  return service({ ...ask, path: ask.path.slice(prefix.length) })
}

function askOf(request: IncomingMessage, body: Buffer): Omit<TokenAsk, 'book'> {
  const { host = '' } = request.headers
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake')
  const isJson = /json/.test(request.headers['content-type'] ?? '')
  return {
    request: { method: request.method ?? 'GET', target: request.url ?? '/', headers: request.headers, body },
    // Where a connection to a service's own host leads here, its name is in the head.
    path: /^[a-z0-9]+\.[a-z.]+$/.test(host) ? `/${host}${pathname}` : pathname,
    query: searchParams,
    form: new URLSearchParams(isJson ? '' : body.toString()),
    json: isJson ? (JSON.parse(body.toString()) as Record<string, unknown>) : {},
  }
}
