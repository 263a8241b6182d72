import { Fault } from '../core/faults.ts'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../core/limits.ts'
import { surveyJson } from './json/json-survey.ts'

/** Whether a body is small enough to be parsed while all other requests wait, which costs by its values far more than by its bytes. */
export function mayBeParsed(body: Buffer): boolean {
  if (body.length > TRANSLATED_BODY_LIMIT_BYTES) return false
  return !surveyJson(body, { free: NOTHING_FREE, mostValues: TRANSLATED_VALUES_LIMIT }).hasMoreValues
}

const NOTHING_FREE = new Map()

/**
 * The fault for a body that would have to be parsed and written anew and is too large for that, since it holds reasoning that its
 * upstream cannot read.
 */
export function tooLargeToRewrite(): Fault {
  return new Fault(
    'request_invalid',
    `The conversation holds reasoning of another provider, which has to be taken out for this one. That is done in requests of ${TRANSLATED_BODY_LIMIT_BYTES} bytes and ${TRANSLATED_VALUES_LIMIT} JSON values at most. Shorten the conversation, or go on with the model that it began with.`,
  )
}
