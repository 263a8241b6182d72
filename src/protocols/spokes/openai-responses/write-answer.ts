import { type TokenCounts, totalInput, totalOutput } from '../../../core/tokens.ts'
import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { BeginOf, NeutralAnswer, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import {
  callItem,
  itemId,
  type ItemPrefix,
  type ItemStatus,
  messageItem,
  prefixOf,
  reasoningItem,
  refusalPart,
  textPart,
  writtenCall,
} from './answer-items.ts'
import { type ClientTool, clientTools } from './tool-names.ts'
import { Fault } from '../../../core/faults.ts'
import { KEPT_PARTS_LIMIT_BYTES } from '../../../core/limits.ts'
import { openaiError } from '../../fault-body.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import { CallEvents, EventLog, type ItemEvents, ItemPlace, MessageEvents, ReasoningEvents } from './item-events.ts'
import { KEEP_ALIVE_COMMENT } from '../../stream/keep-alive-comment.ts'
import { madeUpId } from '../../stream/early-usage.ts'

/** The answer as a response. This wire has one choice. */
export function writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const choice = answer.choices[0]
  const { status, details } = endOf(choice?.stop.reason ?? 'end')
  const tools = clientTools(call.request.tools, call.asked)
  const output = (choice?.blocks ?? []).map((block, index) =>
    itemOf(block, { requestId: call.requestId, index, tools }),
  )
  return {
    ...sameFields(call),
    status,
    completed_at: status === 'completed' ? Math.floor(call.nowMs / 1000) : null,
    error: null,
    incomplete_details: details,
    output: output.length > 0 || status === 'incomplete' ? output : [emptyMessage(call.requestId)],
    usage: writeUsage(usage, 0),
  }
}

/** An answer without a word. Without any item, OpenAI's Agents SDK asks again and again. */
function emptyMessage(requestId: string): JsonObject {
  return messageItem(itemId('msg', requestId, 0), 'completed', [textPart('', [])])
}

interface OutputPlace {
  readonly requestId: string
  readonly index: number
  readonly tools: ReadonlyMap<string, ClientTool>
}

function itemOf(block: AnswerBlock, { requestId, index, tools }: OutputPlace): JsonObject {
  switch (block.kind) {
    case 'text':
      return messageItem(itemId('msg', requestId, index), 'completed', [textPart(block.text, block.logprobs ?? [])])
    case 'refusal':
      return messageItem(itemId('msg', requestId, index), 'completed', [refusalPart(block.text)])
    case 'reasoning':
      return reasoningItem(itemId('rs', requestId, index), block.text, block.opaque)
    case 'tool_call': {
      const call = writtenCall(block, tools)
      const input = block.input === '' && !block.isCustom ? '{}' : block.input
      return callItem(itemId(prefixOf(call), requestId, index), 'completed', { call, input })
    }
  }
}

/** How a response stands, beside what stays the same. */
interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  /** The items as JSON. */
  readonly output: readonly string[]
  readonly usage?: JsonObject
  readonly details?: JsonObject | null
  readonly error?: JsonObject
}

/**
 * Writes a stream of the responses wire: every event of every item, numbered, and the whole output once more in the last
 * one, for which all of it is kept. Codex lives on `output_item.done`, OpenAI's own libraries on each step before it.
 */
export class ResponsesPartWriter implements PartWriter {
  readonly takesMixedBlocks = false
  readonly #call: ClientCall
  readonly #tools: ReadonlyMap<string, ClientTool>
  readonly #log = new EventLog()
  /** What every event about the response repeats, as JSON without its last brace. */
  readonly #same: string
  readonly #output: string[] = []
  #open: { readonly block: number; readonly item: ItemEvents } | null = null
  #room = KEPT_PARTS_LIMIT_BYTES
  #hasBegun = false
  #stop: StopReason = 'end'

  constructor(call: ClientCall) {
    this.#call = call
    this.#tools = clientTools(call.request.tools, call.asked)
    this.#same = JSON.stringify(sameFields(call)).slice(0, -1)
  }

  write(part: StreamPart): string {
    return this.#begin() + this.#written(part)
  }

