import { JsonFlaw } from './json/json-bytes.ts'
import { scanObject } from './json/json-scan.ts'
import { shortTextAt } from './json/json-value.ts'
import type { JsonWalk } from './json/json-walk.ts'
import { decoded, withoutCase } from './reading/outside-names.ts'

/** Every name by which tools are offered, chosen, called or answered begins so, on all wires. */
const BEGINNINGS = ['tool', 'function', 'web_search', 'mcp_'] as const
const WRITTEN = BEGINNINGS.map((beginning) => Buffer.from(`"${beginning}`))
/** The fields whose values are such names as well. */
const OF_KINDS = new Set(['type', 'role'])

/**
 * Whether a request has anything to do with tools, by its names and kinds as its upstream reads them: decoded, and in any case of their
 * letters. May say yes of one that only speaks of them, and says so of one that is large. To be asked rarely: it walks over the body.
 */
export function namesTools(body: Buffer): boolean {
  if (body.length > LOOKED_AT_BYTES || WRITTEN.some((beginning) => body.includes(beginning))) return true
  let isNamed = false
  const onName = (walk: JsonWalk, start: number, end: number): void => {
    if (isNamed || !mayMatter(walk.bytes[start + 1] ?? 0)) return
    const name = withoutCase(decoded(walk.bytes.toString('utf8', start + 1, end - 1)))
    isNamed = beginsSo(name)
    if (!isNamed && OF_KINDS.has(name))
      isNamed = beginsSo(withoutCase(shortTextAt(walk.bytes, walk.valueBehind(end)) ?? ''))
  }
  try {
    scanObject(body, { wanted: NONE, onName })
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return true
    throw flaw
  }
  return isNamed
}

const NONE: ReadonlySet<string> = new Set()
const LOOKED_AT_BYTES = 512 * 1024

/** The first byte of a name: a letter that one of them begins with, an escape, or no ASCII. */
function mayMatter(first: number): boolean {
  return first === BACKSLASH || first > 0x7f || FIRST_LETTERS.has(first | SMALL)
}

const BACKSLASH = 0x5c
/** Sets the bit by which capitals differ from small letters. */
const SMALL = 0x20
const FIRST_LETTERS = new Set([...BEGINNINGS, ...OF_KINDS].map((name) => name.charCodeAt(0)))

function beginsSo(name: string): boolean {
  return BEGINNINGS.some((beginning) => name.startsWith(beginning))
}
