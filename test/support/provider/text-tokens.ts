/** Tokens of a text as a provider's tokenizer would count them, near enough and always the same. */

const LETTERS_OF_A_TOKEN = 6
const DIGITS_OF_A_TOKEN = 3

const FIRST_OF_FOUR = 0xf0

type Kind = 'letter' | 'digit' | 'blank' | 'beyond' | 'other'

/**
 * A word is a token for every six letters, a number one for every three digits, a blank belongs to the word that follows, and
 * beyond ASCII two of three bytes are a token: rare characters have two. Each byte of a character of four is one, as o200k has
 * hieroglyphs.
 */
export function textTokens(text: string): number {
  const bytes = Buffer.from(text)
  let tokens = 0
  let run = 0
  let before: Kind = 'other'
  let ofFour = 0
  for (const byte of bytes) {
    if (byte >= FIRST_OF_FOUR) ofFour = 4
    if (ofFour > 0) {
      ofFour--
      tokens++
      before = 'other'
      continue
    }
    const kind = kindOf(byte)
    run = kind === before ? run + 1 : 1
    if (startsToken(kind, run)) tokens++
    before = kind
  }
  return tokens
}

function startsToken(kind: Kind, run: number): boolean {
  if (kind === 'letter') return run % LETTERS_OF_A_TOKEN === 1
  if (kind === 'digit') return run % DIGITS_OF_A_TOKEN === 1
  if (kind === 'beyond') return run % 3 !== 0
  return kind === 'other' || run === 2
}

function kindOf(byte: number): Kind {
  if ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)) return 'letter'
  if (byte >= 0x30 && byte <= 0x39) return 'digit'
  if (byte >= 0x80) return 'beyond'
  return byte === 0x20 || byte === 0x0a ? 'blank' : 'other'
}
