import { explainedFault } from '../../causes/explained-fault.ts'
import { servedBeside, servedByGoogle } from '../../causes/unserved-parts.ts'
import type { Fault } from '../../core/faults.ts'

/**
 * Says that a path belongs to a part of a provider's API that no route here serves: files, batches, assistants and the like.
 * The base URL is right then, and saying otherwise sends people looking for a mistake that is not there. Null: the path
 * belongs to none. `straight` is the path with one `/v1`.
 */
export function explainUnserved(asked: UnservedPath & { straight: string }): Fault | null {
  const served = servedBeside(asked.straight)
  return served === null ? null : unserved(asked, served)
}

/** Explains a path of Google's API that is not served; `below` is the path after its version. */
export function explainUnservedOfGoogle(asked: UnservedPath & { below: string }): Fault | null {
  const served = servedByGoogle(asked.below)
  return served === null ? null : unserved(asked, served)
}

interface UnservedPath {
  readonly method: string
  readonly path: string
}

function unserved({ method, path }: UnservedPath, served: readonly string[]): Fault {
  const facts = { path: shownPath(path), method: shownPath(method), served: served.join(' and ') }
  return explainedFault('path_unknown', facts)
}

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
