/**
 * Whether a write that acts with the cookie's rights comes from another site. Browsers say where it comes from in
 * `Sec-Fetch-Site` (on trustworthy origins) or in `Origin` (on every write, the Fetch standard); no page can set either.
 * A request with neither comes from a program that sends its own cookie, not from a browser. `origin`: scheme://host as the browser sees it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  // The browser's own statement, good also behind a reverse proxy that is not configured as trusted.
  if (site === 'same-origin') return false
  if (site !== null && site !== 'none') return true
  const named = headers.get('origin')
  return named !== null && named !== origin && URL.parse(named)?.host !== headers.get('host')
}
