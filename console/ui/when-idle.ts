/** How long after the page's own code was loaded what may be wanted later is fetched: it takes no line from the page. */
const REST_MS = 2_000
/** What never rests, as a page that moves all the time, does not keep the rest of the console from coming. */
const LATEST_MS = 1_000

/** Does something once the page has come to rest, except where the reader saves data. */
export function whenIdle(act: () => void): void {
  if (!hasSavedData()) atRest(act)
}

/** Does something once the page has come to rest. Where there is no page, as in tests without a browser, nothing is done. */
export function atRest(act: () => void): void {
  if (typeof document === 'undefined') return
  setTimeout(() => {
    // Safari has none.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: LATEST_MS })
    else act()
  }, REST_MS)
}

function hasSavedData(): boolean {
  const line: unknown = Reflect.get(navigator, 'connection')
  return typeof line === 'object' && line !== null && Reflect.get(line, 'saveData') === true
}
