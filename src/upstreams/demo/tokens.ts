/**
 * The simulator's tokens, by a rule that can be applied by hand: a token is up to six ASCII letters or digits in a
 * row, or up to four bytes (UTF-8) of other characters, at least one; a single blank before it belongs to it. Blanks that
 * stand together are a token of their own, up to sixteen at a time. A blank is any character up to U+0020. English comes
 * to about four bytes a token, as with real models; there are never more tokens than bytes; and cutting a text between
 * two tokens changes no count.
 */
export function countTokens(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at = endOfToken(text, at)) count++
  return count
}

/** The longest beginning of the text that has at most `limit` tokens. */
export function cutToTokens(text: string, limit: number): string {
  let end = 0
  for (let count = 0; count < limit && end < text.length; count++) end = endOfToken(text, end)
  return text.slice(0, end)
}

/** The text in the portions that a stream sends: a word with the blank before it. Long words come in several. */
export function* wordsOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = endOfToken(text, start)
    while (end < text.length && end - start < WORD_LENGTH && !isBlank(text, end)) end = endOfToken(text, end)
    yield text.slice(start, end)
    start = end
  }
}

/** A word is sent on at this length: text without blanks, such as JSON or Chinese, has to stream too. */
const WORD_LENGTH = 12
const LETTERS_PER_TOKEN = 6
const BYTES_PER_TOKEN = 4
const BLANKS_PER_TOKEN = 16

function endOfToken(text: string, start: number): number {
  const isFirstBlank = isBlank(text, start)
  if (isFirstBlank && (start + 1 === text.length || isBlank(text, start + 1))) return endOfBlanks(text, start)
  const from = isFirstBlank ? start + 1 : start
  return isLetter(text, from) ? endOfLetters(text, from) : endOfOthers(text, from)
}

function endOfOthers(text: string, start: number): number {
  let bytes = 0
  let end = start
  while (end < text.length && !isBlank(text, end) && !isLetter(text, end)) {
    const code = text.codePointAt(end) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > BYTES_PER_TOKEN) break
    // A character beyond U+FFFF is two units that must stay together.
    end += code > 0xffff ? 2 : 1
  }
  return end
}

function endOfBlanks(text: string, start: number): number {
  const last = Math.min(text.length, start + BLANKS_PER_TOKEN)
  let end = start + 1
  while (end < last && isBlank(text, end)) end++
  return end
}

function endOfLetters(text: string, start: number): number {
  const last = Math.min(text.length, start + LETTERS_PER_TOKEN)
  let end = start + 1
  while (end < last && isLetter(text, end)) end++
  return end
}

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
