import { textAsObject, writeJson } from '../json/exact-json.ts'
import { parseExactText } from '../json/exact-reader.ts'
import { isWrittenAlike } from '../json/text-survey.ts'
import { isObject, parseOrUndefined } from '../json/json-object.ts'

/**
 * The input of a call for a wire that wants an object there, as the model wrote it. Empty text and `null` are a call without
 * arguments; text within text is what some models make of an object. Null where it is none of these, as when a model slipped
 * or was cut short.
 */
export function callInput(text: string): unknown {
  if (/^\s*(?:null\s*)?$/.test(text)) return {}
  const value = parseOrUndefined(text)
  if (isObject(value)) return isWrittenAlike(text, value) ? value : textAsObject(text, exactly)
  return typeof value === 'string' && isObject(parseOrUndefined(value)) ? textAsObject(value, exactly) : null
}

/** The input of a call as text, of a wire that has an object there. Some who speak it send the text of one. */
export function inputText(value: unknown): string {
  if (typeof value === 'string') return value
  return (value ?? null) === null ? '{}' : writeJson(() => value)
}

function exactly(text: string): unknown {
  return parseExactText(text, null)
}
