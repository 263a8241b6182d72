import type { StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { fieldsOf } from '../../reading/usage-report.ts'
import { jsonOf, type ServerEvent } from '../../stream/server-event.ts'
import { AnswerParts } from './answer-parts.ts'

/** See PartReader. Every event is a piece of an answer of the same form as a whole one. */
export class GeminiPartReader implements PartReader {
  /** Calls come whole. */
  readonly hasCutCall = false
  readonly #parts: AnswerParts

  constructor(requestId: string) {
    this.#parts = new AnswerParts(requestId)
  }

  read(event: ServerEvent): readonly StreamPart[] {
    return this.#parts.read(fieldsOf(jsonOf(event)))
  }

  end(): readonly StreamPart[] {
    return this.#parts.end()
  }
}
