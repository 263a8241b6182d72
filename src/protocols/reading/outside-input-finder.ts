import type { HostedTool } from '../../core/calls.ts'
import { STORED_IDS_LIMIT } from '../../core/limits.ts'
import { toolOfType, toolsOfPlugins } from './hosted-tools.ts'
import { InputItems, mayBeInput } from './input-items.ts'
import type { Range } from '../json/json-bytes.ts'
import { isValueSet } from '../json/json-value.ts'
import type { JsonWalk } from '../json/json-walk.ts'
import type { NameFilter } from '../json/nested-tokens/nested-tokens.ts'
import { type Adds, decoded, nameRule, type NameRule, SHOWN_SIGNS, TYPE, typeAdds, typeAt } from './outside-names.ts'
import type { NamedPlace, OutsideInput } from '../protocol.ts'

/** The names that `OutsideInputFinder.look` has to see. */
export const OUTSIDE_SHOWN: NameFilter = { signs: SHOWN_SIGNS, wantsAll: mayBeInput }

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
  readonly named: NamedPlace[] = []
  readonly #own = new ClientsOwn()
  readonly #items = new InputItems((at) => {
    this.refers = true
    this.#note('item', { start: at, end: at }, at)
  })

  /** `onTool`: hears of every tool, and not of the first of each kind alone. */
  constructor(onTool: OnTool | null = null) {
    this.#onTool = onTool
  }

  /** Called for each name of the body, while the walk stands on it. `start` and `end` include its quotes. */
  readonly look = (walk: JsonWalk, start: number, end: number): void => {
    const { bytes } = walk
    if (walk.depth > 0) this.#items.look(walk, start, end)
    const isPlainType = isType(bytes, start, end)
    // Nearly all types are those of a schema or a message, and none of these.
    if (isPlainType && typeAdds(bytes, walk.valueBehind(end)) === null) return
    const rule = isPlainType ? TYPE : nameRule(walk, start, end)
    if (rule !== undefined) this.#apply(rule, { walk, start, end })
  }

  /** Called behind the walk: the last item is complete. */
  end(): void {
    this.#items.end()
  }

  #apply(rule: NameRule, { walk, start, end }: { walk: JsonWalk; start: number; end: number }): void {
    const at = walk.valueBehind(end)
    const adds = addedBy(rule, walk.bytes, at)
    if (adds === null) return
    // A type that refers is that of an item, a file, a store: all of them kept.
    const isKept = rule.kept === true || (rule.value === 'type' && adds === 'refers')
    const tools = toolsNamed(rule, walk.bytes, at)
    const isNewTool = tools.some((tool) => this.#onTool !== null || this.tools?.has(tool) !== true)
    if (this[adds] && !isKept && !isNewTool) return
    // No API has a field of its own so deep; schemas and arguments go there.
    if (walk.isBeyondPaths || this.#own.has(walk) || !isBelow(walk, rule.below)) return
    this[adds] = true
    // A type asks for a tool where tools are offered.
    if (isNewTool && (rule.value !== 'type' || isAmongTools(walk))) this.#addTools(tools, walk)
    if (!isKept) return
    this.kept = true
    // What a type refers to stands in a field beside it.
    if (rule.kept === true) this.#note(rule.names ?? 'other', { start, end }, at)
  }

  #addTools(tools: readonly HostedTool[], walk: JsonWalk): void {
    this.tools ??= new Set()
    for (const tool of tools) {
      this.tools.add(tool)
      this.#onTool?.(tool, walk.innermost)
    }
  }

  /** So many are noted that the request is refused for their number. */
  #note(kind: NamedPlace['kind'], name: Range, at: number): void {
    this.kept = true
    if (this.named.length <= STORED_IDS_LIMIT) this.named.push({ kind, name, at })
  }
}

/** Hears of a tool that is asked for, and of the offset of the object in which it stands; -1: the top. */
export type OnTool = (tool: HostedTool, objectAt: number) => void

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

/** Whether a walk stands in a list of tools. A name that is written in an unusual way may be any. */
function isAmongTools(walk: JsonWalk): boolean {
  for (let level = 0; level < walk.depth; level++) {
    const key = walk.keyAt(level)
    if (key === '?' || key?.toLowerCase() === 'tools') return true
  }
  return false
}

const QUOTE = 0x22
const OPEN_BRACE = 0x7b

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

function addedBy({ adds, value }: NameRule, bytes: Buffer, at: number): Adds | null {
  const first = bytes[at]
  if (value === 'type') return typeAdds(bytes, at)
  if (value === 'object') return first === OPEN_BRACE ? adds : null
  // An empty object switches a tool on.
  if (value === 'set') return first === OPEN_BRACE || isValueSet(bytes, at) ? adds : null
  if (first !== QUOTE || bytes[at + 1] === QUOTE) return null
  const begins = beginning(bytes, at)
  if (value === 'web address') return /^https?:/i.test(begins) ? adds : null
  return /^data:/i.test(begins) ? 'media' : adds
}

/** `https:`, each letter an escape. */
const BEGINNING_BYTES = 40

/** How a string begins, decoded. */
function beginning(bytes: Buffer, at: number): string {
  return decoded(bytes.toString('latin1', at + 1, at + 1 + BEGINNING_BYTES))
}

/** Names below which everything is the client's own: schemas, the arguments of calls, what tools gave back, notes. */
const CLIENTS_OWN: ReadonlySet<string> = new Set([
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

/** Whether a walk stands in what is the client's own. Each bracket is looked at once, however many names stand in it. */
class ClientsOwn {
  readonly #openers: number[] = []
  readonly #isOwn: boolean[] = []

  has(walk: JsonWalk): boolean {
    const { depth } = walk
    let level = Math.min(depth, this.#isOwn.length)
    // What is above a bracket stays what it was.
    while (level > 0 && this.#openers[level - 1] !== walk.openerAt(level - 1)) level--
    for (; level < depth; level++) {
      this.#openers[level] = walk.openerAt(level)
      this.#isOwn[level] = this.#isOwn[level - 1] === true || isOwnKey(walk.keyAt(level), level)
    }
    return this.#isOwn[depth - 1] === true
  }
}

/** `input` is the whole input on the Responses wire, and the arguments of a call within a message. */
function isOwnKey(key: string | null, level: number): boolean {
  if (key === null) return false
  return level === 0
    ? key === 'metadata' || CLIENTS_OWN.has(key.toLowerCase())
    : key === 'input' || CLIENTS_OWN.has(key.toLowerCase())
}

/** `below`: see `NameRule`. A name that is written in an unusual way may be any. */
function isBelow(walk: JsonWalk, below: string | undefined): boolean {
  if (below === undefined) return true
  if (below === '') return walk.depth === 0
  const root = walk.depth === 0 ? null : walk.keyAt(0)
  return root === '?' || root?.toLowerCase() === below
}
