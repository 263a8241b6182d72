/** What Anthropic refuses of a request for messages, in its words. */
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '../failures.ts'
import { headerOf } from '../incoming-request.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { fields, findStranger } from './shape.ts'
import type { Shape } from './shape.ts'
import { isGenuine } from './signature.ts'

/** The first rule that is broken; null when there is none. */
export function judgeMessages(request: JsonFields, incoming: IncomingMessage): Refusal | null {
  const version = headerOf(incoming, 'anthropic-version')
  if (version === '') return { message: 'anthropic-version: header is required' }
  const rules = [judgeFields, judgeNumbers, judgeTools, judgeCacheMarks, judgeContents, judgePairs, judgeThinking]
  for (const rule of rules) {
    const message = rule(request, version)
    if (message !== null) return { message }
  }
  return null
}

type Rule = (request: JsonFields, version: string) => string | null

/** Removed with the version of October 2026. */
const SAMPLING = ['temperature', 'top_p', 'top_k']

const TOP: Shape = {
  ...fields('model max_tokens messages system tools tool_choice thinking metadata stream stop_sequences'),
  ...fields('service_tier container context_management mcp_servers output_config output_format cache_control'),
  ...fields('diagnostics inference_geo speed user_profile_id workspace_id betas temperature top_p top_k'),
}

const BLOCKS: Readonly<Record<string, Shape>> = {
  text: fields('type text cache_control citations'),
  image: fields('type source cache_control'),
  document: fields('type source cache_control citations context title'),
  search_result: fields('type source content title cache_control citations'),
  thinking: fields('type thinking signature'),
  redacted_thinking: fields('type data'),
  tool_use: fields('type id name input cache_control caller toolset_name'),
  tool_reference: fields('type tool_name cache_control'),
  server_tool_use: true,
}

const block: Shape = (value) => BLOCKS[stringOf(value['type'])]
const contentBlock: Shape = (value) =>
  value['type'] === 'tool_result'
    ? { ...fields('type tool_use_id cache_control is_error toolset_name'), content: block }
    : block(value)

const MESSAGES: Shape = { ...fields('role'), content: contentBlock }
const TOOL: Shape = (value) =>
  stringOf(value['type'] ?? 'custom') === 'custom'
    ? {
        ...fields('type name description cache_control defer_loading eager_input_streaming strict'),
        ...fields('input_schema allowed_callers input_examples'),
      }
    : true

const judgeFields: Rule = (request, version) => {
  const stranger =
    findStranger(request, TOP) ??
    findStranger(request['messages'], MESSAGES, 'messages') ??
    findStranger(request['tools'], TOOL, 'tools') ??
    findStranger(request['system'], BLOCKS['text'] ?? true, 'system') ??
    findStranger(request['cache_control'], fields('type ttl'), 'cache_control')
  if (stranger?.type !== undefined) {
    return `${dotted(stranger.path)}: Input tag '${stranger.type}' found using 'type' does not match any of the expected tags`
  }
  if (stranger !== null) return `${dotted(stranger.path)}: Extra inputs are not permitted`
  const removed = version >= '2026-10-21' ? SAMPLING.find((name) => request[name] !== undefined) : undefined
  return removed === undefined ? null : `${removed}: Extra inputs are not permitted`
}

/** The path as Anthropic writes it: `messages.0.content`. */
function dotted(path: string): string {
  return path.replaceAll('[', '.').replaceAll(']', '')
}

const judgeNumbers: Rule = (request) => {
  const limit = request['max_tokens']
  if (limit === undefined) return 'max_tokens: Field required'
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    return 'max_tokens: must be greater than or equal to 1'
  const temperature = request['temperature'] ?? 1
  if (typeof temperature !== 'number' || temperature < 0 || temperature > 1) return 'temperature: range: 0..1'
  const thinking = objectOf(request['thinking'])
  if (thinking['type'] !== 'enabled') return null
  const budget = Number(thinking['budget_tokens'] ?? 0)
  if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (budget >= limit) return '`max_tokens` must be greater than `thinking.budget_tokens`'
  if (temperature !== 1) return '`temperature` may only be set to 1 when thinking is enabled'
  const choice = stringOf(objectOf(request['tool_choice'])['type'])
  return ['any', 'tool'].includes(choice) ? 'Thinking may not be enabled when tool_choice forces tool use.' : null
}

