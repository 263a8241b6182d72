import { z } from 'zod'
import type { UpstreamProtocol } from '../../routing/catalog.ts'
import { field } from '../fields.ts'

/** Where an upstream answers: an http(s) URL, kept without its trailing slash. */
export function baseUrl() {
  return field(
    'an http or https URL without user name, query or fragment, such as https://api.example.com/v1',
    (value) => {
      const url = typeof value === 'string' ? URL.parse(value) : null
      if (url === null || !/^https?:$/.test(url.protocol)) return undefined
      const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
      return isBare && !/[?#]/.test(String(value)) ? url.origin + url.pathname.replace(/\/+$/, '') : undefined
    },
  )
}

/** What has to change about a base URL for this protocol, or null. */
export function objectionToBaseUrl(protocol: UpstreamProtocol, url: string | null): string | null {
  if (url === null) {
    return protocol === 'demo' ? null : 'the URL of the upstream, such as https://api.example.com/v1'
  }
  if (protocol === 'demo') return 'no URL: the demo upstream is built in'
  const endpoint = /\/(?:chat\/completions|completions|responses|messages|embeddings)$/.exec(url)
  return endpoint === null ? null : `the base URL alone: leave ${endpoint[0]} out, the gateway appends it`
}

/** A credential is sent in a header, so it has to fit into one. */
export function credential() {
  return field('a credential of printable ASCII characters, without line breaks', (value) =>
    typeof value === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) ? value : undefined,
  )
}

/** Headers sent to the upstream with every request; names in lower case. */
export function headers() {
  const value = field('a header value of printable ASCII characters', (given) =>
    typeof given === 'string' && /^[\x20-\x7e]{0,4096}$/.test(given) ? given : undefined,
  )
  return z.record(z.string(), value, 'a map of header names and values').transform((given, context) => {
    const kept: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [name, text] of Object.entries(given)) {
      const lower = name.toLowerCase()
      const message = lower in kept ? 'each name once' : objectionToHeader(lower)
      if (message === null) kept[lower] = text
      else context.addIssue({ code: 'custom', path: [name], message, input: name, params: { isAboutName: true } })
    }
    return { ...kept }
  })
}

function objectionToHeader(name: string): string | null {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return 'header names of letters, digits and "-"'
  if (CREDENTIAL_HEADERS.includes(name)) return 'no credential: that belongs into the field credential'
  return CONNECTION_HEADERS.includes(name) ? 'no header that concerns the connection: the gateway sets those' : null
}

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'proxy-authorization', 'cookie']
const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
