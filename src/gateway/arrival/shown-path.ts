/** A path, or a method, as a message may name it: keys end up in paths by mistake, and answers in logs. */
export function shownPath(path: string): string {
  const shown = path.slice(0, 400).replaceAll(/[\w-]{20,}/g, (word) => (LOOKS_SECRET.test(word) ? '…' : word))
  return shown.length <= 100 ? shown : shown.slice(0, 100) + '…'
}

/** A key of some vendor, or as random as one: letters of both cases, or digits among letters. */
const LOOKS_SECRET = /^(?:sk|tg|pk|rk|xai|gsk|AIza)[-_A-Z]|\d[a-zA-Z_-]*\d|[a-z]\d*[A-Z]/
