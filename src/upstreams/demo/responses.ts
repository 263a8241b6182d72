import { countInputTokens, refuseLongInput } from './input-tokens.ts'
import { type JsonObject, objectOf, objectsIn, stringOf } from './json.ts'
import * as request from './question.ts'
import { Refusal } from './refusal.ts'
import { responseEvents } from './response-events.ts'
import { outputItems, responseObject } from './response-object.ts'
import { think } from './thought.ts'
import { type WireAnswer, type WireCall, jsonAnswer, streamAnswer } from './wire-answer.ts'

/** The responses wire: `POST /responses`. Nothing is stored, so a request that builds on an earlier one is refused. */
export function answerResponses(call: WireCall): WireAnswer {
  const thought = think(readQuestion(call.body))
  if (call.body['stream'] === true) return streamAnswer(responseEvents(call, thought))
  return jsonAnswer(responseObject(call, thought, outputItems(call, thought)))
}

function readQuestion(body: JsonObject): request.Question {
  const model = request.readModel(body)
  refuseMemory(body)
  const items = readItems(body)
  const results = trailingResults(items)
  const tools = [body, ...items].flatMap((holder) => objectsIn(holder['tools']))
  const tokens = countInputTokens({ conversation: [body['instructions'], ...items], tools: body['tools'] })
  refuseLongInput(tokens, 'openai')
  return {
    model,
    userText: request.lastUserText(items),
    toolResult: results.length === 0 ? null : results.join('\n'),
    tools: request.choosable(tools.flatMap(readTool), body['tool_choice'], (choice) => choice['name']),
    mayReason: objectOf(body['reasoning'])['effort'] !== 'none',
    outputTokensLimit: request.readOutputLimit(body, ['max_output_tokens']),
    stopSequences: [],
    inputTokens: tokens,
  }
}

function refuseMemory(body: JsonObject): void {
  const previous = body['previous_response_id'] ?? null
  if (previous !== null) {
    const message =
      'The previous response is not found: the simulator stores none. Send the whole conversation as input.'
    throw new Refusal(message, { param: 'previous_response_id', code: 'previous_response_not_found' })
  }
  const field = ['conversation', 'prompt'].find((name) => (body[name] ?? null) !== null)
  if (field !== undefined) {
    throw new Refusal(`${field} is not found: the simulator stores none. Send the whole text as input.`, {
      param: field,
    })
  }
}

/** A text stands for one message of the user. */
function readItems(body: JsonObject): readonly JsonObject[] {
  const { input } = body
  if (typeof input !== 'string') return request.readList(body, 'input')
  if (input === '') throw new Refusal('input takes a text or a list of items.', { param: 'input' })
  return [{ role: 'user', content: input }]
}

const RESULT_TYPES = ['function_call_output', 'custom_tool_call_output']

function trailingResults(items: readonly JsonObject[]): readonly string[] {
  const last = items.findLastIndex((item) => !RESULT_TYPES.includes(stringOf(item['type'])))
  return items.slice(last + 1).map((item) => request.textsOf(item['output']).join('\n'))
}

/** Tools of other types are run by the provider itself, and there is none here. */
function readTool(tool: JsonObject): request.Tool[] {
  const named = { name: stringOf(tool['name']), schema: objectOf(tool['parameters']), namespace: null }
  if (tool['type'] === 'function') return [{ kind: 'function', ...named }]
  if (tool['type'] === 'custom') return [{ kind: 'custom', ...named }]
  if (tool['type'] !== 'namespace') return []
  const inside = objectsIn(tool['tools']).filter((nested) => nested['type'] !== 'namespace')
  return inside.flatMap(readTool).map((nested) => ({ ...nested, namespace: named.name }))
}
