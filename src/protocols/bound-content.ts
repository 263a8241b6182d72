import { createHash } from 'node:crypto'
import { SEALED_PIECES_LIMIT, TRANSLATED_BODY_LIMIT_BYTES } from '../core/limits.ts'
import { isObject, parseOrUndefined } from './json/json-object.ts'
import { realmTagOf, WRAPPED_PREFIX } from './hub/opaque-reasoning.ts'
import { mayBeParsed } from './parse-bounds.ts'
import { openSignature, WRAPPED } from './spokes/gemini/signatures.ts'

/**
 * What a body holds that only the organisation can read which made it. OpenAI binds an `encrypted_content` to the organisation
 * or key and refuses another's with the code `invalid_encrypted_content` (LiteLLM, "Auto-Router: Switching Tiers Without
 * Encrypted Content Failures"; openai/codex issue 8145, December 2025). Google refuses a thought signature after a change of
 * the key with 400 and no code of its own (apiyi.com, "Gemini Thought Signature 400 Errors", October 2026), and those of AI
 * Studio at Vertex AI. Anthropic's are good at every provider of its models, so they are not looked for (decision 0167).
 */
const SEALED_FIELDS = ['encrypted_content', 'thoughtSignature', 'thought_signature'] as const

const NAMES = SEALED_FIELDS.map((field) => Buffer.from(`"${field}"`))
const QUOTE = 0x22
const COLON = 0x3a
/** Shorter ones are the words that stand for a signature that is not there. */
const SHORTEST = 40
/** So many places of a field are looked at, with those that have no piece of use: a body may be full of them. */
const NAMES_LIMIT = 4 * SEALED_PIECES_LIMIT
/** How much of each end is looked at: a token of OpenAI's begins with its time and a random number, and ends with its own hash. */
const LOOKED_AT = 64

/**
 * Fingerprints of the sealed pieces in bytes of JSON, the last ones first and of each field at most SEALED_PIECES_LIMIT. The
 * bytes are searched and not parsed: within a string the quotes of a name are escaped, so none is found there. Nothing is looked for
 * beyond the last megabytes, since the newest pieces stand there.
 */
export function sealedIn(whole: Buffer): readonly string[] {
  const bytes = endOf(whole)
  const found: string[] = []
  for (const name of NAMES) {
    let left = SEALED_PIECES_LIMIT
    let looks = NAMES_LIMIT
    for (let at = bytes.lastIndexOf(name); at >= 0 && left > 0; at = at === 0 ? -1 : bytes.lastIndexOf(name, at - 1)) {
      if (looks-- === 0) break
      const piece = valueBehind(bytes, at + name.length)
      if (piece === null) continue
      left -= 1
      found.push(fingerprintOf(piece))
    }
  }
  return found
}

/** The string behind a name, without its quotes; null where there is none of use. */
function valueBehind(bytes: Buffer, behindName: number): string | null {
  let at = behindName
  while (isSpace(bytes[at]) || bytes[at] === COLON) at++
  if (bytes[at] !== QUOTE) return null
  const end = bytes.indexOf(QUOTE, at + 1)
  return end - at - 1 < SHORTEST ? null : `${end - at - 1} ${ends(bytes, at + 1, end)}`
}

function ends(bytes: Buffer, start: number, end: number): string {
  if (end - start <= 2 * LOOKED_AT) return bytes.toString('latin1', start, end)
  return bytes.toString('latin1', start, start + LOOKED_AT) + bytes.toString('latin1', end - LOOKED_AT, end)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The fingerprint of a piece, or of an id that a provider gave. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('latin1').slice(0, 16)
}

/** The tag of the realm in the last wrapped piece of a body that has one (`hub/opaque-reasoning.ts`); null: there is none. */
export function realmTagIn(whole: Buffer): string | null {
  const body = endOf(whole)
  return (
    lastTag(body, WRAPPED_PREFIX, realmTagOf) ??
    lastTag(body, WRAPPED, (text) => openSignature(text)?.opaque?.realm ?? null)
  )
}

/** No piece of a provider's is known to be so long. */
const WRAPPED_BYTES = 512 * 1024

function endOf(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - TRANSLATED_BODY_LIMIT_BYTES))
}

function lastTag(body: Buffer, beginning: string, tagOf: (text: string) => string | null): string | null {
  let at = body.lastIndexOf(beginning)
  for (let left = SEALED_PIECES_LIMIT; at >= 0 && left > 0; left--) {
    const window = body.subarray(at, at + WRAPPED_BYTES)
    const end = window.indexOf(QUOTE)
    const tag = end < 0 ? null : tagOf(window.toString('latin1', 0, end))
    if (tag !== null) return tag
    at = at === 0 ? -1 : body.lastIndexOf(beginning, at - 1)
  }
  return null
}

/** One sealed piece with its place in the body, such as `input[3].encrypted_content`. */
export interface SealedPiece {
  readonly at: string
  readonly fingerprint: string
}

/**
 * Every sealed piece of a body, in order. It parses the body: for requests that have failed for one of them. None of a body that is
 * too large for that.
 */
export function sealedPieces(body: Buffer): readonly SealedPiece[] {
  const pieces: SealedPiece[] = []
  if (!mayBeParsed(body)) return pieces
  const request = parseOrUndefined(body.toString())
  // A list of what is still to be read and no recursion, since the client decides how deep it goes.
  const open: PlacedPiece[] = [{ name: '', value: request, at: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value, at } = next
    if (typeof value !== 'string') open.push(...within(value, at).toReversed())
    else if (isSealedField(name) && value.length >= SHORTEST) {
      const bytes = Buffer.from(value)
      pieces.push({ at, fingerprint: fingerprintOf(`${bytes.length} ${ends(bytes, 0, bytes.length)}`) })
    }
  }
  return pieces
}

interface PlacedPiece {
  readonly name: string
  readonly value: unknown
  readonly at: string
}

function within(value: unknown, at: string): readonly PlacedPiece[] {
  if (Array.isArray(value)) return value.map((each: unknown, i) => ({ name: '', value: each, at: `${at}[${i}]` }))
  if (!isObject(value)) return []
  return Object.entries(value).map(([name, each]) => ({ name, value: each, at: at === '' ? name : `${at}.${name}` }))
}

function isSealedField(name: string): boolean {
  return SEALED_FIELDS.some((field) => field === name)
}
