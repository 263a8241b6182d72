/** Decides what is answered: which text or tool call, in which pieces, and which usage it reports. */
import { crc32 } from 'node:zlib'
import type { NeutralAnswer } from '../../src/protocols/chat-simulation.ts'
import type { Answer } from './answer-writer.ts'
import type { Ask, WireName } from './ask.ts'
import { type JsonFields, listOf, objectOf } from '../../src/upstreams/demo/json.ts'
import type { Script } from './model-name.ts'
import { UNSTAMPED } from './time-stamp.ts'
import { withinLimit } from './output-limit.ts'
import { deriveUsage } from './usage.ts'

/** More pieces than this are never made of an echoed text, however long it is. */
const MOST_ECHOED_PIECES = 2_000

/** Bytes of one piece of tool arguments. */
const ARGUMENT_PIECE_BYTES = 5

const WORDS = 'the toll is paid once per gate and the book says so; '

export interface Answering {
  readonly wire: WireName
  readonly model: string
  readonly script: Script
  readonly ask: Ask
  readonly body: Buffer
  readonly request: JsonFields
}

export function composeAnswer({ wire, model, script, ask, body, request }: Answering): Answer {
  const { sentinel } = script
  const offered = sentinel === 'fixed' || ask.toolResult !== null ? [] : ask.tools
  const tool = offered.find(({ kind }) => kind === 'function')
  const input = tool === undefined ? null : exampleArguments(tool.kind === 'function' ? tool.schema : null)
  const pieces = input === null ? textPieces(script, ask) : splitEvenly(input, ARGUMENT_PIECE_BYTES)
  const usage = { ...deriveUsage(body, Buffer.byteLength(pieces.join(''))), ...script.usage }
  // Calls of tools are short, and not cut here.
  const hasLimit = script.keepsLimits && input === null && ask.outputLimit !== null
  const cut = hasLimit ? withinLimit({ pieces, usage }, ask.outputLimit) : null
  const kept = (cut?.pieces ?? pieces).filter((text) => text !== '')
  const id = idOf(sentinel === 'fixed' ? Buffer.from(model) : body)
  const text = kept.join('')
  const content: NeutralAnswer['choices'][number] =
    tool !== undefined && input !== null
      ? {
          blocks: [{ kind: 'tool_call', id: callId(wire, id), name: tool.name, input, isCustom: false }],
          stop: { reason: 'tool_calls', sequence: null },
        }
      : {
          blocks: text === '' ? [] : [{ kind: 'text', text }],
          stop: { reason: cut === null ? 'end' : 'length', sequence: null },
        }
  return {
    wire,
    model,
    sentinel,
    id,
    content: { choices: [content] },
    piecesOf: () => kept,
    usage: sentinel === 'no-usage' ? null : (cut?.usage ?? usage),
    ask,
    // What is the same for every call cannot repeat anything of one.
    body: sentinel === 'fixed' ? {} : request,
  }
}

/** The id of a call as the wire's provider makes it. */
export function callId(wire: WireName, id: string): string {
  return { chat: 'call_', responses: 'call_', messages: 'toolu_', gemini: 'fc-', converse: 'tooluse_' }[wire] + id
}

/** Arguments that satisfy the required properties of a tool's JSON schema, as far as it is a plain one. */
function exampleArguments(schema: unknown): string {
  const required = listOf(objectOf(schema)['required']).map(String)
  const properties = objectOf(objectOf(schema)['properties'])
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return JSON.stringify(Object.fromEntries(names.map((one) => [one, exampleOf(objectOf(properties[one]))])))
}

/** One value that satisfies a plain schema. */
export function exampleOf(schema: JsonFields): unknown {
  const choices = listOf(schema['enum'])
  if (choices.length > 0) return choices[0]
  const examples: JsonFields = { integer: 7, number: 1.5, boolean: true, array: [], object: {}, null: null }
  const type = String(listOf(schema['type'])[0] ?? schema['type']).toLowerCase()
  return Object.hasOwn(examples, type) ? examples[type] : 'Zürich "Süd"'
}

/** 24 hexadecimal digits that follow from the bytes. */
export function idOf(bytes: Buffer): string {
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
  const text = ask.toolResult === null ? ask.lastText : `The tool said: ${ask.toolResult}`
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
