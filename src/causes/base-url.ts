import { WIRE_NAMES, wireFacts } from '../core/wire.ts'
import { servedBeside, servedByGoogle } from './unserved-parts.ts'

/** What an address is that was entered as a base URL, or called by a client. */
export type AddressJudgement =
  /** A base URL that works: for the clients whose own path fits, as `/v1` does for OpenAI's. */
  | { readonly kind: 'right'; readonly origin: string; readonly basePath: '' | '/v1' }
  /** A URL with the path of an endpoint; `enter` is the base URL that was meant. */
  | { readonly kind: 'endpoint'; readonly origin: string; readonly enter: string }
  /** A URL with the path of a part of a provider's API that is not served; `served` is what is of that API. */
  | { readonly kind: 'unserved'; readonly origin: string; readonly path: string; readonly served: readonly string[] }
  /** A URL with a path that means nothing. */
  | { readonly kind: 'path'; readonly origin: string; readonly path: string }
  /** A URL with a user name, query or fragment. */
  | { readonly kind: 'extras'; readonly origin: string }
  | { readonly kind: 'unreadable' }

/**
 * Reads an address as it was entered. Nothing is looked up: another gateway's address is judged alike. `site`: the path that
 * a reverse proxy serves the gateway under; below it, it is a part of the `origin` in the judgement.
 */
export function judgeAddress(text: string, site = ''): AddressJudgement {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'unreadable' }
  const whole = url.pathname.replace(/\/+$/, '').replaceAll(/\/{2,}/g, '/')
  const isBelow = `${whole}/`.startsWith(`${site}/`)
  const origin = isBelow ? url.origin + site : url.origin
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { kind: 'extras', origin }
  const path = isBelow ? whole.slice(site.length) : whole
  if (path === '' || path === '/v1') {
    return url.search === '' ? { kind: 'right', origin, basePath: path } : { kind: 'extras', origin }
  }
  const ofGoogle = /^(?:\/upload)?\/v1(?:beta|alpha)(?=\/)/.exec(path)
  const served = ofGoogle === null ? null : servedByGoogle(path.slice(ofGoogle[0].length))
  if (served !== null) return { kind: 'unserved', origin, path, served }
  if (GEMINI.test(path)) return { kind: 'endpoint', origin, enter: origin }
  const straight = path.replace(/^\/(?:anthropic|openai)(?=\/|$)/, '').replace(/^(?:\/v1)*(?=\/|$)/, '/v1')
  // A base URL of another vendor's form, or one that has a part twice, is answered; clients should be given the plain one.
  if (straight === '/v1')
    return { kind: 'endpoint', origin, enter: path.startsWith('/anthropic') ? origin : `${origin}/v1` }
  const endpoint = ENDPOINTS.find((known) => straight === known || straight.startsWith(`${known}/`))
  if (endpoint === undefined) return withoutEndpoint(origin, { path, straight })
  return { kind: 'endpoint', origin, enter: endpoint.startsWith('/v1/messages') ? origin : `${origin}/v1` }
}

function withoutEndpoint(
  origin: string,
  { path, straight }: { readonly path: string; readonly straight: string },
): AddressJudgement {
  const served = servedBeside(straight)
  return served === null ? { kind: 'path', origin, path } : { kind: 'unserved', origin, path, served }
}

/** Whether an address may be this gateway by another name: inside a container, on this machine or in a private network. */
export function mayBeAnotherName(origin: string): boolean {
  const host = URL.parse(origin)?.hostname ?? ''
  return !host.includes('.') || PRIVATE_HOST.test(host)
}

const PRIVATE_HOST =
  /^(?:127|10)\.[\d.]+$|^192\.168\.[\d.]+$|^172\.(?:1[6-9]|2\d|3[01])\.[\d.]+$|^169\.254\.[\d.]+$|\.(?:local|lan|internal|home|corp|intranet|test|localhost)$/

/** The names of this machine are one. */
export function withOneLocalName(text: string): string {
  return text.replace(/\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=:|\/|"|$)/, '//localhost')
}

const GEMINI = /^(?:\/gemini)?\/v1(?:beta|alpha)?(?:$|\/models\b.*:)|^\/v1(?:beta|alpha)(?:\/|$)/

/** Paths of the gateway, the longer before the shorter. */
const ENDPOINTS = WIRE_NAMES.flatMap((wire) => {
  const { paths, ownPaths = {}, countPaths = {} } = wireFacts(wire)
  return Object.keys({ ...paths, ...ownPaths, ...countPaths })
})
  .concat('/v1/models', '/v1/usage')
  .sort((a, b) => b.length - a.length)
