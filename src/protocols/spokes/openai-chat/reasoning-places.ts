import type { JsonObject } from '../../json/json-object.ts'
import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { writeReasoningDetail } from './reasoning-detail.ts'

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
