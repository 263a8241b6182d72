import type { HostedTool } from '../core/calls.ts'
import { toolOfType, toolsOfPlugins } from './reading/hosted-tools.ts'
import type { JsonWalk } from './reading/json-scan.ts'
import { type Adds, decoded, nameRule, type NameRule, TYPE, typeAdds, typeAt } from './reading/outside-names.ts'

/** What a request adds to the input of its model that its bytes do not bound. */
export interface OutsideInput {
  /** It names what the provider reads in: earlier answers, files, stores, cached content, pictures by their URL. */
  readonly refers: boolean
  /** The upstream may call the model again and again, and reports the sum of its input: it runs tools, or compacts. */
  readonly loops: boolean
  /** It holds pictures, documents or sound, which cost by what they show and not by their bytes. */
  readonly media: boolean
  /** Of what it refers to, something is kept by a provider for all accounts together: `stored-ids.ts` says what. */
  readonly kept: boolean
  /** The provider's own tools that it asks for, as far as some provider charges for calls of them; absent: none. */
  readonly tools?: ReadonlySet<HostedTool> | undefined
}

/** A form's: pictures or sound in its files, and nothing that is named. */
export const MEDIA_ALONE: OutsideInput = { refers: false, loops: false, media: true, kept: false }

/**
 * Finds what a JSON request adds from outside, while the scan of its body walks over it: no second pass, and no parse. Names
 * and values are compared as parsers read them: decoded, and names without regard to case, as upstreams written in Go do.
 * What stands in a tool's schema or in the arguments of a call is the client's own and counts for nothing.
 */
export class OutsideInputFinder implements OutsideInput {
  refers = false
  loops = false
  media = false
  kept = false
  tools: Set<HostedTool> | undefined
  readonly #onTool: OnTool | null
  /** How often something stood there like a tool, and was looked at for that alone. */
  #looks = 0
  /** The object of which an id was looked at last, so that no object is looked at twice. */
  #lookedAt = -1

  /** `onTool`: hears of every tool, and not of the first of each kind alone. */
  constructor(onTool: OnTool | null = null) {
    this.#onTool = onTool
  }

  /** For each name of the body, while the walk stands on it. `start` and `end` include its quotes. */
  readonly look = (walk: JsonWalk, start: number, end: number): void => {
    const { bytes } = walk
    const isPlainType = isType(bytes, start, end)
    // Nearly all types are those of a schema or a message, and none of these.
    if (isPlainType && typeAdds(bytes, valueBehind(bytes, end)) === null) return
    const rule = isPlainType ? TYPE : nameRule(walk, start, end)
    if (rule !== undefined) this.#apply(rule, { walk, start, end })
  }

  #apply(rule: NameRule, { walk, start, end }: { walk: JsonWalk; start: number; end: number }): void {
    const { bytes } = walk
    const value = valueBehind(bytes, end)
    if (rule.value === 'lone id') return this.#addIfLone(walk, start)
    const adds = addedBy(rule, bytes, value)
    if (adds === null) return
    // A type that refers is that of an item, a file, a store: all of them kept.
    const isKept = rule.kept === true || (rule.value === 'type' && adds === 'refers')
    const tools = toolsNamed(rule, bytes, value)
    const isNewTool = tools.some((tool) => this.#onTool !== null || this.tools?.has(tool) !== true)
    const isNew = !this[adds] || (isKept && !this.kept)
    if (!isNewTool && !isNew) return
    if (!isNew && ++this.#looks > LOOKS_LIMIT) return this.#addTools(tools, walk)
    const keys = walk.keysAbove(start)
    // No API has a field of its own so deep; schemas and arguments go there.
    if (keys === null || isClientsOwn(keys)) return
    if (rule.below === '' ? keys.length > 0 : rule.below !== undefined && !isUnder(keys, rule.below)) return
    this[adds] = true
    if (isKept) this.kept = true
    // A type asks for a tool where tools are offered.
    if (isNewTool && (rule.value !== 'type' || keys.some(isListOfTools))) this.#addTools(tools, walk)
  }

  #addTools(tools: readonly HostedTool[], walk: JsonWalk): void {
    this.tools ??= new Set()
    for (const tool of tools) {
      this.tools.add(tool)
      this.#onTool?.(tool, walk.innermost)
    }
  }

  /** An item of a Responses input that has an id and nothing else is a reference: its type may be left out. */
  #addIfLone(walk: JsonWalk, start: number): void {
    const { innermost } = walk
    if (this.kept || innermost === this.#lookedAt || walk.depth !== 2) return
    this.#lookedAt = innermost
    const keys = walk.keysAbove(start)
    if (keys?.length !== 1 || !isUnder(keys, 'input')) return
    const fields = walk.fieldsFrom(innermost, ITEM_FIELDS)
    const type = fields?.get('type')
    const isTyped = type !== undefined && walk.bytes[innermost + type.start] === QUOTE
    if (fields === null || isTyped || fields.has('content')) return
    this.refers = true
    this.kept = true
  }
}

