import type { UpstreamError } from '../protocol.ts'
import { allEnded, type AnswerShape } from './answer.ts'
import { isSaid } from './answer-failure.ts'
import { openaiTerms } from './answer-terms.ts'
import { openaiCounts } from './openai-usage.ts'
import { flawOfStop, stopReasonOf } from './stop-words.ts'
import { readErrorObject } from './upstream-error.ts'
import { fieldsOf, listOf } from '../json/json-object.ts'

/** What answers and chunks with `choices` have in common: chat completions and their elders. */
export const CHOICES = {
  countsOf: openaiCounts,
  output: 'choices',
  isNothingWithout: true,
  hasEntryForEach: true,
  isCut: { fields: ['choices'], says: ([choices]) => allEnded(choices, 'finish_reason', 'length') },
  termsOf: openaiTerms,
  flawOf: (_, { unparsed, output }) => (unparsed === null || mayHaveFlaw(unparsed) ? flawOfChoices(output()) : null),
  isWithheld: (_, output) => isAnyWithheld(output()),
} as const satisfies Omit<AnswerShape, 'text'>

/** The failure that one of the choices of an answer or of a chunk says that it ended with; null: none. */
export function flawOfChoices(choices: unknown): UpstreamError | null {
  for (const choice of listOf(choices)) {
    const { error, finish_reason: word } = fieldsOf(choice)
    const flaw = isSaid(error) ? readErrorObject({ error }) : flawOfStop(word)
    if (flaw !== null) return flaw
  }
  return null
}

/** Whether one of the choices says that its text was withheld. */
export function isAnyWithheld(choices: unknown): boolean {
  return listOf(choices).some((choice) => stopReasonOf(fieldsOf(choice)['finish_reason']) === 'filtered')
}

const FINISH = '"finish_reason"'
/** The value of a `finish_reason`: nothing where it is not a text, and no closing quote where it is long. */
const VALUE = /^\s*:\s*"([^"]*)("?)/
const VALUE_BYTES = 96

/** Whether choices in these bytes may say that they failed, found without parsing them: false says that none does. */
function mayHaveFlaw(body: Buffer): boolean {
  if (body.includes('"error"')) return true
  for (let at = body.indexOf(FINISH); at >= 0; at = body.indexOf(FINISH, at + FINISH.length)) {
    const start = at + FINISH.length
    const [, word, quote] = VALUE.exec(body.toString('latin1', start, start + VALUE_BYTES)) ?? []
    if (word !== undefined && (quote === '' || flawOfStop(word) !== null)) return true
  }
  return false
}
