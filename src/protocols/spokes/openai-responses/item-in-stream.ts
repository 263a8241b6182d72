import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { BeginOf, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import { callOf, contentBlockOf, logprobsOf, opaqueOf, reasoningTextOf } from './read-answer.ts'

/** A block that an item has begun. What came of it is only counted, so that the whole can add what is missing. */
interface BegunBlock {
  readonly block: number
  characters: number
  hasLogprobs: boolean
  isOpen: boolean
}

/** Numbers blocks throughout a stream. */
export interface BlockCounter {
  next: number
}

/**
 * One item of the output as its events bring it: piece by piece, or whole when it is done, or whole only in the response
 * at the end. Whatever comes twice goes on once.
 */
export class ItemInStream {
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
export function namesOf(item: JsonObject): ReadonlySet<string> {
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
