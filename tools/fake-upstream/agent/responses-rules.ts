/** What OpenAI refuses of a request for a response, in its words. */
import type { Refusal } from '../failures.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { strictSchemaProblem } from './openai-rules.ts'
import { fields, findStranger } from './shape.ts'
import type { Shape } from './shape.ts'
import { isGenuine } from './signature.ts'

/** The first rule that is broken; null when there is none. */
export function judgeResponses(request: JsonFields): Refusal | null {
  const items = listOf(request['input']).map(objectOf)
  return (
    judgeFields(request) ??
    judgeTools(request) ??
    judgeIds(items) ??
    judgeReasoning(items, request['store'] !== false) ??
    judgePairs(items)
  )
}

const TOP: Shape = {
  ...fields('model input instructions stream stream_options tools tool_choice parallel_tool_calls'),
  ...fields('max_output_tokens max_tool_calls temperature top_p top_logprobs truncation reasoning text store'),
  ...fields('include metadata user safety_identifier prompt_cache_key prompt_cache_retention service_tier'),
  ...fields('previous_response_id conversation background prompt client_metadata context_management'),
}

const CONTENT: Shape = (part) => CONTENT_PARTS[stringOf(part['type'])]
/** `parsed` comes from OpenAI's own package, which leaves it on what it sends back. */
const CONTENT_PARTS: Readonly<Record<string, Shape>> = {
  input_text: fields('type text'),
  input_image: fields('type image_url file_id detail'),
  input_file: fields('type file_data file_id file_url filename detail'),
  output_text: fields('type text annotations logprobs parsed'),
  refusal: fields('type refusal'),
  summary_text: fields('type text'),
  reasoning_text: fields('type text'),
}

const MESSAGE: Shape = { ...fields('type role id status phase'), content: CONTENT }
const CALL = fields('type id call_id name namespace status caller')
const ITEMS: Readonly<Record<string, Shape>> = {
  message: MESSAGE,
  reasoning: { ...fields('type id status encrypted_content'), summary: CONTENT, content: CONTENT },
  function_call: { ...CALL, ...fields('arguments parsed_arguments') },
  custom_tool_call: { ...CALL, ...fields('input') },
  function_call_output: { ...fields('type id call_id status caller'), output: CONTENT },
  custom_tool_call_output: { ...fields('type id call_id status caller'), output: CONTENT },
  item_reference: fields('type id'),
  additional_tools: fields('type id role tools'),
}
const ITEM: Shape = (item) => {
  const type = stringOf(item['type'])
  return type === '' ? MESSAGE : (ITEMS[type] ?? (SERVER_ITEM.test(type) ? true : undefined))
}
/** Items of tools that the provider runs itself. */
const SERVER_ITEM =
  /^(?:web_search|file_search|computer|code_interpreter|local_shell|shell|mcp|tool_search|image_generation)/

function judgeFields(request: JsonFields): Refusal | null {
  const within = findStranger(request, TOP) ?? findStranger(request['input'], ITEM, 'input')
  if (within?.type !== undefined) {
    return { message: `Invalid value: '${within.type}'.`, param: within.path, code: 'invalid_value' }
  }
  if (within !== null) {
    return { message: `Unknown parameter: '${within.path}'.`, param: within.path, code: 'unknown_parameter' }
  }
  const { input } = request
  if (typeof input !== 'string' && listOf(input).length === 0) {
    return { message: "Missing required parameter: 'input'.", param: 'input', code: 'missing_required_parameter' }
  }
  const limit = Number(request['max_output_tokens'] ?? 16)
  if (limit >= 16) return null
  const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`
  return { message, param: 'max_output_tokens', code: 'integer_below_min_value' }
}

const LONGEST_NAME = 128

function judgeTools(request: JsonFields): Refusal | null {
  for (const [index, tool] of listOf(request['tools']).map(objectOf).entries()) {
    const param = `tools[${index}]`
    const name = stringOf(tool['name'])
    if (tool['function'] !== undefined) {
      return {
        message: `Missing required parameter: '${param}.name'.`,
        param: `${param}.name`,
        code: 'missing_required_parameter',
      }
    }
    if (!['function', 'custom', 'namespace'].includes(stringOf(tool['type']))) continue
    if (!/^[a-zA-Z0-9_-]+$/.test(name) || name.length > LONGEST_NAME) {
      return {
        message: `Invalid '${param}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        param: `${param}.name`,
      }
    }
    const problem = tool['strict'] === true ? strictSchemaProblem(name, tool['parameters']) : null
    if (problem !== null) return { message: problem, param: `${param}.parameters`, code: 'invalid_function_parameters' }
  }
  return null
}

/** How the ids of items begin, by their types. */
const ID_BEGINNINGS: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
}
const LONGEST_ID = 64

function judgeIds(items: readonly JsonFields[]): Refusal | null {
  for (const [index, item] of items.entries()) {
    const type = stringOf(item['type'] ?? 'message')
    const id = item['id'] ?? null
    const beginning = ID_BEGINNINGS[type]
    if (typeof id === 'string' && beginning !== undefined && !id.startsWith(beginning)) {
      const message = `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${beginning}'.`
      return { message, param: `input[${index}].id`, code: 'invalid_value' }
    }
    for (const field of ['id', 'call_id']) {
      const { length } = stringOf(item[field])
      if (length <= LONGEST_ID) continue
      const message = `Invalid 'input[${index}].${field}': string too long. Expected a string with maximum length 64, but got a string with length ${length} instead.`
      return { message, param: `input[${index}].${field}`, code: 'string_above_max_length' }
    }
  }
  return null
}

/** Reasoning that is not kept at the provider comes back in cipher, byte for byte, and stands before what it led to. */
function judgeReasoning(items: readonly JsonFields[], isKept: boolean): Refusal | null {
  for (const [index, item] of items.entries()) {
    if (item['type'] !== 'reasoning') continue
    const cipher = item['encrypted_content'] ?? null
    const id = stringOf(item['id'])
    if (cipher !== null && !isGenuine('responses', stringOf(cipher))) {
      const message = `The encrypted content ${stringOf(cipher).slice(0, 4)}...${stringOf(cipher).slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
      return { message, code: 'invalid_encrypted_content' }
    }
    if (cipher === null && !isKept) {
      const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
      return { message, param: 'input', status: 404 }
    }
    const next = items[index + 1]
    if (next === undefined || next['role'] === 'user') {
      return {
        message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        param: 'input',
      }
    }
  }
  return null
}

function judgePairs(items: readonly JsonFields[]): Refusal | null {
  const idsOf = (ending: RegExp): string[] => {
    return items.filter((item) => ending.test(stringOf(item['type']))).map((item) => stringOf(item['call_id']))
  }
  const asked = idsOf(/^(?:function|custom_tool)_call$/)
  const answered = idsOf(/^(?:function|custom_tool)_call_output$/)
  const open = asked.find((id) => !answered.includes(id))
  if (open !== undefined) return { message: `No tool output found for function call ${open}.`, param: 'input' }
  const stray = answered.find((id) => !asked.includes(id))
  if (stray === undefined) return null
  return { message: `No tool call found for function call output with call_id ${stray}.`, param: 'input' }
}
