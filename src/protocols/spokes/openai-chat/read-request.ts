import { FieldReader, missing } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantPart,
  NeutralRequest,
  TextPart,
  ToolResultPart,
  Turn,
  UserPart,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readSettings } from './read-settings.ts'
import { readTools } from './read-tools.ts'
import { readAssistantParts } from './read-assistant.ts'
import { readCache, readContentParts } from './read-content.ts'

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
  return fields.ended({ turns, tools, toolChoice, settings })
}

/** The conversation, a turn for each message. Throws the fault `request_invalid` for unknown roles. */
function readMessages(fields: FieldReader): readonly Turn[] {
  const messages = fields.objects('messages')
  if (messages === null) throw missing('messages', 'a list of messages')
  const legacy = new LegacyCalls()
  return messages.flatMap((message) => {
    const turn = readMessage(message, legacy)
    return message.ended(turn === null ? [] : [turn])
  })
}

/**
 * Calls of OpenAI's first form, `function_call` and messages of the role `function`, have no ids: a result belongs to the last
 * call of its name.
 */
class LegacyCalls {
  readonly #lastOf = new Map<string, string>()
  #count = 0

  called(name: string): string {
    const id = `call_function_${++this.#count}`
    this.#lastOf.set(name, id)
    return id
  }

  answered(name: string): string {
    return this.#lastOf.get(name) ?? this.called(name)
  }
}

function readMessage(message: FieldReader, legacy: LegacyCalls): Turn | null {
  const { at } = message
  const role = message.requiredString('role')
  switch (role) {
    case 'system':
    case 'developer': {
      const parts = withCache(message, readContentParts(message)).map((part) => asText(message, part))
      return parts.length === 0 ? null : { role, parts, at }
    }
    case 'user':
      return { role, parts: withCache(message, readContentParts(message)), at }
    case 'assistant': {
      const parts = withCache<AssistantPart>(
        message,
        readAssistantParts(message, (name) => legacy.called(name)),
      )
      return parts.length === 0 ? null : { role, parts, at }
    }
    case 'tool':
      return { role: 'user', parts: [readResult(message, message.requiredString('tool_call_id'))], at }
    case 'function':
      return { role: 'user', parts: [readResult(message, legacy.answered(message.requiredString('name')))], at }
    default:
      return message.refuse('role', 'it has no such role')
  }
}

function readResult(message: FieldReader, callId: string): ToolResultPart {
  const parts = readContentParts(message)
  const cache = readCache(message)
  const mark = cache === null ? {} : { cache }
  return { kind: 'tool_result', callId, parts, isError: false, at: message.at, ...mark }
}

/** A mark on the message is a mark behind all of it, so on its last part. */
function withCache<Part extends UserPart | AssistantPart>(
  message: FieldReader,
  parts: readonly Part[],
): readonly Part[] {
  const cache = readCache(message)
  const last = parts.at(-1)
  if (cache === null || last === undefined || last.kind === 'audio') return parts
  return [...parts.slice(0, -1), { ...last, cache }]
}

function asText(message: FieldReader, part: UserPart): TextPart {
  if (part.kind === 'text') return part
  return message.notes.refuse(part.at, 'system messages must be text')
}
