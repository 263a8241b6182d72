import { fieldsOf, isObject, type JsonObject, listOf } from '../../json/json-object.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import type { PartReader } from '../../hub/spoke.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { AnswerParts } from './answer-parts.ts'

/** What a call is given. */
export const ARGS: FreeFields = new Map([['args', 'data']])

/** See PartReader. Every event is a piece of an answer of the same form as a whole one. */
export class GeminiPartReader implements PartReader {
  /** Calls come whole. */
  readonly hasCutCall = false
  readonly #parts = new AnswerParts()

  read(event: ServerEvent): readonly StreamPart[] {
    const chunk = fieldsOf(jsonOf(event))
    return this.#parts.read(hasCalls(chunk) ? fieldsOf(exactJsonOf(event, ARGS)) : chunk)
  }

  end(): readonly StreamPart[] {
    return this.#parts.end()
  }
}

function hasCalls({ candidates }: JsonObject): boolean {
  return listOf(candidates).some((candidate) => {
    const { parts } = fieldsOf(fieldsOf(candidate)['content'])
    return listOf(parts).some((part) => isObject(part) && isObject(part['functionCall']))
  })
}
