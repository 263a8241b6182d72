/** A list of models has some 20,000 values on five levels; what is much larger is not worth the time and memory of a parse. */
const MOST_VALUES = 200_000
const MOST_LEVELS = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** The JSON of a body from outside; undefined where it is not JSON, or larger than anything that is expected here. */
export function boundedJson(body: Buffer): unknown {
  if (!isWithinBounds(body)) return undefined
  try {
    return JSON.parse(body.toString().replace(/^\uFEFF/, '')) as unknown
  } catch {
    return undefined
  }
}

function isWithinBounds(body: Buffer): boolean {
  let values = 0
  let level = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at)
    else if (byte === COMMA) values += 1
    else if (OPENERS.has(byte)) {
      values += 1
      level += 1
      if (level > MOST_LEVELS) return false
    } else if (CLOSERS.has(byte)) level -= 1
    if (values > MOST_VALUES) return false
  }
  return true
}

/** The place of its closing quote, or the end of the body. */
function endOfString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === BACKSLASH) at += 1
    else if (body[at] === QUOTE) return at
  }
  return body.length
}
