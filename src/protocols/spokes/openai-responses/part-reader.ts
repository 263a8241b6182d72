import { Fault } from '../../../core/faults.ts'
import { append } from '../../hub/append.ts'
import { fieldsOf, isObject, type JsonObject, listOf } from '../../json/json-object.ts'
import { isUncut, type StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { ItemInStream, namesOf, type BlockCounter } from './item-in-stream.ts'
import { stopOf } from './read-answer.ts'

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
