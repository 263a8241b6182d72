import { NO_TOKENS, type TokenCounts } from '../../../core/tokens.ts'
import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { BeginOf, NeutralAnswer, Stop, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature } from '../../hub/neutral-request.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { madeUpId } from '../../stream/early-usage.ts'
import { isRedacted, signatureOf, writeStop, writtenUsage } from './answer-fields.ts'
import type { Fault } from '../../../core/faults.ts'
import { anthropicError } from '../../fault-body.ts'
import { namedEvent } from '../../reading/server-event.ts'

/** See Spoke. This wire has one answer to a request. */
export function writeAnswer({ choices }: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const { blocks, stop } = choices[0] ?? { blocks: [], stop: { reason: 'end', sequence: null } }
  const seen = {
    hasCalls: blocks.some(({ kind }) => kind === 'tool_call'),
    hasRefusal: blocks.some(({ kind }) => kind === 'refusal'),
  }
  return {
    id: madeUpId('msg_', call.requestId),
    type: 'message',
    role: 'assistant',
    model: call.model,
    content: withoutLastThought(blocks).flatMap(writeBlock),
    ...writeStop(stop, seen),
    usage: writtenUsage({ reported: usage, estimatedOutputTokens: 0 }),
  }
}

/** A thought of another vendor at the end belongs to nothing, and clients take what ends in thinking for empty. */
function withoutLastThought(blocks: readonly AnswerBlock[]): readonly AnswerBlock[] {
  const last = blocks.at(-1)
  const isNothing = last?.kind === 'reasoning' && last.text === '' && last.opaque?.vendor !== 'anthropic'
  return isNothing ? blocks.slice(0, -1) : blocks
}

/** A call whose input is not a JSON object gets an empty one, since the wire has nothing else; its tool then says what it misses. */
function writeBlock(block: AnswerBlock): JsonObject[] {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }]
    case 'reasoning':
      if (block.text === '' && block.opaque === null) return []
      if (isRedacted(block.opaque)) return [{ type: 'redacted_thinking', data: block.opaque.data }]
      return [{ type: 'thinking', thinking: block.text, signature: signatureOf(block.opaque) }]
    case 'tool_call':
      return [
        {
          type: 'tool_use',
          id: block.id,
          name: block.name,
          input: callInput(block.input) ?? {},
        },
      ]
  }
}

/** The block of the neutral stream that is under way. */
interface NeutralBlock {
  readonly block: number
  readonly of: BeginOf
  /** Whether the client has seen its start, which waits for the first text: Anthropic refuses empty texts sent back. */
  isStarted: boolean
  opaque: ProviderSignature | null
}

/**
 * Writes a stream as Anthropic's own go, in the order that clients insist on: `message_start`, the blocks one by one,
 * `message_delta` with the usage, `message_stop`. Where usage is known at the end only, it begins with zeros.
 */
export class MessagesPartWriter implements PartWriter {
  readonly takesMixedBlocks = false
  readonly #call: ClientCall
  #hasBegun = false
  #open: NeutralBlock | null = null
  /** The `index` of the next block. */
  #index = 0
  #stop: Stop = { reason: 'end', sequence: null }
  #hasCalls = false
  #hasRefusal = false
  /**
   * Reasoning of another vendor of which nothing is shown. It waits for what it belongs to, since Claude Code takes an answer
   * that ends in thinking for an empty one.
   */
  #waiting: ProviderSignature | null = null
  /** What stands before and behind the text of a delta of the open block. */
  #delta = ''

  constructor(call: ClientCall) {
    this.#call = call
  }

  write(part: StreamPart): string {
    return this.#begin() + this.#write(part)
  }

