import { fieldsOf, isObject, type JsonObject, listOf } from '../../json/json-object.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { CHOICES_LIMIT } from '../../reading/request-head.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { ChoiceReader } from './choice-reader.ts'

const NOTHING: readonly StreamPart[] = []

/** What a call is given, at upstreams that send it as an object and not as its text. */
export const ARGUMENTS: FreeFields = new Map([['arguments', 'data']])

/** Reads the chunks of a streamed chat completion, whose choices may be mixed. */
export class ChatPartReader implements PartReader {
  readonly #choices = new Map<number, ChoiceReader>()
  readonly #kept = { characters: 0 }
  #blocks = 0

  read(event: ServerEvent): readonly StreamPart[] {
    const { choices } = chunkOf(event)
    if (!Array.isArray(choices) || choices.length === 0) return NOTHING
    const parts: StreamPart[] = []
    for (const choice of listOf(choices)) {
      const fields = fieldsOf(choice)
      const index = typeof fields['index'] === 'number' ? fields['index'] : 0
      this.#reader(index)?.read(fields, parts)
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

  #reader(index: number): ChoiceReader | null {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    if (this.#choices.size >= CHOICES_LIMIT) return null
    const reader = new ChoiceReader({ index, nextBlock: () => this.#blocks++, kept: this.#kept })
    this.#choices.set(index, reader)
    return reader
  }
}

function chunkOf(event: ServerEvent): JsonObject {
  const chunk = fieldsOf(jsonOf(event))
  return hasObjectArguments(chunk) ? fieldsOf(exactJsonOf(event, ARGUMENTS)) : chunk
}

function hasObjectArguments({ choices }: JsonObject): boolean {
  return listOf(choices).some((choice) => {
    const { tool_calls: calls, function_call: legacy } = fieldsOf(fieldsOf(choice)['delta'])
    if (calls === undefined && legacy === undefined) return false
    const called = [legacy, ...listOf(calls).map((call) => fieldsOf(call)['function'])]
    return called.some((each) => isObject(fieldsOf(each)['arguments']))
  })
}
