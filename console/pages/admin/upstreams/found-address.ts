import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'

/** The protocols that upstreams elsewhere speak. */
export const PROTOCOLS = ['openai', 'openai-chat', 'anthropic', 'gemini'] as const

/** What was found out about an address with each of its credentials. */
export interface Found {
  readonly address: AddressForm
  readonly probe: UpstreamProbeView
  /** Whether each credential after the first was accepted, in their order. */
  readonly others: readonly boolean[]
}

/** What is typed of a new upstream, by the names that the API has. */
export interface AddressForm {
  readonly base_url: string
  /** The secrets, one a line. */
  readonly credential: string
  /** Empty: the address is reached without a proxy. */
  readonly proxy_url: string
  readonly name: string
}

/** The most credentials that are tried one after the other while an admin waits. */
export const MOST_SECRETS = 50

/** The secrets that were pasted, each once. */
export function secretsIn(lines: string): readonly string[] {
  return [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

/** Names for credentials that join a pool: the first of an empty one is `default`, and no name is there twice. */
export function newNames(pool: readonly { readonly name: string }[], count: number): readonly string[] {
  const taken = new Set(pool.map(({ name }) => name))
  const names: string[] = []
  for (let number = pool.length + 1; names.length < count; number += 1) {
    const name = number === 1 ? 'default' : `credential ${number}`
    if (!taken.has(name)) names.push(name)
  }
  return names
}

/** A name for an upstream at an address, by the provider's own part of the host name; none that is taken. */
export function suggestedName(baseUrl: string, taken: readonly string[]): string {
  const { hostname = '' } = URL.parse(baseUrl.trim()) ?? {}
  const labels = hostname.split('.')
  const isAddress = /^[\d.]+$|:/.test(hostname) || labels.length < 2
  const name = (isAddress ? '' : labels.at(SECOND_LEVELS.has(labels.at(-2) ?? '') ? -3 : -2)) || 'upstream'
  let suggested = name
  for (let number = 2; taken.includes(suggested); number += 1) suggested = `${name}-${number}`
  return suggested
}

/** The second to last parts of host names below which providers have their own. */
const SECOND_LEVELS: ReadonlySet<string> = new Set(['com', 'co', 'net', 'org', 'ac', 'gov', 'edu'])
