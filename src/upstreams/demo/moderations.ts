import type { JsonFields } from './json.ts'
import { Refusal } from './refusal.ts'
import { type WireAnswer, type WireCall, jsonAnswer } from './wire-answer.ts'

/** `POST /moderations`: nothing is ever found. As at the real provider, no usage is reported. */
export function answerModerations(call: WireCall): WireAnswer {
  const { input } = call.body
  if (typeof input !== 'string' && !Array.isArray(input)) {
    throw new Refusal('input takes a text or a list.', { param: 'input' })
  }
  // A list of texts gets a verdict on each, one of parts a single one.
  const texts = Array.isArray(input) && typeof input[0] === 'string' ? Math.min(input.length, TEXTS_LIMIT) : 1
  const results = Array.from({ length: texts }, () => UNFLAGGED)
  return jsonAnswer({ id: `modr-${call.serial}`, model: call.model, results })
}

const TEXTS_LIMIT = 512
const CATEGORIES = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence']

const each = (value: unknown): JsonFields => Object.fromEntries(CATEGORIES.map((name) => [name, value]))

const UNFLAGGED: JsonFields = {
  flagged: false,
  categories: each(false),
  category_scores: each(0),
  category_applied_input_types: each(['text']),
}
