import { CommandFailure, UsageError } from './cli-host.ts'

export interface GatewayUrl {
  readonly origin: string
  /** `/v1` or nothing: the two forms that clients want. */
  readonly basePath: '' | '/v1'
}

/** Reads the base URL as it was entered. Throws CommandFailure with the one that was meant when it has a path too much. */
export function readGatewayUrl(text: string): GatewayUrl {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const withScheme = URL.parse(`http://${text}`)
    const hint = withScheme === null || text.includes('://') ? '' : ` such as http://${text}`
    throw new UsageError(`--base-url is ${JSON.stringify(text)}, but it takes an http or https URL${hint}.`)
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new CommandFailure(`A base URL has no user name, query or fragment: ${enter(url.origin)}`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path !== '' && path !== '/v1') {
    throw new CommandFailure(
      `base_url_wrong: ${url.origin}${path} is not a base URL of a Tollgate: ${enter(url.origin)}`,
    )
  }
  return { origin: url.origin, basePath: path }
}

function enter(origin: string): string {
  return `enter ${origin}/v1 (OpenAI clients) or ${origin} (Anthropic and Gemini clients).`
}

/** What to do when no answer came at all. */
export function connectionAdvice(error: unknown, origin: string): string {
  const code = codeOf(error)
  const advice = Object.entries(ADVICE).find(([pattern]) => new RegExp(pattern).test(code))?.[1]
  return `No answer from ${origin} (${code}): ${advice ?? 'check the address, the network, and that the gateway runs.'}`
}

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start the gateway, and check host and port.',
  'ENOTFOUND|EAI_AGAIN': 'this host name does not exist: correct it.',
  'ETIMEDOUT|TimeoutError|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH':
    'the address cannot be reached from here: check the network and any firewall.',
  'ERR_SSL|EPROTO': 'that port speaks no TLS: use http:// instead of https://, or the port of what terminates TLS.',
  'CERT|SELF_SIGNED|UNABLE_TO':
    'its certificate is not trusted here: fix the certificate, or name its authority in NODE_EXTRA_CA_CERTS.',
  'ECONNRESET|UND_ERR_SOCKET|HPE_': 'it closed the connection: what listens there speaks no HTTP, or wants https://.',
}

/** `fetch` hides what happened in the cause of its error, sometimes several deep. */
function codeOf(error: unknown): string {
  let inner = error
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code
    if (inner.cause === undefined) return inner.name
    inner = inner.cause
  }
  return 'unknown reason'
}
