import type { Fault } from '../../../core/faults.ts'
import { openaiError } from '../../fault-body.ts'
import { dataEvent } from '../../reading/server-event.ts'
import type { BeginOf, Stop, StreamPart } from '../../hub/neutral-answer.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { answerFrame, asksForFunctions, type ReasoningBegin, ReasoningPlaces, writeUsage } from './write-answer.ts'
import type { ProviderSignature, TokenLogprob } from '../../hub/neutral-request.ts'
import { writeFinishReason, writeLogprobs } from './message-fields.ts'

/** Writes a streamed chat completion: a chunk for each part, the usage if it was asked for, and `[DONE]`. */
export class ChatPartWriter implements PartWriter {
  readonly takesMixedBlocks = true
  readonly #call: ClientCall
  /** A chunk up to the index of its choice, and up to the list of its choices. */
  readonly #choiceHead: string
  readonly #head: string
  readonly #isLegacy: boolean
  readonly #choices = new Map<number, ChoiceWriter>()
  readonly #blocks = new Map<number, { readonly choice: ChoiceWriter; readonly written: WrittenBlock }>()

  constructor(call: ClientCall) {
    this.#call = call
    const { id, created, model } = answerFrame(call)
    const frame = JSON.stringify({ id, object: 'chat.completion.chunk', created, model })
    this.#head = `data: ${frame.slice(0, -1)},"choices":[`
    this.#choiceHead = `${this.#head}{"index":`
    this.#isLegacy = asksForFunctions(call)
  }

  write(part: StreamPart): string {
    if (part.kind === 'stop') return this.#choice(part.choice).stop(part.stop)
    if (part.kind === 'begin') return this.#begin(part.block, part.choice, part.of)
    const block = this.#blocks.get(part.block)
    if (block === undefined) return ''
    const { choice, written } = block
    switch (part.kind) {
      case 'delta':
        return choice.delta(written, part.text)
      case 'logprobs':
        return choice.logprobs(part.logprobs)
      case 'opaque':
        written.opaque = part.opaque
        return ''
      case 'end':
        this.#blocks.delete(part.block)
        return choice.end(written)
    }
  }

