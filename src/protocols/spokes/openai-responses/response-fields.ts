import type { TokenCounts } from '../../../core/tokens.ts'
import { totalInput, totalOutput } from '../../../core/tokens.ts'
import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { madeUpId } from '../../stream/early-usage.ts'

/**
 * The fields of a response that stay the same from its first event to its last: all that the Open Responses schema
 * (`ResponseResource`) requires, repeated from the request where it said them, else what is so by default.
 */
export function sameFields({ asked, requestId, model, nowMs }: ClientCall): JsonObject {
  const reasoning = fieldsOf(asked['reasoning'])
  return {
    id: madeUpId('resp_', requestId),
    object: 'response',
    created_at: Math.floor(nowMs / 1000),
    model,
    background: false,
    previous_response_id: null,
    store: false,
    truncation: 'disabled',
    service_tier: 'default',
    ...bounded(asked),
    ...Object.fromEntries(REPEATED.map(([field, byDefault]) => [field, asked[field] ?? byDefault])),
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    text: { ...fieldsOf(asked['text']), format: fieldsOf(asked['text'])['format'] ?? { type: 'text' } },
  }
}

const REPEATED: readonly (readonly [string, unknown])[] = [
  ['frequency_penalty', 0],
  ['max_output_tokens', null],
  ['max_tool_calls', null],
  ['metadata', {}],
  ['parallel_tool_calls', true],
  ['presence_penalty', 0],
  ['prompt_cache_key', null],
  ['safety_identifier', null],
  ['temperature', 1],
  ['tool_choice', 'auto'],
  ['top_logprobs', 0],
  ['top_p', 1],
  ['user', null],
]

/** Three events repeat it, and no client reads it: beyond this it reads as empty. Agents send 50,000. */
const REPEATED_LIMIT_CHARACTERS = 128 * 1024

function bounded(asked: JsonObject): JsonObject {
  const instructions = typeof asked['instructions'] === 'string' ? asked['instructions'] : null
  const tools = listOf(asked['tools']).map((tool) => repeatedTool(fieldsOf(tool)))
  return {
    instructions: instructions !== null && instructions.length > REPEATED_LIMIT_CHARACTERS ? null : instructions,
    tools: JSON.stringify(tools).length > REPEATED_LIMIT_CHARACTERS ? [] : tools,
  }
}

/** Functions have all of their fields in an answer. */
function repeatedTool(tool: JsonObject): JsonObject {
  return tool['type'] === 'function' ? { description: null, parameters: null, strict: null, ...tool } : tool
}

/** How an answer ended, as this wire says it. */
export function endOf(reason: StopReason): {
  readonly status: 'completed' | 'incomplete'
  readonly details: JsonObject | null
} {
  if (reason === 'length') return { status: 'incomplete', details: { reason: 'max_output_tokens' } }
  if (reason === 'filtered') return { status: 'incomplete', details: { reason: 'content_filter' } }
  return { status: 'completed', details: null }
}

/** Whole numbers everywhere, as clients want them. `estimatedOutput` where no output was reported. */
export function writeUsage(counts: TokenCounts, estimatedOutput: number): JsonObject {
  const [input, output] = [totalInput(counts) ?? 0, totalOutput(counts) ?? estimatedOutput]
  const written = (counts.cacheWrite ?? 0) + (counts.cacheWrite1h ?? 0)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: counts.cacheRead ?? 0, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
    total_tokens: input + output,
  }
}
