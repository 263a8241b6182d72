import type { SignInOptions } from '../../../contract/sign-in.ts'
import { Problem } from '../../problem.ts'

type Reason = SignInOptions['passkeys']['unavailable_because']

/**
 * Browsers offer passkeys only in secure contexts (https, or this very machine) and only for domains: an IP address cannot
 * be a relying party (Web Authentication Level 2, 5.1.3 and "effective domain"). null: they can be used at this origin.
 */
export function whyNoPasskeys(origin: string): Reason {
  const { protocol, hostname } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = /^(\d{1,3}\.){3}\d{1,3}$/.test(hostname) || hostname.startsWith('[')
  if (protocol === 'https:' || isLocal) return isAddress ? 'ip_address' : null
  return isLoopback(hostname) ? 'ip_address' : 'insecure_context'
}

/** Throws Problem where browsers do not offer passkeys. */
export function requirePasskeys(origin: string): void {
  const reason = whyNoPasskeys(origin)
  if (reason !== null) throw new Problem('passkeys_impossible', REASONS[reason])
}

const REASONS: Readonly<Record<NonNullable<Reason>, string>> = {
  insecure_context: 'Browsers offer passkeys only over https, and this address is http: serve the console over https.',
  ip_address: 'Passkeys belong to a host name, and this is an IP address: open the console by its name.',
}

function isLoopback(hostname: string): boolean {
  return hostname.startsWith('127.') || hostname === '[::1]'
}
