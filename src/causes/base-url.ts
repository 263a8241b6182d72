import { WIRE_NAMES, wireFacts } from '../core/wire.ts'

/** What an address is that was entered as a base URL, or called by a client. */
export type AddressJudgement =
  /** It works: for the clients whose own path fits, as `/v1` does for OpenAI's. */
  | { readonly kind: 'right'; readonly origin: string; readonly basePath: '' | '/v1' }
  /** It has the path of an endpoint; `enter` is the base URL that was meant. */
  | { readonly kind: 'endpoint'; readonly origin: string; readonly enter: string }
  /** It has a path that means nothing. */
  | { readonly kind: 'path'; readonly origin: string; readonly path: string }
  /** It has a user name, query or fragment. */
  | { readonly kind: 'extras'; readonly origin: string }
  | { readonly kind: 'unreadable' }

/** Reads an address as it was entered. Nothing is looked up: another gateway's address is judged alike. */
export function judgeAddress(text: string): AddressJudgement {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'unreadable' }
  const { origin } = url
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { kind: 'extras', origin }
  const path = url.pathname.replace(/\/+$/, '').replaceAll(/\/{2,}/g, '/')
  if (path === '' || path === '/v1') {
    return url.search === '' ? { kind: 'right', origin, basePath: path } : { kind: 'extras', origin }
  }
  if (GEMINI.test(path)) return { kind: 'endpoint', origin, enter: origin }
  const straight = path.replace(/^\/(?:anthropic|openai)(?=\/|$)/, '').replace(/^(?:\/v1)*(?=\/|$)/, '/v1')
  // A base URL of another vendor's form, or one that has a part twice, is answered; clients should be given the plain one.
  if (straight === '/v1')
    return { kind: 'endpoint', origin, enter: path.startsWith('/anthropic') ? origin : `${origin}/v1` }
  const endpoint = ENDPOINTS.find((known) => straight === known || straight.startsWith(`${known}/`))
  if (endpoint === undefined) return { kind: 'path', origin, path }
  return { kind: 'endpoint', origin, enter: endpoint.startsWith('/v1/messages') ? origin : `${origin}/v1` }
}

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
