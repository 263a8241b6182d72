/** A path, or a method, as a message may name it: keys end up in paths by mistake, and answers in logs. */
export function shownPath(path: string): string {
  const shown = path.slice(0, 400).replaceAll(/[\w-]{20,}/g, (word) => (isShown(word) ? word : '…'))
  return shown.length <= 100 ? shown : shown.slice(0, 100) + '…'
}

function isShown(word: string): boolean {
  return !LOOKS_SECRET.test(word) || LONG_METHODS.has(word)
}

/** Names of Google's methods that are as long as keys, with letters of both cases. */
const LONG_METHODS: ReadonlySet<string> = new Set([
  'asyncBatchEmbedContent',
  'batchGenerateContent',
  'streamGenerateContent',
  'uploadToFileSearchStore',
])

/** A key of some vendor, or as random as one: letters of both cases, or digits among letters. */
const LOOKS_SECRET = /^(?:sk|tg|pk|rk|xai|gsk|AIza)[-_A-Z]|\d[a-zA-Z_-]*\d|[a-z]\d*[A-Z]/