const judgeTools: Rule = (request) => {
  const tools = listOf(request['tools']).map(objectOf)
  if (request['tool_choice'] !== undefined && tools.length === 0)
    return 'tool_choice may only be specified while providing tools.'
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const name = stringOf(tool['name'])
    const place = `tools.${index}.custom`
    if (tool['input_schema'] === undefined && tool['type'] === undefined) return `${place}.input_schema: Field required`
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      return `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (names.has(name)) return 'tools: Tool names must be unique.'
    names.add(name)
    const schema = objectOf(tool['input_schema'])
    if (tool['input_schema'] !== undefined && schema['type'] !== 'object')
      return `${place}.input_schema.type: Input should be 'object'`
  }
  return null
}

/** The largest number of blocks that ask for caching. */
const MOST_CACHE_MARKS = 4

const judgeCacheMarks: Rule = (request) => {
  const marks = [
    ...JSON.stringify([request['system'], request['tools'], request['messages']]).matchAll(/"cache_control":\{/g),
  ]
  const count = marks.length
  return count > MOST_CACHE_MARKS ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : null
}

const judgeContents: Rule = (request) => {
  const messages = listOf(request['messages']).map(objectOf)
  if (messages.length === 0) return 'messages: at least one message is required'
  for (const [index, message] of messages.entries()) {
    const { role, content } = message
    if (!['user', 'assistant', 'system'].includes(stringOf(role))) {
      return `messages.${index}.role: Input should be 'user', 'assistant' or 'system'`
    }
    if (index === 0 && role !== 'user') return 'messages: first message must use the "user" role'
    if (content === undefined) return `messages.${index}.content: Field required`
    const blocks = listOf(content).map(objectOf)
    const isLastAnswer = role === 'assistant' && index === messages.length - 1
    if (textOf(content) === '' && blocks.length === 0 && !isLastAnswer)
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
    if (blocks.some((one) => one['type'] === 'text' && one['text'] === ''))
      return 'messages: text content blocks must be non-empty'
    const strange = blocks.find(
      (one) => one['type'] === 'tool_use' && (typeof one['input'] !== 'object' || one['input'] === null),
    )
    if (strange !== undefined) return `messages.${index}.content.0.tool_use.input: Input should be a valid dictionary`
  }
  return null
}

const judgePairs: Rule = (request) => {
  const messages = listOf(request['messages']).map(objectOf)
  let asked: string[] = []
  for (const [index, message] of messages.entries()) {
    // Instructions between the turns break no pair.
    if (message['role'] === 'system') continue
    const blocks = listOf(message['content']).map(objectOf)
    const results = leading(blocks, 'tool_result').map((one) => stringOf(one['tool_use_id']))
    const all = blocks.filter((one) => one['type'] === 'tool_result').map((one) => stringOf(one['tool_use_id']))
    const missing = asked.filter((id) => !results.includes(id))
    if (missing.length > 0) {
      return `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    }
    const stray = all.find((id) => !asked.includes(id))
    if (stray !== undefined) {
      return `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    }
    asked = blocks.filter((one) => one['type'] === 'tool_use').map((one) => stringOf(one['id']))
    const wrong = asked.find((id) => !/^[a-zA-Z0-9_-]+$/.test(id))
    if (wrong !== undefined)
      return `messages.${index}.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
    if (new Set(asked).size < asked.length) return 'messages: `tool_use` ids must be unique'
  }
  return asked.length === 0
    ? null
    : 'messages: `tool_use` ids were found without `tool_result` blocks immediately after'
}

/** The text of a message's content, which is a string or a list of parts with `text`. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => stringOf(objectOf(part)['text']))
    .join('')
}

function leading(blocks: readonly JsonFields[], type: string): readonly JsonFields[] {
  const end = blocks.findIndex((one) => one['type'] !== type)
  return end === -1 ? blocks : blocks.slice(0, end)
}

/** Thoughts come back as they were given. With a fixed budget, a turn with tools must even begin with its thought. */
const judgeThinking: Rule = (request) => {
  const messages = listOf(request['messages']).map(objectOf)
  for (const [index, message] of messages.entries()) {
    for (const [at, one] of listOf(message['content']).map(objectOf).entries()) {
      if (one['type'] !== 'thinking') continue
      const thinking = stringOf(one['thinking'])
      const subject = thinking === '' ? undefined : thinking
      if (!isGenuine('messages', stringOf(one['signature']), subject)) {
        return `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`
      }
    }
  }
  const last = messages.findLast((message) => message['role'] === 'assistant')
  const [first] = listOf(last?.['content']).map(objectOf)
  const uses = listOf(last?.['content']).some((one) => objectOf(one)['type'] === 'tool_use')
  if (objectOf(request['thinking'])['type'] !== 'enabled' || !uses || stringOf(first?.['type']).endsWith('thinking'))
    return null
  const place = messages.findLastIndex((message) => message === last)
  return `messages.${place}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(first?.['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`
}
