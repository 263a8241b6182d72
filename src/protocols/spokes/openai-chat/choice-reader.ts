import { isUncut, type StreamPart } from '../../hub/neutral-answer.ts'
import { CallsReader, type ChoiceOptions } from './calls-reader.ts'
import type { ReasoningField } from './chat-opaque.ts'
import { readLogprobs } from './chat-logprobs.ts'
import { DetailList } from './detail-list.ts'
import { readFinishReason } from './finish-reason.ts'
import { readSaid } from './said-fields.ts'

type TextKind = 'text' | 'refusal' | 'reasoning'

/**
 * One choice of a stream. Deltas have no borders between blocks: one of text, refusal or reasoning ends when another kind
 * begins, and calls of tools, which may be mixed, when the choice finishes.
 */
export class ChoiceReader {
  readonly #index: number
  readonly #nextBlock: () => number
  readonly #calls: CallsReader
  readonly #details = new DetailList()
  #hasDetails = false
  #field: ReasoningField = 'reasoning_content'
  #open: { readonly kind: TextKind; readonly block: number } | null = null
  #hasRefusal = false
  #hasFinished = false
  /** Whether a call was begun and never finished. */
  hasCutCall = false

  constructor(options: ChoiceOptions) {
    this.#index = options.index
    this.#nextBlock = options.nextBlock
    this.#calls = new CallsReader(options)
  }

  /** Takes one entry of a chunk's `choices`. What comes behind its finish is passed over. */
  read(choice: Readonly<Record<string, unknown>>, parts: StreamPart[]): void {
    if (this.#hasFinished) return
    const { delta, finish_reason: reason, logprobs } = choice
    if (typeof delta === 'object' && delta !== null) this.#readDelta(delta as Readonly<Record<string, unknown>>, parts)
    if (typeof logprobs === 'object' && logprobs !== null) this.#readLogprobs(logprobs, parts)
    if (typeof reason === 'string' && reason !== '') this.#finish(reason, parts)
  }

  /** The stream ended before the choice did. */
  cut(parts: StreamPart[]): void {
    if (this.#hasFinished) return
    this.#hasFinished = true
    this.hasCutCall = this.#calls.hasCalls
    this.#close(parts)
    this.#calls.end(parts, { isWhole: false })
  }

  #readDelta(delta: Readonly<Record<string, unknown>>, parts: StreamPart[]): void {
    const said = readSaid(delta)
    if (said.details.length > 0) {
      this.#details.add(said.details)
      this.#hasDetails = true
    }
    if (said.reasoning !== '') {
      this.#field = said.field
      this.#write('reasoning', said.reasoning, parts)
    }
    if (said.text !== '') this.#write('text', said.text, parts)
    if (said.refusal !== '') {
      this.#hasRefusal = true
      this.#write('refusal', said.refusal, parts)
    }
    const { tool_calls: calls, function_call: legacy } = delta
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.#readCall(call, parts)
    // The form of 2023, of one call at most.
    if (typeof legacy === 'object' && legacy !== null) this.#readCall({ index: -1, function: legacy }, parts)
  }

  #readCall(call: unknown, parts: StreamPart[]): void {
    this.#close(parts)
    this.#calls.read(call, parts)
  }

  #write(kind: TextKind, text: string, parts: StreamPart[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(parts, kind === 'reasoning')
      this.#open = { kind, block: this.#nextBlock() }
      parts.push({ kind: 'begin', block: this.#open.block, choice: this.#index, of: { kind } })
    }
    parts.push({ kind: 'delta', block: this.#open.block, text })
  }

  #readLogprobs(logprobs: object, parts: StreamPart[]): void {
    if (this.#open?.kind !== 'text') return
    const tokens = readLogprobs(logprobs)
    if (tokens.length > 0) parts.push({ kind: 'logprobs', block: this.#open.block, logprobs: tokens })
  }

  /**
   * Ends what is open, reasoning with all that goes back to its vendor. Details without a block of their own (OpenRouter sends
   * Gemini's beside the call they belong to) get one, unless the reasoning that they are of is about to begin.
   */
  #close(parts: StreamPart[], beginsReasoning = false): void {
    const open = this.#open
    this.#open = null
    if (open !== null && open.kind !== 'reasoning') parts.push({ kind: 'end', block: open.block })
    if (open?.kind !== 'reasoning' && (!this.#hasDetails || beginsReasoning)) return
    const opaque = this.#details.take(this.#field, open?.kind === 'reasoning')
    this.#hasDetails = false
    if (open?.kind !== 'reasoning' && opaque === null) return
    const block = open?.kind === 'reasoning' ? open.block : this.#nextBlock()
    if (open?.kind !== 'reasoning') {
      parts.push({ kind: 'begin', block, choice: this.#index, of: { kind: 'reasoning' } })
    }
    if (opaque !== null) parts.push({ kind: 'opaque', block, opaque })
    parts.push({ kind: 'end', block })
  }

  #finish(reason: string, parts: StreamPart[]): void {
    this.#hasFinished = true
    this.#close(parts)
    const held = { hasCalls: this.#calls.hasCalls, hasRefusal: this.#hasRefusal }
    const stop = readFinishReason(reason, held)
    this.#calls.end(parts, { isWhole: isUncut(stop) })
    parts.push({ kind: 'stop', choice: this.#index, stop })
  }
}
