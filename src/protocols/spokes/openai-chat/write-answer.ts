import { type TokenCounts, totalInput, totalOutput } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer, NeutralChoice } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature, TokenLogprob, ToolCallBlock } from '../../hub/neutral-request.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { writeFinishReason, writeLogprobs } from './message-fields.ts'
import { madeUpId } from '../../stream/early-usage.ts'
import { writeReasoningDetail } from './reasoning-detail.ts'

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

/** What an answer and all chunks of a stream have in common. `created` in seconds since 1970. */
interface AnswerFrame {
  readonly id: string
  readonly created: number
  readonly model: string
}

export function answerFrame({ requestId, nowMs, model }: ClientCall): AnswerFrame {
  return { id: madeUpId('chatcmpl-', requestId), created: Math.floor(nowMs / 1000), model }
}

/** Whether the client asked in the form of 2023: it reads calls as `function_call` and nothing else. */
export function asksForFunctions({ asked }: ClientCall): boolean {
  const { functions, tools } = asked
  return Array.isArray(functions) && functions.length > 0 && (tools ?? null) === null
}

/**
 * The `usage` of an answer, in tokens: `prompt_tokens` is the whole input, with what was read from and written to a cache.
 * Null where the input was not reported, since this wire has no way to say so but to leave the usage out.
 * `estimatedOutputTokens` stands for an output that was not reported.
 */
export function writeUsage(counts: TokenCounts, estimatedOutputTokens: number): JsonObject | null {
  const prompt = totalInput(counts)
  if (prompt === null) return null
  const completion = totalOutput(counts) ?? estimatedOutputTokens
  const { cacheRead, cacheWrite, cacheWrite1h, reasoning, other } = counts
  const written = cacheWrite === null && cacheWrite1h === null ? null : (cacheWrite ?? 0) + (cacheWrite1h ?? 0)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cacheRead ?? 0,
      ...(written === null ? {} : { cache_write_tokens: written }),
      ...(other === null ? {} : { audio_tokens: other.audioInput }),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning ?? 0,
      ...(other === null ? {} : { audio_tokens: other.audioOutput }),
    },
  }
}

/** Where reasoning began; to be handed back at its end. */
export interface ReasoningBegin {
  readonly start: number
  readonly isBehindText: boolean
  readonly callsBefore: number
}

/** Keeps, while one choice of an answer is written, where its reasoning stands among the rest. */
export class ReasoningPlaces {
  #characters = 0
  #details = 0
  #hasText = false
  #signature: string | null = null
  calls = 0

  begin(): ReasoningBegin {
    return { start: this.#characters, isBehindText: this.#hasText, callsBefore: this.calls }
  }

  add(text: string): void {
    this.#characters += text.length
  }

  /** The entry of `reasoning_details` for it; null where nothing has to come back. */
  end(begin: ReasoningBegin, opaque: ProviderSignature | null): JsonObject | null {
    if (opaque === null) return null
    if (opaque.vendor === 'google') this.#signature = opaque.data
    const place = { ...begin, length: this.#characters - begin.start }
    return writeReasoningDetail(opaque, place, this.#details++)
  }

  text(): void {
    this.#hasText = true
    this.#signature = null
  }

  /**
   * Called for each call: returns the `extra_content` that it has to carry, where Google's signature stands right before it.
   * Clients of Google's compatible endpoint send it back.
   */
  call(): JsonObject | null {
    const signature = this.#signature
    this.#signature = null
    this.calls++
    return signature === null ? null : { google: { thought_signature: signature } }
  }
}
