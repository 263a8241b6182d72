/** Who wants to hear what stands in a text of JSON, in its order. */
export interface JsonListener {
  open(isList: boolean): void
  close(): void
  /** The name of a field, decoded. */
  name(text: string): void
  /** A string that is not a name, decoded. */
  string(text: string): void
  /** A number, a literal, or what stands in their place. */
  bare(text: string): void
}

/**
 * Walks over JSON without building it: fields that stand twice are both heard of, as upstreams differ in which one they take, and
 * no number of values and no depth ends the walk. What is not JSON is heard of as well, and never thrown.
 */
export function walkJson(text: string, listener: JsonListener): void {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = closingQuote(text, at + 1)
      const said = decoded(text.slice(at + 1, end))
      at = end + 1
      if (isName(text, at)) listener.name(said)
      else listener.string(said)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) listener.open(code === OPEN_BRACKET)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) listener.close()
    else if (!isBetween(code)) {
      const end = endOfBare(text, at + 1)
      listener.bare(text.slice(at, end))
      at = end
      continue
    }
    at++
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BYTE_ORDER_MARK = 0xfeff

function isBetween(code: number): boolean {
  return code <= SPACE || code === COMMA || code === COLON || code === BYTE_ORDER_MARK
}

function endOfBare(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBetween(code) || code === QUOTE) break
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET || code === OPEN_BRACE || code === OPEN_BRACKET) break
  }
  return at
}

/** Where the string ends that begins at `from`; the end of the text where it is never closed. */
function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end > from && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, from, end)) {
    end = text.indexOf('"', end + 1)
  }
  return end < 0 ? text.length : end
}

function isEscaped(text: string, from: number, at: number): boolean {
  let first = at
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

function isName(text: string, from: number): boolean {
  let at = from
  while (text.charCodeAt(at) <= SPACE) at++
  return text.charCodeAt(at) === COLON
}

function decoded(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    // Written as no parser would take it: it counts as it stands there.
    return raw
  }
}
