/** One line of an answer's head: `name: value` (RFC 9112, section 5), read strictly where it stands. */
export class FieldLine {
  nameEnd = 0
  /** The first byte of the value, without the blanks around it. */
  valueStart = 0
  valueEnd = 0
  /** Where the next line begins. */
  next = 0

  /**
   * Reads the line that begins at `at`. `end`: the empty line that ends a head. `incomplete`: it goes on in bytes that have
   * not come. `bad`: a name that is not a token, blanks before the colon, a line that goes on in the next one, a character
   * that no value may have, CR or LF alone.
   */
  scan(bytes: Uint8Array, at: number): 'field' | 'end' | 'incomplete' | 'bad' {
    const { length } = bytes
    let i = at
    while (i < length && IS_TOKEN[bytes[i] ?? 0] === 1) i += 1
    if (i === length) return 'incomplete'
    if (i === at) return this.#endAt(bytes, at)
    if (bytes[i] !== COLON) return 'bad'
    this.nameEnd = i
    i += 1
    while (i < length && isBlank(bytes[i])) i += 1
    this.valueStart = i
    while (i < length && IS_TEXT[bytes[i] ?? 0] === 1) i += 1
    const end = i
    if (i === length) return 'incomplete'
    if (bytes[i] !== CR) return 'bad'
    if (i + 1 === length) return 'incomplete'
    if (bytes[i + 1] !== LF) return 'bad'
    this.next = i + 2
    while (i > this.valueStart && isBlank(bytes[i - 1])) i -= 1
    this.valueEnd = Math.min(i, end)
    return 'field'
  }

  #endAt(bytes: Uint8Array, at: number): 'end' | 'incomplete' | 'bad' {
    if (bytes[at] !== CR) return 'bad'
    if (at + 1 === bytes.length) return 'incomplete'
    this.next = at + 2
    return bytes[at + 1] === LF ? 'end' : 'bad'
  }
}

export const CR = 0x0d
export const LF = 0x0a
const COLON = 0x3a

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}

/** Characters of a token, as names are (RFC 9110, 5.6.2). */
const IS_TOKEN = classOf((byte) => /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte)))

/** Characters of a value, and of the reason after a status: tab, visible ASCII, and what is beyond ASCII (RFC 9110, 5.5). */
export const IS_TEXT = classOf((byte) => byte === 0x09 || (byte >= 0x20 && byte !== 0x7f))

function classOf(isIn: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0))
}
