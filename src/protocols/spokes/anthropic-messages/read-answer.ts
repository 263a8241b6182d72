import { inputText } from '../../hub/call-input.ts'
import { fieldsOf, isObject, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import { type BeginOf, isUncut, type NeutralAnswer, type StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import { readStop } from './answer-fields.ts'
import { Fault } from '../../../core/faults.ts'
import { KEPT_PARTS_LIMIT_BYTES } from '../../../core/limits.ts'
import type { PartReader } from '../../hub/spoke.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'

/** See Spoke. What tools at the provider did is passed over: a client of another wire never asked for them. */
export function readAnswer(body: JsonObject): NeutralAnswer {
  const blocks = listOf(body['content']).flatMap((block) => readBlock(fieldsOf(block)))
  const refusal = refusalOf(body)
  if (refusal !== null) blocks.push({ kind: 'refusal', text: refusal })
  const hasCalls = blocks.some(({ kind }) => kind === 'tool_call')
  return { choices: [{ blocks, stop: readStop(body['stop_reason'], body['stop_sequence'], hasCalls) }] }
}

/** Why the answer was refused, in words, where given: of a whole answer, or of the `delta` of `message_delta`. */
function refusalOf(message: JsonObject): string | null {
  if (message['stop_reason'] !== 'refusal') return null
  const words = textOf(fieldsOf(message['stop_details'])['explanation'])
  return words === '' ? null : words
}

function readBlock(block: JsonObject): AnswerBlock[] {
  switch (block['type']) {
    case 'text':
      return [{ kind: 'text', text: textOf(block['text']) }]
    case 'thinking': {
      const data = textOf(block['signature'])
      const opaque = data === '' ? null : ({ vendor: 'anthropic', data } as const)
      return [{ kind: 'reasoning', text: textOf(block['thinking']), opaque }]
    }
    case 'redacted_thinking':
      return [redacted(textOf(block['data']))]
    case 'tool_use': {
      const [id, name] = [textOf(block['id']), textOf(block['name'])]
      return [{ kind: 'tool_call', id, name, input: inputText(block['input']), isCustom: false }]
    }
    default:
      return []
  }
}

function redacted(data: string): AnswerBlock {
  return { kind: 'reasoning', text: '', opaque: { vendor: 'anthropic', data, isRedacted: true } }
}

/** A content block that is under way. */
interface ReadBlock {
  readonly block: number
  readonly isCall: boolean
  /** What the block began with, of a call that an upstream gave whole. */
  readonly totalInput: string
  hasText: boolean
  signature: string
}

/** More than any upstream has open at once. */
const OPEN_BLOCKS_LIMIT = 64
const TOO_MANY = 'The model sent more parallel tool calls than the gateway supports.'
const TOO_LONG = 'The model’s answer is longer than the gateway supports.'
const NOTHING: readonly StreamPart[] = []

/** What a call is given. */
export const INPUT: FreeFields = new Map([['input', 'data']])

/** Reads the stream of an upstream that speaks messages. Blocks of tools at the provider are passed over. */
export class MessagesPartReader implements PartReader {
  /** Blocks by the `index` of the wire. */
  readonly #open = new Map<unknown, ReadBlock>()
  #blocks = 0
  #hasCalls = false
  #hasStopped = false
  hasCutCall = false

  read(event: ServerEvent): readonly StreamPart[] {
    const json = fieldsOf(jsonOf(event))
    const type = json['type'] ?? event.name ?? ''
    switch (type) {
      case 'content_block_delta':
        return this.#delta(json['index'], fieldsOf(json['delta']))
      case 'content_block_start':
        return this.#start(json['index'], fieldsOf(blockOf(json, event)))
      case 'content_block_stop':
        return this.#stop(json['index'])
      case 'message_delta':
        return this.#messageDelta(fieldsOf(json['delta']))
      default:
        return NOTHING
    }
  }

  end(): readonly StreamPart[] {
    this.hasCutCall ||= this.#hasOpenCall
    return this.#endAll()
  }

  get #hasOpenCall(): boolean {
    return this.#open.values().some(({ isCall }) => isCall)
  }

  #endAll(): readonly StreamPart[] {
    return [...this.#open.keys()].flatMap((index) => this.#stop(index))
  }

  #start(index: unknown, content: JsonObject): readonly StreamPart[] {
    const before = this.#stop(index)
    if (this.#hasStopped) return before
    if (this.#open.size >= OPEN_BLOCKS_LIMIT) throw new Fault('upstream_malformed', TOO_MANY)
    switch (content['type']) {
      case 'text':
        return [...before, ...this.#begin(index, { kind: 'text' }, { text: textOf(content['text']) })]
      case 'thinking': {
        const parts = this.#begin(index, { kind: 'reasoning' }, { text: textOf(content['thinking']) })
        this.#sign(index, content['signature'])
        return [...before, ...parts]
      }
      case 'redacted_thinking':
        return [...before, ...this.#redacted(textOf(content['data']))]
      case 'tool_use': {
        const [id, name] = [textOf(content['id']), textOf(content['name'])]
        this.#hasCalls = true
        const of: BeginOf = { kind: 'tool_call', id, name, isCustom: false }
        return [...before, ...this.#begin(index, of, { totalInput: inputText(content['input']) })]
      }
      default:
        return before
    }
  }

  #begin(index: unknown, of: BeginOf, { text = '', totalInput = '' }): StreamPart[] {
    const block = this.#blocks++
    const isCall = of.kind === 'tool_call'
    this.#open.set(index, { block, isCall, totalInput, hasText: text !== '', signature: '' })
    const begin: StreamPart = { kind: 'begin', block, choice: 0, of }
    return text === '' ? [begin] : [begin, { kind: 'delta', block, text }]
  }

  #redacted(data: string): StreamPart[] {
    const block = this.#blocks++
    return [
      { kind: 'begin', block, choice: 0, of: { kind: 'reasoning' } },
      { kind: 'opaque', block, opaque: { vendor: 'anthropic', data, isRedacted: true } },
      { kind: 'end', block },
    ]
  }

  #delta(index: unknown, delta: JsonObject): readonly StreamPart[] {
    const open = this.#open.get(index)
    if (open === undefined) return NOTHING
    switch (delta['type']) {
      case 'text_delta':
        return more(open, delta['text'])
      case 'thinking_delta':
        return more(open, delta['thinking'])
      case 'input_json_delta':
        return more(open, delta['partial_json'])
      case 'signature_delta':
        this.#sign(index, delta['signature'])
        return NOTHING
      default:
        return NOTHING
    }
  }

  #sign(index: unknown, signature: unknown): void {
    const open = this.#open.get(index)
    if (open === undefined || typeof signature !== 'string') return
    open.signature += signature
    if (open.signature.length > KEPT_PARTS_LIMIT_BYTES) throw new Fault('upstream_malformed', TOO_LONG)
  }

  #stop(index: unknown): readonly StreamPart[] {
    const open = this.#open.get(index)
    if (open === undefined) return NOTHING
    this.#open.delete(index)
    const { block, signature, isCall, hasText, totalInput } = open
    const end: StreamPart = { kind: 'end', block }
    // A call without arguments streams no input, or nothing but empty text.
    if (isCall) return hasText ? [end] : [{ kind: 'delta', block, text: totalInput }, end]
    if (signature === '') return [end]
    return [{ kind: 'opaque', block, opaque: { vendor: 'anthropic', data: signature } }, end]
  }

  /** Some upstreams send one without a reason in between. */
  #messageDelta(delta: JsonObject): readonly StreamPart[] {
    if (this.#hasStopped || typeof delta['stop_reason'] !== 'string') return NOTHING
    const stop = readStop(delta['stop_reason'], delta['stop_sequence'], this.#hasCalls)
    this.hasCutCall = this.#hasOpenCall && isUncut(stop)
    const parts = [...this.#endAll()]
    this.#hasStopped = true
    const refusal = refusalOf(delta)
    if (refusal !== null) {
      const block = this.#blocks++
      parts.push({ kind: 'begin', block, choice: 0, of: { kind: 'refusal' } })
      parts.push({ kind: 'delta', block, text: refusal }, { kind: 'end', block })
    }
    parts.push({ kind: 'stop', choice: 0, stop })
    return parts
  }
}

/** A block that begins. Few upstreams give the input of a call there, whole. */
function blockOf(json: JsonObject, event: ServerEvent): unknown {
  const block = json['content_block']
  const hasInput = isObject(block) && isObject(block['input']) && Object.keys(block['input']).length > 0
  return hasInput ? fieldsOf(exactJsonOf(event, INPUT))['content_block'] : block
}

function more(open: ReadBlock, text: unknown): readonly StreamPart[] {
  if (typeof text !== 'string' || text === '') return NOTHING
  open.hasText = true
  return [{ kind: 'delta', block: open.block, text }]
}
