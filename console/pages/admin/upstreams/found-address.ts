/** The protocols that upstreams elsewhere speak. */
export const PROTOCOLS = ['openai', 'openai-chat', 'anthropic', 'gemini'] as const

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
  return untakenName(name, taken)
}

/** The name itself, or with a number behind it where it is taken. */
export function untakenName(name: string, taken: readonly string[]): string {
  let suggested = name
  for (let number = 2; taken.includes(suggested); number += 1) suggested = `${name}-${number}`
  return suggested
}

/** The second to last parts of host names below which providers have their own. */
const SECOND_LEVELS: ReadonlySet<string> = new Set(['com', 'co', 'net', 'org', 'ac', 'gov', 'edu'])
