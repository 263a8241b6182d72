import { type JsonObject, objectOf, objectsIn } from './json.ts'
import { type Part, type Thought, partText } from './thought.ts'
import type { WireCall } from './wire-answer.ts'

/**
 * The response object with every field that the public schema requires, the settings of the request among them.
 * `output` null: still running.
 */
export function responseObject(call: WireCall, thought: Thought, output: readonly JsonObject[] | null): JsonObject {
  const isCut = thought.ending === 'length'
  const status = isCut ? 'incomplete' : 'completed'
  return {
    id: `resp_${call.serial}`,
    object: 'response',
    created_at: call.nowSeconds(),
    status: output === null ? 'in_progress' : status,
    background: false,
    completed_at: output === null || isCut ? null : call.nowSeconds(),
    error: null,
    incomplete_details: output !== null && isCut ? { reason: 'max_output_tokens' } : null,
    ...settings(call.body),
    output: output ?? [],
    usage: output === null ? null : usage(thought),
  }
}

/** What the request set, and OpenAI's defaults for the rest. */
function settings(body: JsonObject): JsonObject {
  return {
    model: body['model'],
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    metadata: body['metadata'] ?? {},
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    presence_penalty: body['presence_penalty'] ?? 0,
    frequency_penalty: body['frequency_penalty'] ?? 0,
    previous_response_id: null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(body['reasoning']) },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: false,
    temperature: body['temperature'] ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...objectOf(body['text']) },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: objectsIn(body['tools']).map(completeTool),
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    user: body['user'] ?? null,
  }
}

function completeTool(tool: JsonObject): JsonObject {
  return tool['type'] === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool
}

function usage(thought: Thought): JsonObject {
  const { inputTokens, outputTokens, reasoningTokens } = thought
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

/** Which of the parts it is decides the id of an output item. */
export function itemId(call: WireCall, part: Part, index: number): string {
  const prefixes = { reasoning: 'rs', text: 'msg', tool_call: 'fc' } as const
  return `${prefixes[part.kind]}_${call.serial}_${index}`
}

/** A part that the output limit cut is `incomplete`; only the last one can be. */
export function statusOf(thought: Thought, index: number): 'completed' | 'incomplete' {
  return thought.ending === 'length' && index === thought.parts.length - 1 ? 'incomplete' : 'completed'
}

export function outputItems(call: WireCall, thought: Thought): readonly JsonObject[] {
  return thought.parts.map((part, index) =>
    outputItem(call, { part, index, text: partText(part), status: statusOf(thought, index) }),
  )
}

/** The output item that holds `text` of this part: empty while it is announced, whole at its end. */
export function outputItem(
  call: WireCall,
  at: { part: Part; index: number; text: string; status: string },
): JsonObject {
  const { part, index, text, status } = at
  const id = itemId(call, part, index)
  const isBegun = status !== 'in_progress'
  if (part.kind === 'reasoning') return { id, type: 'reasoning', summary: isBegun ? [summaryText(text)] : [] }
  if (part.kind === 'text') {
    return { id, type: 'message', status, role: 'assistant', content: isBegun ? [outputText(text)] : [] }
  }
  const { name, namespace } = part.tool
  const named = { status, call_id: `call_${call.serial}_${index}`, name, ...(namespace === null ? {} : { namespace }) }
  return part.tool.kind === 'custom'
    ? { id, type: 'custom_tool_call', ...named, input: text }
    : { id, type: 'function_call', ...named, arguments: text }
}

export function summaryText(text: string): JsonObject {
  return { type: 'summary_text', text }
}

export function outputText(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}
