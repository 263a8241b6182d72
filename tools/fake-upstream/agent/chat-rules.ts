/** What OpenAI refuses of a request for chat completions, in its words. */
import type { Refusal } from '../failures.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { strictSchemaProblem } from './openai-rules.ts'
import { fields, findStranger } from './shape.ts'
import type { Shape } from './shape.ts'

/** The first rule that is broken; null when there is none. */
export function judgeChat(request: JsonFields): Refusal | null {
  return judgeFields(request) ?? judgeTools(request) ?? judgeMessages(request)
}

const TOP: Shape = {
  ...fields('model messages stream stream_options tools tool_choice parallel_tool_calls max_tokens'),
  ...fields('max_completion_tokens temperature top_p stop n seed logprobs top_logprobs logit_bias'),
  ...fields('presence_penalty frequency_penalty response_format reasoning_effort verbosity metadata store'),
  ...fields('user safety_identifier prompt_cache_key prompt_cache_retention service_tier modalities audio'),
  ...fields('prediction web_search_options functions function_call'),
}

/** What compatible providers take besides: the thoughts of earlier turns. `parsed…` come from OpenAI's own package. */
const MESSAGE: Shape = {
  ...fields('role content name tool_call_id refusal audio annotations function_call parsed'),
  reasoning_content: true,
  tool_calls: { ...fields('id type index custom'), function: fields('name arguments parsed_arguments') },
}

function judgeFields(request: JsonFields): Refusal | null {
  const strange = findStranger(request, TOP)
  if (strange !== null) return { message: `Unrecognized request argument supplied: ${strange.name}` }
  const within = findStranger(request['messages'], MESSAGE, 'messages')
  if (within !== null) {
    return { message: `Unknown parameter: '${within.path}'.`, param: within.path, code: 'unknown_parameter' }
  }
  if (request['stream_options'] !== undefined && request['stream'] !== true) {
    return {
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      param: 'stream_options',
    }
  }
  const names = ['tool_choice', 'parallel_tool_calls']
  const alone = listOf(request['tools']).length === 0 ? names.find((name) => request[name] !== undefined) : undefined
  if (alone !== undefined) return { message: `'${alone}' is only allowed when 'tools' are specified.`, param: alone }
  if (request['tools'] !== undefined && listOf(request['tools']).length === 0) {
    return { message: "Invalid 'tools': empty array. Expected an array with minimum length 1.", param: 'tools' }
  }
  return null
}

/** Longest name of a function, and of a call's id. */
const LONGEST_NAME = 64
const LONGEST_CALL_ID = 40

function judgeTools(request: JsonFields): Refusal | null {
  for (const [index, tool] of listOf(request['tools']).map(objectOf).entries()) {
    const param = `tools[${index}].function`
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') {
      return {
        message: `Invalid value: '${stringOf(tool['type'])}'. Supported values are: 'function' and 'custom'.`,
        param,
      }
    }
    if (tool['type'] === 'custom') continue
    const { name, parameters, strict } = objectOf(tool['function'])
    if (!/^[a-zA-Z0-9_-]+$/.test(stringOf(name))) {
      return {
        message: `Invalid '${param}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        param,
      }
    }
    if (stringOf(name).length > LONGEST_NAME) {
      return { message: `Invalid '${param}.name': string too long. Expected a string with maximum length 64.`, param }
    }
    const problem = strict === true ? strictSchemaProblem(stringOf(name), parameters) : null
    if (problem !== null) return { message: problem, param: `${param}.parameters`, code: 'invalid_function_parameters' }
  }
  return null
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

function judgeMessages(request: JsonFields): Refusal | null {
  const messages = listOf(request['messages']).map(objectOf)
  if (messages.length === 0) return { message: "Invalid 'messages': empty array.", param: 'messages' }
  let open: string[] = []
  for (const [index, message] of messages.entries()) {
    const param = `messages.[${index}].role`
    const role = stringOf(message['role'])
    if (!ROLES.includes(role))
      return { message: `Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`, param }
    const calls = listOf(message['tool_calls']).map(objectOf)
    if (role === 'tool') {
      const id = stringOf(message['tool_call_id'])
      if (!open.includes(id)) {
        return {
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param,
        }
      }
      open = open.filter((one) => one !== id)
    } else if (open.length > 0) {
      return missingResults(open, param)
    }
    const problem = messageProblem(message, { index, calls })
    if (problem !== null) return problem
    if (calls.length > 0) open = calls.map((call) => stringOf(call['id']))
  }
  return open.length === 0 ? null : missingResults(open, 'messages')
}

function missingResults(ids: readonly string[], param: string): Refusal {
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`
  return { message, param }
}

function messageProblem(message: JsonFields, about: { index: number; calls: readonly JsonFields[] }): Refusal | null {
  const { index, calls } = about
  const content = message['content'] ?? null
  if (content === null && (message['role'] !== 'assistant' || calls.length === 0)) {
    return {
      message: `Invalid value for 'content': expected a string, got null.`,
      param: `messages.[${index}].content`,
    }
  }
  const long = calls.find((call) => stringOf(call['id']).length > LONGEST_CALL_ID)
  if (long !== undefined) {
    const param = `messages[${index}].tool_calls[0].id`
    const { length } = stringOf(long['id'])
    return {
      message: `Invalid '${param}': string too long. Expected a string with maximum length 40, but got a string with length ${length} instead.`,
      param,
      code: 'string_above_max_length',
    }
  }
  const untyped = calls.find(
    (call) => typeof objectOf(call['function'])['arguments'] !== 'string' && call['type'] !== 'custom',
  )
  if (untyped === undefined) return null
  return {
    message: `Missing required parameter: 'messages[${index}].tool_calls[0].function.arguments'.`,
    param: 'messages',
  }
}
