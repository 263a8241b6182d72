import type { BeginOf, Stop } from '../../hub/neutral-answer.ts'
import type { ProviderSignature, TokenLogprob } from '../../hub/neutral-request.ts'
import { writeLogprobs } from './chat-logprobs.ts'
import { writeFinishReason } from './finish-reason.ts'
import { ReasoningPlaces, type ReasoningBegin } from './reasoning-places.ts'

/** A block that is being written. */
export interface WrittenBlock {
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
export class ChoiceWriter {
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
