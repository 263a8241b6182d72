import { FieldReader } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readMessages } from './read-messages.ts'
import { readSettings } from './read-settings.ts'
import { readTools } from './read-tools.ts'

/**
 * Reads a request for a chat completion: OpenAI's API reference (openai-node,
 * `src/resources/chat/completions/completions.ts`) and what clients of compatible providers add.
 */
export function readRequest(body: JsonObject, notes: Notes): NeutralRequest {
  const fields = new FieldReader(body, '', notes)
  fields.raw('model')
  fields.raw('stream')
  const streamOptions = fields.object('stream_options')
  streamOptions?.raw('include_usage')
  streamOptions?.end()
  const settings = readSettings(fields)
  const { tools, toolChoice } = readTools(fields)
  const turns = readMessages(fields)
  fields.end()
  return { turns, tools, toolChoice, settings }
}
