import { upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import type { Upstream } from '../../routing/catalog.ts'

/** The base URL with its version, where the protocol has one and people leave it out. */
export function baseUrlOf({ protocol, baseUrl }: Pick<Upstream, 'protocol' | 'baseUrl'>): string {
  const { version } = upstreamProtocolFacts(protocol)
  return version === null || version.ending.test(baseUrl) ? baseUrl : baseUrl + version.path
}

/** Where each provider wants its credential. */
export function credentialHeaders(
  { protocol }: Pick<Upstream, 'protocol'>,
  secret: string,
): Readonly<Record<string, string>> {
  const { header, prefix } = upstreamProtocolFacts(protocol).credential
  return { [header]: prefix + secret }
}
