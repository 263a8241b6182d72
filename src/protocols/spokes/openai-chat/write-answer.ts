import type { TokenCounts } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer, NeutralChoice } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, TokenLogprob, ToolCallBlock } from '../../hub/neutral-request.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { answerFrame, asksForFunctions } from './answer-frame.ts'
import { writeLogprobs } from './chat-logprobs.ts'
import { writeFinishReason } from './finish-reason.ts'
import { ReasoningPlaces } from './reasoning-places.ts'
import { writeUsage } from './write-usage.ts'

/** A whole chat completion. The usage is left out where it was not reported. */
export function writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const { id, created, model } = answerFrame(call)
  const isLegacy = asksForFunctions(call)
  const written = writeUsage(usage, 0)
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: answer.choices.map((choice, index) => writeChoice(choice, index, isLegacy)),
    ...(written === null ? {} : { usage: written }),
  }
}

function writeChoice({ blocks, stop }: NeutralChoice, index: number, isLegacy: boolean): JsonObject {
  const message = new MessageWriter(isLegacy)
  for (const block of blocks) message.add(block)
  const { logprobs } = message
  const held = { hasCalls: message.hasCalls, hasRefusal: message.hasRefusal }
  const reason = writeFinishReason(stop, held)
  return {
    index,
    message: message.written(),
    logprobs: logprobs.length === 0 ? null : writeLogprobs(logprobs),
    finish_reason: isLegacy && reason === 'tool_calls' ? 'function_call' : reason,
  }
}

class MessageWriter {
  readonly #isLegacy: boolean
  readonly #places = new ReasoningPlaces()
  #text: string | null = null
  #refusal: string | null = null
  #reasoning = ''
  readonly #details: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  #functionCall: JsonObject | null = null
  readonly logprobs: TokenLogprob[] = []

  constructor(isLegacy: boolean) {
    this.#isLegacy = isLegacy
  }

  get hasCalls(): boolean {
    return this.#places.calls > 0
  }

  get hasRefusal(): boolean {
    return this.#refusal !== null
  }

  add(block: AnswerBlock): void {
    switch (block.kind) {
      case 'text':
        this.#places.text()
        this.#text = (this.#text ?? '') + block.text
        for (const each of block.logprobs ?? []) this.logprobs.push(each)
        return
      case 'refusal':
        this.#refusal = (this.#refusal ?? '') + block.text
        return
      case 'reasoning': {
        const begin = this.#places.begin()
        this.#places.add(block.text)
        this.#reasoning += block.text
        const detail = this.#places.end(begin, block.opaque)
        if (detail !== null) this.#details.push(detail)
        return
      }
      case 'tool_call':
        this.#addCall(block)
    }
  }

  written(): JsonObject {
    return {
      role: 'assistant',
      content: this.#text,
      refusal: this.#refusal,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      ...(this.#details.length === 0 ? {} : { reasoning_details: this.#details }),
      ...(this.#functionCall === null ? {} : { function_call: this.#functionCall }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    }
  }

  /** The form of 2023 has room for one call; further ones stand where today's clients look for them. */
  #addCall({ id, name, input, isCustom }: ToolCallBlock): void {
    const extra = this.#places.call()
    const called = { name, arguments: input === '' ? '{}' : input }
    if (this.#isLegacy && this.#functionCall === null) {
      this.#functionCall = called
      return
    }
    this.#calls.push({
      id,
      ...(isCustom ? { type: 'custom', custom: { name, input } } : { type: 'function', function: called }),
      ...(extra === null ? {} : { extra_content: extra }),
    })
  }
}
