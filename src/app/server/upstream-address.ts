import { credentialPlace } from '../../core/upstream-dialect.ts'
import type { Upstream } from '../../routing/catalog.ts'

/** Where each provider wants its credential. */
export function credentialHeaders(
  { protocol, passage }: Pick<Upstream, 'protocol' | 'passage'>,
  secret: string,
): Readonly<Record<string, string>> {
  const { header, prefix } = credentialPlace(protocol, passage?.dialect ?? null)
  return { [header]: prefix + secret }
}

/** Shorter values of headers are words, not secrets. */
const SHORTEST_SECRET = 6

/** Returns those that must not be repeated from an upstream's words; longest first, so that no part of one is left over. */
export function hiddenOf(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length)
}

/** What would name a proxy, or give away its password. */
export function secretsOfProxy(proxyUrl: string): readonly string[] {
  const { href, host, hostname, username, password } = new URL(proxyUrl)
  return [href, host, hostname, username, password, decodeURIComponent(password)]
}
