import { BAD, INCOMPLETE } from './answer-head.ts'
import { CR, IS_TEXT, LF } from './field-line.ts'

/** The line before each chunk: its size in hexadecimal digits, and extensions, which mean nothing here (RFC 9112, 7.1). */
export class ChunkLine {
  size = 0
  /** Bytes of its extensions; 0: it has none, as is usual. */
  extensionBytes = 0

  /** Returns where the chunk begins, INCOMPLETE or BAD. */
  read(bytes: Buffer, at: number): number {
    const { length } = bytes
    let i = at
    let size = 0
    while (i < length) {
      const digit = HEX[bytes[i] ?? 0] ?? NO_DIGIT
      if (digit === NO_DIGIT) break
      size = size * 16 + digit
      i += 1
    }
    if (i - at > MOST_DIGITS) return BAD
    if (i === length) return INCOMPLETE
    if (i === at) return BAD
    const extensions = i
    if (bytes[i] === SEMICOLON) while (i < length && IS_TEXT[bytes[i] ?? 0] === 1) i += 1
    if (i < length && bytes[i] !== CR) return BAD
    if (i + 1 >= length) return INCOMPLETE
    if (bytes[i + 1] !== LF) return BAD
    if (i > extensions && !EXTENSIONS.test(bytes.toString('latin1', extensions, i))) return BAD
    this.size = size
    this.extensionBytes = i - extensions
    return i + 2
  }
}

/** 2 ** 52 bytes; more digits would be no safe integer. */
const MOST_DIGITS = 13
const NO_DIGIT = 16
const SEMICOLON = 0x3b

/** Extensions without blanks and escapes, which only serve to hide something. */
const EXTENSIONS = /^(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"[^"\\]*"))?)+$/

const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return /[0-9A-Fa-f]/.test(character) ? Number.parseInt(character, 16) : NO_DIGIT
})
