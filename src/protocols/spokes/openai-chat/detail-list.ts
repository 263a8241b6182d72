import { isObject, type JsonObject } from '../../json/json-object.ts'
import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { writeChatOpaque, type ReasoningField } from './chat-opaque.ts'

/** More than any model signs; beyond it the reasoning goes on without what only its vendor can read. */
const LIMIT_CHARACTERS = 4 * 1024 * 1024

/**
 * The `reasoning_details` of one block, whole again: OpenRouter streams the text of an entry in pieces, which have the type
 * and `index` of the entry, and wants it back in one.
 */
export class DetailList {
  #entries: JsonObject[] = []
  #characters = 0

  add(details: readonly unknown[]): void {
    for (const detail of details) {
      if (!isObject(detail)) continue
      this.#characters += sizeOf(detail)
      if (this.#characters > LIMIT_CHARACTERS) this.#entries = []
      else this.#addOne(detail)
    }
  }

  /**
   * What has to go back with this block, and an empty list for the next; null where its text alone says all. Entries that
   * only repeat the text are not kept.
   */
  take(field: ReasoningField, hasText: boolean): ProviderSignature | null {
    const isNeeded = this.#entries.some(({ signature, data }) => isText(signature) || isText(data))
    const details = isNeeded || !hasText ? this.#entries : []
    this.#entries = []
    this.#characters = 0
    if (details.length === 0 && !hasText) return null
    return writeChatOpaque({ field, details })
  }

  #addOne(detail: JsonObject): void {
    const last = this.#entries.at(-1)
    const isPiece =
      last !== undefined &&
      last['type'] === detail['type'] &&
      typeof detail['index'] === 'number' &&
      last['index'] === detail['index'] &&
      !isText(detail['data'])
    if (!isPiece) this.#entries.push({ ...detail })
    else this.#entries[this.#entries.length - 1] = joined(last, detail)
  }
}

function joined(past: JsonObject, next: JsonObject): JsonObject {
  const whole: Record<string, unknown> = { ...past }
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue
    const before = whole[name]
    const isPiece = (name === 'text' || name === 'summary') && typeof before === 'string' && typeof value === 'string'
    whole[name] = isPiece ? before + value : value
  }
  return whole
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function sizeOf(detail: JsonObject): number {
  let size = 0
  for (const value of Object.values(detail)) if (typeof value === 'string') size += value.length
  return size
}
