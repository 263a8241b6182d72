import { Fault } from '../../../core/faults.ts'
import { append } from '../../hub/merged-turns.ts'
import { fieldsOf, isObject, type JsonObject, listOf } from '../../json/json-object.ts'
import { type BeginOf, isUncut, type StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { callOf, contentBlockOf, logprobsOf, opaqueOf, reasoningTextOf, stopOf } from './read-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'

/** Items that one answer may have: more would be a mistake of the upstream. */
const ITEMS_LIMIT = 4096

const TOO_MANY = 'The model’s answer has more parts than the gateway supports.'
const NOTHING: readonly StreamPart[] = []

/** What a call is given, at upstreams that send it as an object and not as its text. */
export const ARGUMENTS: FreeFields = new Map([['arguments', 'data']])

/** Reads the events of a responses stream (openai-node's `ResponseStreamEvent`). */
export class ResponsesPartReader implements PartReader {
  /** Items by their place in the output; by their names where events do not say it. */
  readonly #items = new Map<unknown, ItemInStream>()
  /** All items in the order in which they came. */
  readonly #all: ItemInStream[] = []
  readonly #counter: BlockCounter = { next: 0 }
  #isOver = false
  hasCutCall = false

  read(event: ServerEvent): readonly StreamPart[] {
    const fields = fieldsIn(event)
    const type = fields['type'] ?? event.name
    if (this.#isOver || typeof type !== 'string') return NOTHING
    if (ENDS.has(type)) return this.#end(fieldsOf(fields['response']))
    const itemType = type.startsWith('response.output_item.') ? fieldsOf(fields['item'])['type'] : TYPES.get(type)
    const item = itemType === undefined ? undefined : this.#itemOf(fields, itemType, type)
    return item === undefined ? NOTHING : partsOf(item, type, fields)
  }

  end(): readonly StreamPart[] {
    return this.#all.flatMap((item) => item.done({}))
  }

  /** The item that an event is about; a new one where it was not announced, and where another is announced in its place. */
  #itemOf(fields: JsonObject, type: unknown, event: string): ItemInStream | undefined {
    const item = fieldsOf(fields['item'])
    const name = fields['item_id'] ?? item['id'] ?? item['call_id']
    const place = fields['output_index'] ?? name
    if (place === undefined) return undefined
    const known = this.#items.get(place)
    if (known === undefined) return this.#add(place, new ItemInStream(type, item, this.#counter))
    if (typeof name === 'string' && !known.names.has(name)) {
      const named = this.#all.find((each) => each.type === type && each.names.has(name))
      if (named !== undefined) return named
      const isAnother = event === 'response.output_item.added' && namesOf(item).isDisjointFrom(known.names)
      if (isAnother) return this.#add(place, new ItemInStream(type, item, this.#counter))
    }
    return known.type === type ? known : undefined
  }

  #add(place: unknown, item: ItemInStream): ItemInStream {
    if (this.#all.length >= ITEMS_LIMIT) throw new Fault('upstream_malformed', TOO_MANY)
    this.#items.set(place, item)
    this.#all.push(item)
    return item
  }

  /** The response as it is at its end may be all that came of an answer, or of an item. */
  #end(response: JsonObject): readonly StreamPart[] {
    const parts: StreamPart[] = []
    const seen = [...this.#all]
    const output = listOf(response['output']).map((item) => fieldsOf(item))
    if (output.length > ITEMS_LIMIT) throw new Fault('upstream_malformed', TOO_MANY)
    for (const [item, before] of matched(output, seen)) {
      const found = before ?? new ItemInStream(item['type'], item, this.#counter)
      if (before === null) seen.push(found)
      append(parts, found.done(item))
    }
    const hasCalls = seen.some(({ isCall }) => isCall)
    const stop = stopOf(response, hasCalls)
    this.hasCutCall = isUncut(stop) && seen.some(({ isCall, isDone }) => isCall && !isDone)
    append(parts, this.end())
    this.#isOver = true
    parts.push({ kind: 'stop', choice: 0, stop })
    return parts
  }
}

function fieldsIn(event: ServerEvent): JsonObject {
  const fields = fieldsOf(jsonOf(event))
  if (fields['item'] === undefined && fields['response'] === undefined) return fields
  const items = [fields['item'], ...listOf(fieldsOf(fields['response'])['output'])]
  const hasObject = items.some((item) => isObject(fieldsOf(item)['arguments']))
  return hasObject ? fieldsOf(exactJsonOf(event, ARGUMENTS)) : fields
}

/** `response.done` is how some upstreams call it. */
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.done'])

/** The type of the item that an event belongs to. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['response.output_text.delta', 'message'],
  ['response.refusal.delta', 'message'],
  ['response.content_part.done', 'message'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'function_call'],
  ['response.custom_tool_call_input.delta', 'custom_tool_call'],
])

function partsOf(item: ItemInStream, type: string, fields: JsonObject): readonly StreamPart[] {
  switch (type) {
    case 'response.output_item.added':
      return item.added(fieldsOf(fields['item']))
    case 'response.output_item.done':
      return item.done(fieldsOf(fields['item']))
    case 'response.output_text.delta':
      return item.textDelta('text', fields)
    case 'response.refusal.delta':
      return item.textDelta('refusal', fields)
    case 'response.content_part.done':
      return item.partDone(fields)
    case 'response.reasoning_text.delta':
      return item.reasoningDelta('content', fields)
    case 'response.reasoning_summary_text.delta':
      return item.reasoningDelta('summary', fields)
    default:
      return item.inputDelta(fields)
  }
}

/**
 * Each item of the whole output with the one that was streamed of it: by its names, else the next of its type that nothing
 * else is known by. Null: nothing of it was streamed.
 */
function matched(
  output: readonly JsonObject[],
  seen: readonly ItemInStream[],
): readonly (readonly [JsonObject, ItemInStream | null])[] {
  const left = new Set(seen)
  const byName = output.map((item) => {
    const names = namesOf(item)
    const found = [...left].find(
      ({ type, names: known }) => type === item['type'] && names.intersection(known).size > 0,
    )
    if (found !== undefined) left.delete(found)
    return found ?? null
  })
  return output.map((item, i) => {
    const found = byName[i] ?? [...left].find(({ type }) => type === item['type']) ?? null
    if (found !== null) left.delete(found)
    return [item, found] as const
  })
}

/** A block that an item has begun. What came of it is only counted, so that the whole can add what is missing. */
interface BegunBlock {
  readonly block: number
  characters: number
  hasLogprobs: boolean
  isOpen: boolean
}

/** Numbers blocks throughout a stream. */
interface BlockCounter {
  next: number
}

/**
 * One item of the output as its events bring it: piece by piece, or whole when it is done, or whole only in the response
 * at the end. Whatever comes twice goes on once.
 */
class ItemInStream {
  readonly type: unknown
  readonly names: ReadonlySet<string>
  readonly #counter: BlockCounter
  /** Blocks by the place of their part in a message; calls and reasoning are one block. */
  readonly #blocks = new Map<number, BegunBlock>()
  /** Reasoning is shown in one of two places, by the first that is seen. */
  #shownIn: 'summary' | 'content' | null = null
  #shownPart = 0
  isDone = false

  constructor(type: unknown, item: JsonObject, counter: BlockCounter) {
    this.type = type
    this.names = namesOf(item)
    this.#counter = counter
  }

  get isCall(): boolean {
    return this.type === 'function_call' || this.type === 'custom_tool_call'
  }

  /** What is known when it is added: of calls, who is called. */
  added(item: JsonObject): readonly StreamPart[] {
    const call = this.isCall ? callOf(item) : null
    return call === null ? [] : this.#begin(0, beginOf(call))
  }

  textDelta(kind: 'text' | 'refusal', event: JsonObject): readonly StreamPart[] {
    const place = placeIn(event, 'content_index')
    const delta = this.#begun(place, { kind }, event['delta'])
    const logprobs = event['logprobs']
    // Nearly all events of a stream are a delta and no more.
    if (!Array.isArray(logprobs) || logprobs.length === 0) return delta
    return [...delta, ...this.#logprobs(place, logprobs)]
  }

  /** Only of calls that were begun: before, it is not known what is called. */
  inputDelta(event: JsonObject): readonly StreamPart[] {
    return this.#delta(0, event['delta'])
  }

  reasoningDelta(shownIn: 'summary' | 'content', event: JsonObject): readonly StreamPart[] {
    this.#shownIn ??= shownIn
    const delta = event['delta']
    if (this.#shownIn !== shownIn || typeof delta !== 'string' || delta === '') return []
    const part = placeIn(event, shownIn === 'summary' ? 'summary_index' : 'content_index')
    const begun = this.#blocks.get(0)
    const separator = part !== this.#shownPart && begun !== undefined && begun.characters > 0 ? '\n\n' : ''
    this.#shownPart = part
    return this.#begun(0, { kind: 'reasoning' }, separator + delta)
  }

  /** A part of a message is done. */
  partDone(event: JsonObject): readonly StreamPart[] {
    const [place, block] = [placeIn(event, 'content_index'), contentBlockOf(fieldsOf(event['part']))]
    return block === null ? [] : [...this.#whole(place, block), ...this.#end(place)]
  }

  /** The item is done: what has not come of it comes now. */
  done(item: JsonObject): readonly StreamPart[] {
    const parts = [...this.#rest(item)]
    this.isDone = true
    for (const place of this.#blocks.keys()) parts.push(...this.#end(place))
    return parts
  }

  #rest(item: JsonObject): readonly StreamPart[] {
    if (this.isDone) return []
    if (this.type === 'message') {
      return listOf(item['content']).flatMap((part, place) => {
        const block = contentBlockOf(fieldsOf(part))
        return block === null ? [] : this.#whole(place, block)
      })
    }
    const call = this.isCall ? callOf(item) : null
    if (call !== null) return this.#whole(0, call)
    if (this.type !== 'reasoning') return []
    const [text, opaque] = [reasoningTextOf(item, this.#shownIn), opaqueOf(item)]
    if (text === '' && opaque === null) return []
    const parts = [...this.#whole(0, { kind: 'reasoning', text, opaque })]
    const begun = this.#blocks.get(0)
    if (opaque !== null && begun?.isOpen === true) parts.push({ kind: 'opaque', block: begun.block, opaque })
    return parts
  }

  /** A delta of a block, which begins with it. */
  #begun(place: number, of: BeginOf, delta: unknown): readonly StreamPart[] {
    if (this.#blocks.has(place)) return this.#delta(place, delta)
    return [...this.#begin(place, of), ...this.#delta(place, delta)]
  }

  #begin(place: number, of: BeginOf): readonly StreamPart[] {
    if (this.isDone || this.#blocks.has(place)) return []
    const block = this.#counter.next
    this.#counter.next += 1
    this.#blocks.set(place, { block, characters: 0, hasLogprobs: false, isOpen: true })
    return [{ kind: 'begin', block, choice: 0, of }]
  }

  #delta(place: number, delta: unknown): readonly StreamPart[] {
    const begun = this.#blocks.get(place)
    if (begun?.isOpen !== true || typeof delta !== 'string' || delta === '') return []
    begun.characters += delta.length
    return [{ kind: 'delta', block: begun.block, text: delta }]
  }

  #logprobs(place: number, value: unknown): readonly StreamPart[] {
    const begun = this.#blocks.get(place)
    const logprobs = logprobsOf(value)
    if (begun?.isOpen !== true || logprobs.length === 0) return []
    begun.hasLogprobs = true
    return [{ kind: 'logprobs', block: begun.block, logprobs }]
  }

  /** Begins the block if need be, and adds what its deltas did not bring. */
  #whole(place: number, block: AnswerBlock): readonly StreamPart[] {
    const parts = [...this.#begin(place, beginOf(block))]
    const begun = this.#blocks.get(place)
    const text = block.kind === 'tool_call' ? block.input : block.text
    parts.push(...this.#delta(place, text.slice(begun?.characters ?? 0)))
    if (block.kind !== 'text' || block.logprobs === undefined) return parts
    if (begun === undefined || begun.hasLogprobs || !begun.isOpen) return parts
    begun.hasLogprobs = true
    return [...parts, { kind: 'logprobs', block: begun.block, logprobs: block.logprobs }]
  }

  #end(place: number): readonly StreamPart[] {
    const begun = this.#blocks.get(place)
    if (begun?.isOpen !== true) return []
    begun.isOpen = false
    return [{ kind: 'end', block: begun.block }]
  }
}

/** Names by which an item is known again: some upstreams give it another id in each event. */
function namesOf(item: JsonObject): ReadonlySet<string> {
  return new Set([item['id'], item['call_id']].filter((name) => typeof name === 'string'))
}

function beginOf(block: AnswerBlock): BeginOf {
  if (block.kind !== 'tool_call') return { kind: block.kind }
  return { kind: 'tool_call', id: block.id, name: block.name, isCustom: block.isCustom }
}

function placeIn(event: JsonObject, field: 'content_index' | 'summary_index'): number {
  const place = event[field]
  return typeof place === 'number' && Number.isSafeInteger(place) && place >= 0 ? place : 0
}
