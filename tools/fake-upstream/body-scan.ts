/** Reads the three facts that `fake/fixed` needs from a body without parsing it: JSON.parse of 200 KB costs a millisecond. */

/** The head of a call. */
export interface BodyHead {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
}

const QUOTE = 0x22
const OPENS = new Set([0x7b, 0x5b])
const CLOSES = new Set([0x7d, 0x5d])

/**
 * Walks the body's brackets and jumps over its strings, so the same words inside texts, tool arguments or metadata
 * don't count. Null when the shape is not what it expects (escapes in the model's name among them); parse the body then.
 */
export function scanBody(body: Buffer): BodyHead | null {
  // One byte per character keeps positions equal to bytes, and the search for quotes on machine code.
  const text = body.toString('latin1')
  const found = { model: '', stream: false, includeUsage: false }
  let depth = 0
  let field = ''
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (OPENS.has(code)) depth++
    else if (CLOSES.has(code)) depth--
    if (code !== QUOTE) continue
    const end = endOfString(text, at)
    if (end === -1) return null
    if (depth <= 2) field = readField(text, { from: at + 1, to: end, depth, field }, found)
    at = end
  }
  // Beyond ASCII the bytes would have to be decoded first.
  const plain = found.model !== '' && /^[ -~]+$/.test(found.model) && !found.model.includes('\\')
  return plain && depth === 0 ? found : null
}

/** Position of the quote that ends the string which begins at `start`; -1 when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

interface Place {
  readonly from: number
  readonly to: number
  readonly depth: number
  /** The field of the outermost object that the walk is in. */
  readonly field: string
}

/** Notes the value when the string is a name that matters. Returns the outermost field that the walk is in from here. */
function readField(
  text: string,
  place: Place,
  found: { model: string; stream: boolean; includeUsage: boolean },
): string {
  const colon = skipBlanks(text, place.to + 1)
  if (text[colon] !== ':') return place.field
  const name = text.slice(place.from, place.to)
  const value = skipBlanks(text, colon + 1)
  if (place.depth === 2) {
    if (place.field === 'stream_options' && name === 'include_usage')
      found.includeUsage = text.startsWith('true', value)
    return place.field
  }
  if (name === 'stream') found.stream = text.startsWith('true', value)
  if (name === 'model') found.model = text[value] === '"' ? text.slice(value + 1, endOfString(text, value)) : ''
  return name
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}
