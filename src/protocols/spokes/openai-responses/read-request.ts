import { FieldReader } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, Turn } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readInput } from './read-input.ts'
import { readSettings } from './read-settings.ts'
import { readToolChoice } from './read-tool-choice.ts'
import { RequestTools } from './read-tools.ts'

/**
 * Reads the body of `POST /v1/responses`. The fields are those of openai-node's `ResponseCreateParams`, of the Open Responses
 * specification, and what Codex sends beside them.
 */
export function readRequest(body: JsonObject, notes: Notes): NeutralRequest {
  const top = new FieldReader(body, '', notes)
  for (const field of READ_BEFORE) top.raw(field)
  for (const [field, why] of STATEFUL) if (top.raw(field) !== null) top.refuse(field, why)
  const settings = readSettings(top)
  const tools = new RequestTools()
  tools.addFrom(top)
  const turns = [...readInstructions(top), ...readInput(top, tools)]
  const toolChoice = readToolChoice(top, tools.all)
  top.end()
  return { turns, tools: tools.all, toolChoice, settings }
}

/** What the request's head has; `background` is refused there. */
const READ_BEFORE = ['model', 'stream', 'background']

const NOTHING_KEPT = 'it keeps nothing between two requests, so the whole conversation has to be sent each time'

const STATEFUL = [
  ['previous_response_id', NOTHING_KEPT],
  ['conversation', NOTHING_KEPT],
  ['prompt', 'it keeps no prompts, so the text itself has to be sent'],
] as const

function readInstructions(top: FieldReader): readonly Turn[] {
  const text = top.string('instructions')
  if (text === null || text === '') return []
  return [{ role: 'system', parts: [{ kind: 'text', text, at: 'instructions' }], at: 'instructions' }]
}
