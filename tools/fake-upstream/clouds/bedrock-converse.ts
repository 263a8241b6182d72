/** What Bedrock refuses of a call of Converse, in its own words, and how it frames the events of an answer. */
import { exceptionFrame, frame } from './bedrock-frames.ts'
import { type BedrockRefusal, invalid } from './bedrock-judge.ts'

type Fields = Readonly<Record<string, unknown>>

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const MEMBERS: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'promptVariables',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
])

/** Judges headers and body of a call; null: they are good. Members that there are not AWS passes over, and the fake does not. */
export function judgeConverse(headers: Fields, body: Fields | null): BedrockRefusal | null {
  if (headers['content-type'] !== 'application/json') return invalid('The provided Content-Type is not supported.')
  for (const name of ['anthropic-version', 'anthropic-beta', 'x-api-key']) {
    if (headers[name] !== undefined) return invalid(`The header ${name} belongs to Anthropic.`)
  }
  if (body === null) return { status: 400, type: 'SerializationException', message: '' }
  const extra = Object.keys(body).find((key) => !MEMBERS.has(key))
  if (extra !== undefined) return invalid(`The member ${extra} is not one of ConverseRequest.`)
  const messages = listOf(body['messages'])
  if (messages.length === 0) return invalid('A conversation must start with a user message. Try again with one.')
  for (const [index, message] of messages.entries()) {
    const { role, content } = fieldsOf(message)
    const expected = index % 2 === 0 ? 'user' : 'assistant'
    if (role !== expected) return invalid('A conversation must alternate between user and assistant roles.')
    const judged = judgeContent(listOf(content), {
      at: `messages.${index}`,
      hasTools: body['toolConfig'] !== undefined,
    })
    if (judged !== null) return judged
  }
  return judgeCalls(messages.map((message) => listOf(fieldsOf(message)['content']).map(fieldsOf)))
}

/** `ToolUseBlock` of the API (run-llama/llama_index #22775). */
const CALL_ID = /^[\w.:-]{1,64}$/

/**
 * Judges the calls in messages: the message behind some has the results of all of them and of no other (camel-ai/camel #3954,
 * genkit-ai/aws-bedrock-js-plugin #664, pydantic/pydantic-ai #2327).
 */
function judgeCalls(messages: readonly (readonly Fields[])[]): BedrockRefusal | null {
  let asked: readonly unknown[] = []
  for (const [index, content] of messages.entries()) {
    const results = content.flatMap((block) =>
      block['toolResult'] === undefined ? [] : [fieldsOf(block['toolResult'])],
    )
    const answered = results.map(({ toolUseId }) => toolUseId)
    const at = `messages.${index}.content`
    const missing = asked.filter((id) => !answered.includes(id))
    if (missing.length > 0)
      return invalid(`Expected toolResult blocks at ${at} for the following Ids: ${missing.join(', ')}`)
    if (answered.some((id) => !asked.includes(id)) || new Set(answered).size < answered.length) {
      return invalid(`The number of toolResult blocks at ${at} exceeds the number of toolUse blocks of previous turn.`)
    }
    for (const { content: parts, status } of results) {
      const said = listOf(parts).map((part) => fieldsOf(part)['text'])
      if (said.some((text) => typeof text === 'string' && text.trim() === ''))
        return invalid(`A text at ${at} is blank.`)
      // aws-samples/sample-multi-agent-orchestration-chat-on-agentcore #15.
      if (status === 'error' && said.length === 0)
        return invalid(`The content field at ${at}.toolResult cannot be empty when status value is error.`)
    }
    asked = content.flatMap((block) => {
      return block['toolUse'] === undefined ? [] : [fieldsOf(block['toolUse'])['toolUseId']]
    })
    if (!asked.every((id) => typeof id === 'string' && CALL_ID.test(id)))
      return invalid(`Value at '${at}.toolUse.toolUseId' failed to satisfy constraint: [a-zA-Z0-9_.:-]+, 1 to 64.`)
  }
  return null
}

function judgeContent(
  content: readonly unknown[],
  { at, hasTools }: { readonly at: string; readonly hasTools: boolean },
): BedrockRefusal | null {
  if (content.length === 0) return invalid(`The content field in the Message object at ${at} is empty.`)
  for (const [index, block] of content.entries()) {
    const { text, toolUse, toolResult, ...others } = fieldsOf(block)
    const given = [text, toolUse, toolResult, ...Object.values(others)].filter((member) => member !== undefined)
    if (given.length !== 1) return invalid(`${given.length} members are set in the union at ${at}.content.${index}.`)
    if (typeof text === 'string' && text.trim() === '')
      return invalid(`The text field in the ContentBlock object at ${at}.content.${index} is blank.`)
    if (!hasTools && (toolUse ?? toolResult) !== undefined)
      return invalid('The toolConfig field must be defined when using toolUse and toolResult content blocks.')
  }
  return null
}

/** A server-sent event of the fake upstream as a frame, with padding that hides its length; null: it has no data. */
export function converseFrame(event: string): Buffer | null {
  const name = /^event: ?([^\n]*)/m.exec(event)?.[1]
  const data = /^data: ?([^\n]*)/m.exec(event)?.[1]
  if (name === undefined || data === undefined) return null
  const payload = fieldsOf(JSON.parse(data))
  if (name.endsWith('Exception')) return exceptionFrame(name, String(payload['message']))
  const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }
  return frame(headers, { ...payload, p: 'abcdefghijklmnopqrstuvwxyzABCDEF'.slice(0, 3 + (data.length % 29)) })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