/** Hears of a tool that is asked for, and of the offset of the object in which it stands; -1: the top. */
export type OnTool = (tool: HostedTool, objectAt: number) => void

/** Far more than the history of an agent has. What is not looked at for its number is taken as asked for. */
const LOOKS_LIMIT = 10_000

/** The tools that this name, or this value of `type`, may ask for. */
function toolsNamed({ value: takes, tool }: NameRule, bytes: Buffer, value: number): readonly HostedTool[] {
  if (takes === 'type') {
    const ofType = toolOfType(typeAt(bytes, value))
    return ofType === null ? NO_TOOLS : [ofType]
  }
  if (tool === undefined) return NO_TOOLS
  return tool === 'plugins' ? toolsOfPlugins(bracketed(bytes, value)) : [tool]
}

const NO_TOOLS: readonly HostedTool[] = []
const BRACKETED_BYTES = 2_048

/** The list or object that begins at `at`; null where it is long, or is none. */
function bracketed(bytes: Buffer, at: number): string | null {
  const written = bytes.toString('utf8', at, at + BRACKETED_BYTES)
  let depth = 0
  for (const { 0: token, index } of written.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1
    if (token === ']' || token === '}') depth -= 1
    if (depth === 0 && (token === ']' || token === '}')) return written.slice(0, index + 1)
  }
  return null
}

/** A name that is written in an unusual way may be any. */
function isListOfTools(key: string): boolean {
  return key === '?' || key.toLowerCase() === 'tools'
}

const ITEM_FIELDS = new Set(['type', 'content'])

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const SMALL_F = 0x66
const SMALL_N = 0x6e

/** The most frequent name in the schemas of tools. */
function isType(bytes: Buffer, start: number, end: number): boolean {
  return (
    end - start === 6 &&
    ((bytes[start + 1] ?? 0) | 0x20) === 0x74 &&
    ((bytes[start + 2] ?? 0) | 0x20) === 0x79 &&
    ((bytes[start + 3] ?? 0) | 0x20) === 0x70 &&
    ((bytes[start + 4] ?? 0) | 0x20) === 0x65
  )
}

/** The offset of the value of the name that ends at `end`. */
function valueBehind(bytes: Buffer, end: number): number {
  let at = end
  while (isSpace(bytes[at]) || bytes[at] === COLON) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function addedBy({ adds, value }: NameRule, bytes: Buffer, at: number): Adds | null {
  const first = bytes[at]
  if (value === 'type') return typeAdds(bytes, at)
  if (value === 'object') return first === OPEN_BRACE ? adds : null
  if (value === 'set') return isSet(bytes, at) ? adds : null
  if (first !== QUOTE || bytes[at + 1] === QUOTE) return null
  const begins = beginning(bytes, at)
  if (value === 'web address') return /^https?:/i.test(begins) ? adds : null
  return /^data:/i.test(begins) ? 'media' : adds
}

/** Whether it is a value at all: not null, false, "" or []. */
function isSet(bytes: Buffer, at: number): boolean {
  const first = bytes[at]
  if (first === SMALL_N || first === SMALL_F) return false
  if (first === QUOTE) return bytes[at + 1] !== QUOTE
  if (first !== OPEN_BRACKET) return true
  let next = at + 1
  while (isSpace(bytes[next])) next++
  return bytes[next] !== CLOSE_BRACKET
}

/** `https:`, each letter an escape. */
const BEGINNING_BYTES = 40

/** How a string begins, decoded. */
function beginning(bytes: Buffer, at: number): string {
  return decoded(bytes.toString('latin1', at + 1, at + 1 + BEGINNING_BYTES))
}

/** Names below which everything is the client's own: schemas, the arguments of calls, what tools gave back, notes. */
export const CLIENTS_OWN: ReadonlySet<string> = new Set([
  'parameters',
  'input_schema',
  'parametersjsonschema',
  'parameters_json_schema',
  'args',
  'arguments',
  'response',
  'responsejsonschema',
  'response_json_schema',
  'responseschema',
  'response_schema',
  'schema',
  'annotations',
  'citations',
  'action',
])

/** `input` is the whole input on the Responses wire, and the arguments of a call within a message. */
function isClientsOwn(keys: readonly string[]): boolean {
  return (
    keys[0] === 'metadata' || keys.some((key, at) => CLIENTS_OWN.has(key.toLowerCase()) || (key === 'input' && at > 0))
  )
}

/** A name that is written in an unusual way may be any. */
function isUnder(keys: readonly string[], name: string): boolean {
  return keys[0]?.toLowerCase() === name || keys[0] === '?'
}