  end({ reported, estimatedOutputTokens }: StreamUsage): string {
    let events = this.#begin() + this.#close('incomplete')
    const { status, details } = endOf(this.#stop)
    // An answer without a word. Without any item, OpenAI's Agents SDK asks again and again.
    if (this.#output.length === 0 && status === 'completed')
      events += this.#openItem(-1, { kind: 'text' }) + this.#close('completed')
    const usage = writeUsage(reported, estimatedOutputTokens)
    return events + this.#about(`response.${status}`, { status, details, usage, output: this.#output })
  }

  /** OpenAI's libraries break on any event before `response.created`. Behind it, it has the number of the event before it. */
  keepAlive(): string {
    if (!this.#hasBegun) return KEEP_ALIVE_COMMENT
    return `event: keepalive\ndata: {"type":"keepalive","sequence_number":${this.#log.last}}\n\n`
  }

  writeFault(fault: Fault): string {
    const { code, message, param } = openaiError(fault, this.#call.requestId).error
    if (this.#hasBegun) {
      return this.#about('response.failed', { status: 'failed', error: { code, message }, output: [] })
    }
    return this.#log.event('error', JSON.stringify({ code, message, param }).slice(1, -1))
  }

  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    const begun: ResponseState = { status: 'in_progress', output: [] }
    return this.#about('response.created', begun) + this.#about('response.in_progress', begun)
  }

  #written(part: StreamPart): string {
    if (part.kind === 'stop') {
      if (part.choice === 0) this.#stop = part.stop.reason
      return ''
    }
    if (part.kind === 'begin') {
      return part.choice === 0 ? this.#close('incomplete') + this.#openItem(part.block, part.of) : ''
    }
    if (this.#open?.block !== part.block) return ''
    const { item } = this.#open
    switch (part.kind) {
      case 'delta':
        this.#take(part.text.length)
        return item.delta(part.text)
      case 'logprobs':
        this.#take(part.logprobs.length * LOGPROB_BYTES)
        return item.logprobs(part.logprobs)
      case 'opaque':
        this.#take(part.opaque.data.length)
        item.opaque(part.opaque)
        return ''
      case 'end':
        return this.#close('completed')
    }
  }

  #openItem(block: number, of: BeginOf): string {
    this.#take(ITEM_BYTES)
    const item = this.#itemOf(of)
    this.#open = { block, item }
    return item.added()
  }

  #itemOf(of: BeginOf): ItemEvents {
    if (of.kind === 'reasoning') return new ReasoningEvents(this.#place('rs'))
    if (of.kind === 'tool_call') {
      const call = writtenCall(of, this.#tools)
      return new CallEvents(this.#place(prefixOf(call)), call)
    }
    const wantsLogprobs = this.#call.request.settings.get('logprobs') !== null
    return new MessageEvents(this.#place('msg'), { isRefusal: of.kind === 'refusal', wantsLogprobs })
  }

  #place(prefix: ItemPrefix): ItemPlace {
    const index = this.#output.length
    return new ItemPlace(itemId(prefix, this.#call.requestId, index), index, this.#log)
  }

  #close(status: ItemStatus): string {
    if (this.#open === null) return ''
    const { events, item } = this.#open.item.done(status)
    this.#open = null
    this.#output.push(item)
    return events
  }

  #about(type: string, { status, output, usage, details, error }: ResponseState): string {
    const state = JSON.stringify({
      status,
      // The clock was not read since the request.
      completed_at: null,
      error: error ?? null,
      incomplete_details: details ?? null,
      usage: usage ?? null,
    }).slice(1, -1)
    return this.#log.event(type, `"response":${this.#same},${state},"output":[${output.join(',')}]}`)
  }

  /** All of the answer is kept, and sent once more in one event: so there is an end to it. */
  #take(bytes: number): void {
    this.#room -= bytes
    if (this.#room < 0) throw new Fault('upstream_malformed', 'The model’s answer is longer than the gateway supports.')
  }
}

/** What an item and a probability take beside their text, about. */
const ITEM_BYTES = 256
const LOGPROB_BYTES = 128

/**
 * The fields of a response that stay the same from its first event to its last: all that the Open Responses schema
 * (`ResponseResource`) requires, repeated from the request where it said them, else what is so by default.
 */
function sameFields({ asked, requestId, model, nowMs }: ClientCall): JsonObject {
  const reasoning = fieldsOf(asked['reasoning'])
  return {
    id: madeUpId('resp_', requestId),
    object: 'response',
    created_at: Math.floor(nowMs / 1000),
    model,
    background: false,
    previous_response_id: null,
    store: false,
    truncation: 'disabled',
    service_tier: 'default',
    ...bounded(asked),
    ...Object.fromEntries(REPEATED.map(([field, byDefault]) => [field, asked[field] ?? byDefault])),
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    text: { ...fieldsOf(asked['text']), format: fieldsOf(asked['text'])['format'] ?? { type: 'text' } },
  }
}

const REPEATED: readonly (readonly [string, unknown])[] = [
  ['frequency_penalty', 0],
  ['max_output_tokens', null],
  ['max_tool_calls', null],
  ['metadata', {}],
  ['parallel_tool_calls', true],
  ['presence_penalty', 0],
  ['prompt_cache_key', null],
  ['safety_identifier', null],
  ['temperature', 1],
  ['tool_choice', 'auto'],
  ['top_logprobs', 0],
  ['top_p', 1],
  ['user', null],
]

/** Three events repeat it, and no client reads it: beyond this it reads as empty. Agents send 50,000. */
const REPEATED_LIMIT_CHARACTERS = 128 * 1024

function bounded(asked: JsonObject): JsonObject {
  const instructions = typeof asked['instructions'] === 'string' ? asked['instructions'] : null
  const tools = listOf(asked['tools']).map((tool) => repeatedTool(fieldsOf(tool)))
  return {
    instructions: instructions !== null && instructions.length > REPEATED_LIMIT_CHARACTERS ? null : instructions,
    tools: JSON.stringify(tools).length > REPEATED_LIMIT_CHARACTERS ? [] : tools,
  }
}

/** Functions have all of their fields in an answer. */
function repeatedTool(tool: JsonObject): JsonObject {
  return tool['type'] === 'function' ? { description: null, parameters: null, strict: null, ...tool } : tool
}

/** How an answer ended, as this wire says it. */
function endOf(reason: StopReason): {
  readonly status: 'completed' | 'incomplete'
  readonly details: JsonObject | null
} {
  if (reason === 'length') return { status: 'incomplete', details: { reason: 'max_output_tokens' } }
  if (reason === 'filtered') return { status: 'incomplete', details: { reason: 'content_filter' } }
  return { status: 'completed', details: null }
}

/** Whole numbers everywhere, as clients want them. `estimatedOutput` where no output was reported. */
function writeUsage(counts: TokenCounts, estimatedOutput: number): JsonObject {
  const [input, output] = [totalInput(counts) ?? 0, totalOutput(counts) ?? estimatedOutput]
  const written = (counts.cacheWrite ?? 0) + (counts.cacheWrite1h ?? 0)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: counts.cacheRead ?? 0, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
    total_tokens: input + output,
  }
}
