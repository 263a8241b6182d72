import { readProxyUrl } from '../routing/upstream-settings.ts'

/** What is said of an upstream whose proxy cannot be used: without it, its provider would see another address. */
export const UNKNOWN_PROXY = 'name a proxy that cannot be used here: their credentials are disabled'

/** A proxy as the source names it; null: none that can be used here. Names are looked up by the proxy in any case. */
export function readSourceProxy(text: string): string | null {
  const url = text.trim().replace(/^socks5h:/i, 'socks5:')
  return readProxyUrl(url) === null ? null : url
}
