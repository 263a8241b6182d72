/** Decides what is answered: which text or tool call, in which pieces, and which usage it reports. */
import { crc32 } from 'node:zlib'
import type { JsonObject } from './json.ts'
import { listOf, objectOf } from './json.ts'
import type { Script } from './model-name.ts'
import { UNSTAMPED } from './time-stamp.ts'
import { withinLimit } from './output-limit.ts'
import { deriveUsage } from './usage.ts'
import type { Answer, Ask, ToolCall } from './wire.ts'

/** More pieces than this are never made of an echoed text, however long it is. */
const MOST_ECHOED_PIECES = 2_000

/** Bytes of one piece of tool arguments. */
const ARGUMENT_PIECE_BYTES = 5

const WORDS = 'the toll is paid once per gate and the book says so; '

export interface Answering {
  readonly model: string
  readonly script: Script
  readonly ask: Ask
  readonly body: Buffer
  readonly request: JsonObject
}

export function composeAnswer(answering: Answering): Answer {
  const { model, script, ask, body, request } = answering
  const tool = script.sentinel !== 'fixed' && !ask.lastIsToolResult ? ask.tool : null
  const pieces = tool === null ? textPieces(script, ask) : splitEvenly(tool.argumentsJson, ARGUMENT_PIECE_BYTES)
  const answerBytes = Buffer.byteLength(pieces.join(''))
  const usage = { ...deriveUsage(body, answerBytes), ...script.usage }
  // Calls of tools are short, and not cut here.
  const hasLimit = script.keepsLimits && tool === null && ask.outputLimit !== null
  const cut = hasLimit ? withinLimit({ pieces, usage }, ask.outputLimit) : null
  return {
    model,
    sentinel: script.sentinel,
    id: idOf(script.sentinel === 'fixed' ? Buffer.from(model) : body),
    pieces: cut?.pieces ?? pieces,
    tool,
    isCut: cut !== null,
    usage: script.sentinel === 'no-usage' ? null : (cut?.usage ?? usage),
    includeUsage: ask.includeUsage,
    // What is the same for every call cannot repeat anything of one.
    request: script.sentinel === 'fixed' ? {} : request,
  }
}

/** A tool call whose arguments satisfy the required properties of the tool's JSON schema, as far as it is a plain one. */
export function callOf(name: string, schema: unknown): ToolCall {
  const required = listOf(objectOf(schema)['required']).map(String)
  const properties = objectOf(objectOf(schema)['properties'])
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  const entries = names.map((one) => [one, exampleOf(objectOf(properties[one]))] as const)
  return { name, argumentsJson: JSON.stringify(Object.fromEntries(entries)) }
}

/** One value that satisfies a plain schema. */
export function exampleOf(schema: JsonObject): unknown {
  const choices = listOf(schema['enum'])
  if (choices.length > 0) return choices[0]
  const examples: JsonObject = { integer: 7, number: 1.5, boolean: true, array: [], object: {}, null: null }
  const type = String(listOf(schema['type'])[0] ?? schema['type']).toLowerCase()
  return Object.hasOwn(examples, type) ? examples[type] : 'Zürich "Süd"'
}

/** 24 hexadecimal digits that follow from the bytes. */
function idOf(bytes: Buffer): string {
  const seed = crc32(bytes)
  return [seed, crc32(bytes, 1), bytes.length].map((part) => part.toString(16).padStart(8, '0')).join('')
}

function textPieces(script: Script, ask: Ask): string[] {
  if (script.sentinel === 'echo') return echoPieces(script, ask)
  if (script.stamped) return Array.from({ length: script.chunks ?? 0 }, () => UNSTAMPED)
  const pieces: string[] = []
  for (let index = 0; index < (script.chunks ?? 0); index++) pieces.push(piece(index, script.textBytes))
  return pieces
}

/** Exactly `bytes` bytes of ASCII, another for each index as far as the words go. */
function piece(index: number, bytes: number): string {
  const offset = (index * bytes) % WORDS.length
  return WORDS.repeat(Math.ceil((bytes + offset) / WORDS.length)).slice(offset, offset + bytes)
}

function echoPieces(script: Script, ask: Ask): string[] {
  const text = ask.lastIsToolResult ? `The tool said: ${ask.lastText}` : ask.lastText
  if (script.chunks === 0 || text === '') return []
  const wanted = Math.ceil(text.length / (script.chunks ?? Math.ceil(text.length / Math.max(script.textBytes, 1))))
  return splitEvenly(text, Math.max(wanted, Math.ceil(text.length / MOST_ECHOED_PIECES), 1))
}

/** Cuts a text into pieces of `length` UTF-16 units, one more where a pair of them would be torn apart. */
function splitEvenly(text: string, length: number): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < text.length) {
    const last = text.charCodeAt(at + length - 1)
    const end = at + length + (last >= 0xd8_00 && last <= 0xdb_ff ? 1 : 0)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}
