/**
 * How many tokens a text may be, without a tokenizer: for watching what a stream costs while it runs, never to charge.
 * It leans upwards. Tokenizers cut text where its kind of character changes, and cut long runs of one kind; so one is
 * counted for each run and for each so many characters of it, and a quarter is added, as others cut finer than o200k.
 *
 * Against o200k: prose and source code 1.3 to 1.6 times too high, JSON 1.6, Chinese, Japanese and Korean 1.5, digits,
 * hexadecimal, UUIDs and CSV 1.2 to 1.8. Too low: base64 by a tenth, and meaningless text. Small letters in no order,
 * and characters of three bytes in no order, are 2.5 times as many tokens as the estimate. The most that a text built for
 * it can be is 4.8 times, as a token is a byte at least: Coptic and old Cyrillic are.
 *
 * `literal` is the inside of JSON strings as Latin-1, one character for each byte. Every byte is looked at, as a sender
 * would fill with dense text what a sample leaves out: 1 ns each in a long text, 2.5 in a short one.
 */
export function estimateTokens(literal: string): number {
  let tokens = 0
  for (let start = 0; start < literal.length; start += BLOCK.length) {
    const block = start === 0 && literal.length <= BLOCK.length ? literal : literal.slice(start, start + BLOCK.length)
    tokens += Math.max(tokensIn(BLOCK.write(block, 'latin1')), block.length / LONGEST_TOKEN_BYTES)
  }
  return tokens * FOR_OTHER_TOKENIZERS
}

/** Reading bytes of an array is faster than asking a string for each. Written and read within one call. */
const BLOCK = Buffer.alloc(64 * 1024)
const FOR_OTHER_TOKENIZERS = 1.25
/** The estimate for a text is never more than this for each of its bytes. */
export const MOST_PER_BYTE = 2 * FOR_OTHER_TOKENIZERS
/** The longest token of o200k: 128 spaces. A longer run of spaces is several tokens. */
const LONGEST_TOKEN_BYTES = 128
/** The length from which the text is read at four places at once. Each place may begin within a token, which counts twice then. */
const FOUR_PLACES_BYTES = 128

/**
 * Tokens of the first `length` bytes of the block. Each step waits for the one before it, so four at a time, which
 * have nothing to do with each other, take a third of the time. Measured.
 */
function tokensIn(length: number): number {
  const quarter = length < FOUR_PLACES_BYTES ? 0 : length >> 2
  let tokens = 0
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  for (let at = 0; at < quarter; at++) {
    one = STEPS[(one & STATE_MASK) | (BLOCK[at] ?? 0)] ?? 0
    two = STEPS[(two & STATE_MASK) | (BLOCK[at + quarter] ?? 0)] ?? 0
    three = STEPS[(three & STATE_MASK) | (BLOCK[at + 2 * quarter] ?? 0)] ?? 0
    four = STEPS[(four & STATE_MASK) | (BLOCK[at + 3 * quarter] ?? 0)] ?? 0
    tokens += (one & TOKENS_MASK) + (two & TOKENS_MASK) + (three & TOKENS_MASK) + (four & TOKENS_MASK)
  }
  for (let at = 4 * quarter; at < length; at++) {
    four = STEPS[(four & STATE_MASK) | (BLOCK[at] ?? 0)] ?? 0
    tokens += four & TOKENS_MASK
  }
  return tokens
}

/** What a byte is, and how many of its kind in a row make one token. */
interface ByteKind {
  readonly perToken: number
  /** Tokens that are counted when one begins. */
  readonly tokens: number
  readonly has: (byte: number) => boolean
}

const LOWER: ByteKind = { perToken: 6, tokens: 1, has: (byte) => byte >= 0x61 && byte <= 0x7a }
const UPPER: ByteKind = { perToken: 3, tokens: 1, has: (byte) => byte >= 0x41 && byte <= 0x5a }
const DIGIT: ByteKind = { perToken: 2, tokens: 1, has: (byte) => byte >= 0x30 && byte <= 0x39 }
/** A single space belongs to the word behind it, which is why it has its own rule below. */
const SPACE: ByteKind = { perToken: 2, tokens: 0, has: (byte) => byte === 0x20 }
/** First bytes of characters of two bytes: Greek, Cyrillic, Hebrew, Arabic. */
const TWO_BYTES: ByteKind = { perToken: 3, tokens: 1, has: (byte) => LONG_WORDS_OF_TWO_BYTES.includes(byte) }
const LONG_WORDS_OF_TWO_BYTES = [0xce, 0xcf, 0xd0, 0xd1, 0xd7, 0xd8, 0xd9, 0xda]
/** Accents, which stand alone between other letters, and scripts that tokenizers know little. */
const TWO_BYTES_RARE: ByteKind = { perToken: 1, tokens: 1, has: (byte) => byte >= 0xc0 && byte <= 0xdf }
/** Bytes that begin characters of three bytes (Indian and Thai; East Asian), and of four. */
const INDIC: ByteKind = { perToken: 2, tokens: 1, has: (byte) => byte === 0xe0 }
const THREE_BYTES: ByteKind = { perToken: 1, tokens: 1, has: (byte) => byte > 0xe0 && byte <= 0xef }
const FOUR_BYTES: ByteKind = { perToken: 1, tokens: 2, has: (byte) => byte >= 0xf0 }
const PUNCTUATION: ByteKind = { perToken: 3, tokens: 1, has: (byte) => byte < 0x80 }

/** A byte is of the first kind that has it. */
const KINDS = [SPACE, LOWER, UPPER, DIGIT, TWO_BYTES, TWO_BYTES_RARE, INDIC, THREE_BYTES, FOUR_BYTES, PUNCTUATION]

/** A state is a kind and how many of it stand in a row; the first is the start, as behind a single space. */
const STATES = KINDS.flatMap((kind) => Array.from({ length: kind.perToken }, (_, i) => ({ kind, run: i + 1 })))
const STATE_MASK = 0xff00
const TOKENS_MASK = 0xff

/** The place in `KINDS` of each byte; -1: it is one of the bytes of a character behind its first. */
const KIND_OF = Array.from({ length: 256 }, (_, byte) => KINDS.findIndex(({ has }) => has(byte)))

/** The tokens that a byte begins and the state behind it, for each state (in the upper byte, as in the steps themselves) and byte. */
const STEPS = Uint16Array.from(
  STATES.flatMap(({ kind, run }, state) => {
    const toKinds = KINDS.map((next) => stepFrom(kind, run, next))
    return KIND_OF.map((next) => toKinds[next] ?? state << 8)
  }),
)

function stepFrom(kind: ByteKind, run: number, next: ByteKind): number {
  if (next === SPACE) return kind === SPACE && run === 1 ? step(SPACE, 2, 1) : step(SPACE, kind === SPACE ? 2 : 1, 0)
  // A capital begins a word, and its small letters go on with it.
  const goesOn = (next === kind || (next === LOWER && kind === UPPER)) && run < next.perToken
  return goesOn ? step(next, run + 1, 0) : step(next, 1, next.tokens)
}

function step(kind: ByteKind, run: number, tokens: number): number {
  return (STATES.findIndex((state) => state.kind === kind && state.run === run) << 8) | tokens
}
