/** The longest path that the gateway is served under. */
const LONGEST = 255

/**
 * The path that a reverse proxy serves the gateway under, such as `/gateway`: without a slash at its end, and empty for none. What
 * is not plain names with slashes before them is taken for none, since it comes back in addresses and redirects.
 */
export function sitePath(given: string): string {
  let end = given.length
  while (given[end - 1] === '/') end -= 1
  const path = given.slice(0, end)
  return path.length <= LONGEST && PLAIN_PATH.test(path) ? path : ''
}

/** Names of letters, digits and a few signs, none of dots alone. */
const PLAIN_PATH = /^(?:\/(?!\.+(?:\/|$))[A-Za-z0-9._~-]+)+$/

/** The path of an address of the gateway: what `sitePath` reads of it. */
export function sitePathOf(address: string): string {
  return sitePath(URL.parse(address)?.pathname ?? '')
}

/** scheme://host of an address of the gateway, as browsers name the origin of a page. */
export function bareOrigin(address: string): string {
  return new URL(address).origin
}

/**
 * The relative reference that leads from a path of the gateway to its root, such as `../` from `/docs/metrics`: it holds
 * whatever path a reverse proxy serves the gateway under.
 */
export function upToRoot(path: string): string {
  return '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'
}