  end({ reported, estimatedOutputTokens }: StreamUsage): string {
    let rest = ''
    for (const { choice, written } of this.#blocks.values()) {
      // Cut before its first character: it may not have stayed empty.
      written.whenEmpty = ''
      rest += choice.end(written)
    }
    this.#blocks.clear()
    if (this.#choices.size === 0) this.#choice(0)
    for (const choice of this.#choices.values()) rest += choice.stop({ reason: 'end', sequence: null })
    const usage = this.#call.includeUsage ? writeUsage(reported, estimatedOutputTokens) : null
    if (usage !== null) rest += `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`
    return `${rest}data: [DONE]\n\n`
  }

  /** A chunk with an empty delta: comments don't reset every client's timer, and all accept it even as the first. */
  keepAlive(): string {
    return `${this.#choiceHead}0,"delta":{},"logprobs":null,"finish_reason":null}]}\n\n`
  }

  writeFault(fault: Fault): string {
    return dataEvent(openaiError(fault, this.#call.requestId))
  }

  #begin(block: number, index: number, of: BeginOf): string {
    const choice = this.#choice(index)
    const { written, text } = choice.begin(of)
    this.#blocks.set(block, { choice, written })
    return text
  }

  #choice(index: number): ChoiceWriter {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const choice = new ChoiceWriter({ head: `${this.#choiceHead}${index},"delta":{`, isLegacy: this.#isLegacy })
    this.#choices.set(index, choice)
    return choice
  }
}

/** A block that is being written. */
interface WrittenBlock {
  readonly kind: BeginOf['kind']
  /** A delta of it is its text as JSON between these two. */
  readonly before: string
  readonly after: string
  readonly begin: ReasoningBegin | null
  opaque: ProviderSignature | null
  /** What has to be written at its end, as it got no text so far. */
  whenEmpty: string
}

const AFTER = ',"logprobs":null,"finish_reason":null}]}\n\n'

/** One choice of a streamed answer, as text of chunks. */
class ChoiceWriter {
  readonly #head: string
  readonly #isLegacy: boolean
  readonly #places = new ReasoningPlaces()
  #hasBegun = false
  #hasRefusal = false
  #hasStopped = false
  /** The call that a client of 2023 gets; all others are counted in `tool_calls`. */
  #legacyCalls = 0

  /** `head`: a chunk up to and with the brace that opens the delta. */
  constructor({ head, isLegacy }: { readonly head: string; readonly isLegacy: boolean }) {
    this.#head = head
    this.#isLegacy = isLegacy
  }

  begin(of: BeginOf): { readonly written: WrittenBlock; readonly text: string } {
    switch (of.kind) {
      case 'text':
        this.#places.text()
        return { written: opened('text', '"content":'), text: '' }
      case 'refusal':
        this.#hasRefusal = true
        return { written: opened('refusal', '"refusal":'), text: '' }
      case 'reasoning':
        return { written: { ...opened('reasoning', '"reasoning_content":'), begin: this.#places.begin() }, text: '' }
      case 'tool_call':
        return this.#beginCall(of)
    }
  }

  delta(block: WrittenBlock, text: string): string {
    if (block.kind === 'reasoning') this.#places.add(text)
    block.whenEmpty = ''
    return this.#chunk(block.before + JSON.stringify(text) + block.after)
  }

  logprobs(logprobs: readonly TokenLogprob[]): string {
    return `${this.#head}},"logprobs":${JSON.stringify(writeLogprobs(logprobs))},"finish_reason":null}]}\n\n`
  }

  end(block: WrittenBlock): string {
    if (block.whenEmpty !== '') return this.delta(block, block.whenEmpty)
    if (block.begin === null) return ''
    const detail = this.#places.end(block.begin, block.opaque)
    return detail === null ? '' : this.#chunk(`"reasoning_details":[${JSON.stringify(detail)}]`)
  }

  /** Empty when it has stopped before. */
  stop(stop: Stop): string {
    if (this.#hasStopped) return ''
    this.#hasStopped = true
    const held = { hasCalls: this.#places.calls > 0, hasRefusal: this.#hasRefusal }
    const reason = writeFinishReason(stop, held)
    const written = this.#isLegacy && reason === 'tool_calls' ? 'function_call' : reason
    const delta = this.#hasBegun ? '' : '"role":"assistant","content":""'
    this.#hasBegun = true
    return `${this.#head}${delta}},"logprobs":null,"finish_reason":"${written}"}]}\n\n`
  }

  #beginCall({ id, name, isCustom }: Extract<BeginOf, { kind: 'tool_call' }>): {
    readonly written: WrittenBlock
    readonly text: string
  } {
    const extra = this.#places.call()
    if (this.#isLegacy && this.#legacyCalls === 0) {
      this.#legacyCalls = 1
      const text = this.#chunk(`"function_call":${JSON.stringify({ name, arguments: '' })}`)
      return { written: openedCall('"function_call":{"arguments":', '}', '{}'), text }
    }
    const index = this.#places.calls - 1 - this.#legacyCalls
    const type = isCustom ? 'custom' : 'function'
    const head = {
      index,
      id,
      type,
      [type]: isCustom ? { name, input: '' } : { name, arguments: '' },
      ...(extra === null ? {} : { extra_content: extra }),
    }
    const field = isCustom ? 'input' : 'arguments'
    const before = `"tool_calls":[{"index":${index},"${type}":{"${field}":`
    return {
      written: openedCall(before, '}}]', isCustom ? '' : '{}'),
      text: this.#chunk(`"tool_calls":[${JSON.stringify(head)}]`),
    }
  }

  #chunk(delta: string): string {
    if (this.#hasBegun) return `${this.#head}${delta}}${AFTER}`
    this.#hasBegun = true
    // Clients build their message from the first chunk, which always has a content at OpenAI.
    const content = delta.startsWith('"content"') ? '' : '"content":null,'
    return `${this.#head}"role":"assistant",${content}${delta}}${AFTER}`
  }
}

function opened(kind: WrittenBlock['kind'], before: string): WrittenBlock {
  return { kind, before, after: '', begin: null, opaque: null, whenEmpty: '' }
}

function openedCall(before: string, after: string, whenEmpty: string): WrittenBlock {
  return { kind: 'tool_call', before, after, begin: null, opaque: null, whenEmpty }
}
