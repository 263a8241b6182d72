/**
 * Whether a write that acts with the cookie's rights comes from another site. Browsers say where it comes from in
 * `Sec-Fetch-Site` (on trustworthy origins) or in `Origin` (on every write, the Fetch standard); no page can set either.
 * What names neither is no browser's: a program that shows its own cookie. `origin`: scheme://host as the browser sees it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  // The browser's own word, good also behind a reverse proxy that we were not told of.
  if (site === 'same-origin') return false
  if (site !== null && site !== 'none') return true
  const named = headers.get('origin')
  return named !== null && named !== origin && URL.parse(named)?.host !== headers.get('host')
}

const CHANGES_NOTHING = ['GET', 'HEAD', 'OPTIONS']

/** The same of a whole request: those that change nothing may come from anywhere. */
export function refusesCrossSite(request: Request, origin: string): boolean {
  return !CHANGES_NOTHING.includes(request.method) && isCrossSite(request.headers, origin)
}
