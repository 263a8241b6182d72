/** Signatures of thoughts: opaque and long, as the providers', and to be checked without keeping anything. */
import { createHash } from 'node:crypto'

export type Signer = 'messages' | 'responses' | 'gemini'

/** Each provider's own beginning. All of them hold characters that careless carrying changes (`+`, `/`, `=`, `-`, `_`). */
const OPENINGS: Readonly<Record<Signer, Buffer>> = {
  messages: Buffer.from([0x12, 0xfb, 0xef, 0xbe, 0xff, 0xff]),
  responses: Buffer.from([0x80, 0x00, 0x00, 0x00, 0x00, 0xfb, 0xef, 0xbe, 0xff]),
  gemini: Buffer.from([0x0a, 0xfb, 0xef, 0xbe, 0xff, 0xff]),
}

/** Real ones have some hundred characters and more: what has no room for that is found out. */
const SEAL_BYTES = 400
const MARK_BYTES = 12

/** The signature of what was thought. `subject`: what it belongs to, which `isGenuine` may be asked about again. */
export function sign(signer: Signer, subject: string): string {
  return written(signer, digest('mark', subject).subarray(0, MARK_BYTES))
}

/** True when it is byte for byte one of `sign`, and, with a subject, of that one. */
export function isGenuine(signer: Signer, signature: string, subject?: string): boolean {
  const encoding = signer === 'responses' ? 'base64url' : 'base64'
  const opening = OPENINGS[signer].length
  const mark = Buffer.from(signature, encoding).subarray(opening, opening + MARK_BYTES)
  if (mark.length !== MARK_BYTES || written(signer, mark) !== signature) return false
  return subject === undefined || sign(signer, subject) === signature
}

function written(signer: Signer, mark: Buffer): string {
  const seal: Buffer[] = []
  for (let part = 0; part * 32 < SEAL_BYTES; part++) seal.push(digest(`${signer} ${part}`, mark.toString('hex')))
  const bytes = Buffer.concat([OPENINGS[signer], mark, ...seal])
  if (signer !== 'responses') return bytes.toString('base64')
  const text = bytes.toString('base64url')
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

function digest(purpose: string, text: string): Buffer {
  return createHash('sha256').update(`${purpose}\n${text}`).digest()
}
