/** Far more than lists of models and of prices have. */
const DEPTH_LIMIT = 64
/** What is in them: a list of 4 MB has so many when it has little else. */
const VALUES_LIMIT = 500_000

/**
 * Parses JSON that another server sent, on the thread that serves requests: brackets within brackets take a hundred times the memory
 * of their bytes. Throws SyntaxError, also for what is nested more deeply than any such document, or has more values.
 */
export function parseShallow(bytes: Buffer): unknown {
  refuseDepth(bytes)
  return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
}

function refuseDepth(bytes: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > DEPTH_LIMIT) throw new SyntaxError(`It is nested more than ${DEPTH_LIMIT} levels deep.`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    else if (byte === COMMA && ++values > VALUES_LIMIT)
      throw new SyntaxError(`It has more than ${VALUES_LIMIT} values.`)
  }
}

/** The offset of the quote that closes the string; the end of the bytes where none does. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return bytes.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
