/**
 * The path that a reverse proxy serves the gateway under, such as `/gateway`; empty for none. The console's own files know
 * it: they are fetched from below it.
 */
export const SITE_PATH = sitePathOf(import.meta.url)

/** The path of the site in the address of one of the console's files, as it is built or as it is while developing. */
export function sitePathOf(file: string): string {
  const { protocol, pathname } = new URL(file)
  if (!protocol.startsWith('http')) return ''
  return /^(.*)\/console\//.exec(pathname)?.[1] ?? ''
}

/** The address of a path of the gateway, such as `/api/keys` or `/docs`, for this browser. */
export function atSite(path: `/${string}`): string {
  return SITE_PATH + path
}

/** The address at which this browser reached the gateway: scheme://host, and the path that a reverse proxy serves it under. */
export function siteAddress(): string {
  return location.origin + SITE_PATH
}
