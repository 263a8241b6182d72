import type { StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { CHOICES_LIMIT } from '../../reading/request-head.ts'
import { fieldsOf } from '../../reading/usage-report.ts'
import { jsonOf, type ServerEvent } from '../../stream/server-event.ts'
import { ChoiceReader } from './choice-reader.ts'

const NOTHING: readonly StreamPart[] = []

/** Reads the chunks of a streamed chat completion, whose choices may be mixed. */
export class ChatPartReader implements PartReader {
  readonly #choices = new Map<number, ChoiceReader>()
  readonly #requestId: string
  #blocks = 0

  constructor(requestId: string) {
    this.#requestId = requestId
  }

  read(event: ServerEvent): readonly StreamPart[] {
    const { id, choices } = fieldsOf(jsonOf(event))
    if (!Array.isArray(choices) || choices.length === 0) return NOTHING
    const parts: StreamPart[] = []
    for (const choice of choices as readonly unknown[]) {
      const fields = fieldsOf(choice)
      const index = typeof fields['index'] === 'number' ? fields['index'] : 0
      this.#reader(index, typeof id === 'string' && id !== '' ? id : this.#requestId)?.read(fields, parts)
    }
    return parts
  }

  get hasCutCall(): boolean {
    return this.#choices.values().some((choice) => choice.hasCutCall)
  }

  end(): readonly StreamPart[] {
    const parts: StreamPart[] = []
    for (const choice of this.#choices.values()) choice.cut(parts)
    return parts
  }

  #reader(index: number, answerId: string): ChoiceReader | null {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    if (this.#choices.size >= CHOICES_LIMIT) return null
    const reader = new ChoiceReader({ index, answerId, nextBlock: () => this.#blocks++ })
    this.#choices.set(index, reader)
    return reader
  }
}
