import { isIP } from 'node:net'

/**
 * Reads one address or CIDR range, IPv4 or IPv6, and writes it as `address/prefix` (`10.0.0.0/8`, `::1/128`).
 * null when it is neither.
 */
export function readAddressRange(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return null
  const longest = version === 4 ? 32 : 128
  if (prefix === undefined) return `${address}/${longest}`
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest) return null
  return `${address}/${Number(prefix)}`
}
