import { append } from '../../hub/append.ts'
import type { JsonObject } from '../../hub/json-object.ts'
import { isUncut, type StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { fieldsOf } from '../../reading/usage-report.ts'
import { jsonOf, type ServerEvent } from '../../stream/server-event.ts'
import { ItemInStream, namesOf, type BlockCounter } from './item-in-stream.ts'
import { listOf, stopOf } from './read-answer.ts'

/** Items that one answer may have: more would be a mistake of the upstream. */
const ITEMS_LIMIT = 4096

const NOTHING: readonly StreamPart[] = []

/** Reads the events of a responses stream (openai-node's `ResponseStreamEvent`). */
export class ResponsesPartReader implements PartReader {
  readonly #items = new Map<number, ItemInStream>()
  readonly #counter: BlockCounter = { next: 0 }
  #isOver = false
  hasCutCall = false

  read(event: ServerEvent): readonly StreamPart[] {
    const fields = fieldsOf(jsonOf(event))
    const type = fields['type'] ?? event.name
    if (this.#isOver || typeof type !== 'string') return NOTHING
    if (ENDS.has(type)) return this.#end(fieldsOf(fields['response']))
    const index = fields['output_index']
    if (typeof index !== 'number') return NOTHING
    const itemType = type.startsWith('response.output_item.') ? fieldsOf(fields['item'])['type'] : TYPES.get(type)
    const item = itemType === undefined ? undefined : this.#itemAt(index, itemType, fieldsOf(fields['item']))
    return item === undefined ? NOTHING : partsOf(item, type, fields)
  }

  end(): readonly StreamPart[] {
    return [...this.#items.values()].flatMap((item) => item.done({}))
  }

  /** The item there; a new one where it was not announced. */
  #itemAt(index: number, type: unknown, item: JsonObject): ItemInStream | undefined {
    const known = this.#items.get(index)
    if (known !== undefined) return known.type === type ? known : undefined
    if (this.#items.size >= ITEMS_LIMIT) return undefined
    const created = new ItemInStream(type, item, this.#counter)
    this.#items.set(index, created)
    return created
  }

  /** The response as it is at its end may be all that came of an answer, or of an item. */
  #end(response: JsonObject): readonly StreamPart[] {
    const parts: StreamPart[] = []
    const seen = [...this.#items].sort(([one], [other]) => one - other).map(([, item]) => item)
    const output = listOf(response['output'])
      .slice(0, ITEMS_LIMIT)
      .map((item) => fieldsOf(item))
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