  end(usage: StreamUsage): string {
    const delta = writeStop(this.#stop, { hasCalls: this.#hasCalls, hasRefusal: this.#hasRefusal })
    const closing = namedEvent('message_delta', { delta, usage: writtenUsage(usage) })
    return this.#begin() + this.#close() + closing + MESSAGE_STOP
  }

  keepAlive(): string {
    return PING
  }

  writeFault(fault: Fault): string {
    return namedEvent('error', anthropicError(fault, this.#call.requestId))
  }

  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    const { requestId, model, usedInput = NO_TOKENS } = this.#call
    const stop = { stop_reason: null, stop_sequence: null }
    const id = madeUpId('msg_', requestId)
    const reported = { ...usedInput, output: 0, reasoning: null }
    const usage = writtenUsage({ reported, estimatedOutputTokens: 0 })
    const message = { id, type: 'message', role: 'assistant', model, content: [], ...stop, usage }
    return namedEvent('message_start', { message })
  }

  #write(part: StreamPart): string {
    switch (part.kind) {
      case 'begin':
        return this.#beginBlock(part.block, part.of)
      case 'delta':
        return this.#open?.block === part.block ? this.#writeDelta(this.#open, part.text) : ''
      case 'opaque':
        if (this.#open?.block === part.block) this.#open.opaque = part.opaque
        return ''
      case 'end':
        return this.#open?.block === part.block ? this.#close() : ''
      case 'stop':
        if (part.choice === 0) this.#stop = part.stop
        return ''
      case 'logprobs':
        return ''
    }
  }

  #beginBlock(block: number, of: BeginOf): string {
    const before = this.#close() + this.#writeWaiting()
    this.#open = { block, of, isStarted: false, opaque: null }
    this.#hasCalls ||= of.kind === 'tool_call'
    this.#hasRefusal ||= of.kind === 'refusal'
    return of.kind === 'tool_call' ? before + this.#start(this.#open) : before
  }

  #writeDelta(open: NeutralBlock, text: string): string {
    return `${open.isStarted ? '' : this.#start(open)}${this.#delta}${JSON.stringify(text)}}}\n\n`
  }

  #start(open: NeutralBlock): string {
    open.isStarted = true
    const [content, delta] = startOf(open.of)
    this.#delta = `${DELTA}${this.#index},"delta":${delta}`
    return `${START}${this.#index},"content_block":${content}}\n\n`
  }

  /** Ends the open block; one that said nothing was never there. */
  #close(): string {
    const open = this.#open
    if (open === null) return ''
    this.#open = null
    if (open.of.kind !== 'reasoning') return open.isStarted ? this.#stopBlock() : ''
    const { opaque } = open
    if (!open.isStarted && opaque === null) return ''
    if (!open.isStarted && isRedacted(opaque)) {
      const content = JSON.stringify({ type: 'redacted_thinking', data: opaque.data })
      return `${START}${this.#index},"content_block":${content}}\n\n` + this.#stopBlock()
    }
    if (!open.isStarted && opaque !== null && opaque.vendor !== 'anthropic') {
      this.#waiting = opaque
      return ''
    }
    return (open.isStarted ? '' : this.#start(open)) + this.#sign(opaque)
  }

  #writeWaiting(): string {
    const opaque = this.#waiting
    if (opaque === null) return ''
    this.#waiting = null
    const start = this.#start({ block: -1, of: { kind: 'reasoning' }, isStarted: false, opaque })
    return start + this.#sign(opaque)
  }

  #sign(opaque: ProviderSignature | null): string {
    const signature = JSON.stringify(signatureOf(opaque))
    const signed = `${DELTA}${this.#index},"delta":{"type":"signature_delta","signature":${signature}}}\n\n`
    return signed + this.#stopBlock()
  }

  #stopBlock(): string {
    return `event: content_block_stop\ndata: {"type":"content_block_stop","index":${this.#index++}}\n\n`
  }
}

const START = 'event: content_block_start\ndata: {"type":"content_block_start","index":'
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":'
const PING = namedEvent('ping')
const MESSAGE_STOP = namedEvent('message_stop')

/** The content of a block's start, and the beginning of its deltas, up to their text. */
function startOf(of: BeginOf): readonly [content: string, delta: string] {
  switch (of.kind) {
    case 'tool_call': {
      const content = { type: 'tool_use', id: of.id, name: of.name, input: {} }
      return [JSON.stringify(content), '{"type":"input_json_delta","partial_json":']
    }
    case 'reasoning':
      return ['{"type":"thinking","thinking":"","signature":""}', '{"type":"thinking_delta","thinking":']
    case 'text':
    case 'refusal':
      return ['{"type":"text","text":""}', '{"type":"text_delta","text":']
  }
}
