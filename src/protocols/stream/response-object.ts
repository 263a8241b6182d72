import type { TokenCounts } from '../../core/tokens.ts'
import type { EarlyEnd } from '../protocol.ts'
import { fieldsOf } from '../json/json-object.ts'
import { earlyUsage, madeUpId } from './early-usage.ts'
import { isJson, rawFields } from './event-fields.ts'

/**
 * The `response` of `response.incomplete`, as raw JSON, so that its output items stand in it as they were sent. `created`:
 * what `repeatedFields` made of the upstream's `response.created`, null when that never came.
 */
export function incompleteResponse(
  end: EarlyEnd,
  so: { created: ReadonlyMap<string, string> | null; output: string; reported: TokenCounts },
): string {
  const details = JSON.stringify({ reason: 'max_output_tokens' })
  const usage = JSON.stringify(usageOf(end, so.reported))
  const over = { status: '"incomplete"', error: 'null', incomplete_details: details, output: so.output, usage }
  return rawObject(new Map([...(so.created ?? madeUpFields(end)), ...Object.entries(over)]))
}

/** The `response` of a `response.created` that the upstream never sent. */
export function inProgressResponse(end: EarlyEnd): object {
  return fromRaw(new Map([...madeUpFields(end), ['status', '"in_progress"'], ['output', '[]']]))
}

/** Read by clients, or required by OpenAI's own types. */
const REPEATED = new Set(
  (
    'id object created_at model background conversation instructions max_output_tokens max_tool_calls metadata ' +
    'parallel_tool_calls previous_response_id prompt_cache_key reasoning safety_identifier service_tier store ' +
    'temperature text tool_choice tools top_logprobs top_p truncation user'
  ).split(' '),
)
/** What the client sent itself may be long and is not kept for the length of a stream: it reads as empty then. */
const REPEATED_LIMIT_BYTES = 1024

/** The fields of `response.created` that every later event about the response repeats, as raw JSON. */
export function repeatedFields(response: Buffer): ReadonlyMap<string, string> {
  const fields = [...rawFields(response, REPEATED)].map(([field, raw]) => [field, shortened(raw)] as const)
  return new Map([['object', '"response"'], ...fields.filter(([, raw]) => isJson(raw))])
}

function shortened(raw: string): string {
  if (raw.length <= REPEATED_LIMIT_BYTES) return raw
  return raw.startsWith('[') ? '[]' : 'null'
}

function madeUpFields({ requestId, model, nowMs }: EarlyEnd): ReadonlyMap<string, string> {
  const made = { id: madeUpId('resp_', requestId), object: 'response', created_at: Math.floor(nowMs / 1000), model }
  const required = { instructions: null, metadata: {}, parallel_tool_calls: true, temperature: null }
  const fields = Object.entries({ ...made, ...required, tool_choice: 'auto', tools: [], top_p: null })
  return new Map(fields.map(([field, value]) => [field, JSON.stringify(value)]))
}

/** What names the response. */
export function identityOf(created: ReadonlyMap<string, string>): object {
  const fields = ['id', 'created_at', 'model'].map((field) => [field, created.get(field) ?? 'null'] as const)
  return fromRaw(new Map(fields))
}

function rawObject(fields: ReadonlyMap<string, string>): string {
  return `{${[...fields].map(([field, raw]) => `"${field}":${raw}`).join(',')}}`
}

function fromRaw(fields: ReadonlyMap<string, string>): object {
  return fieldsOf(JSON.parse(rawObject(fields)))
}

/** Null where the input isn't known: clients that read any of it want whole numbers for all. */
function usageOf(end: EarlyEnd, reported: TokenCounts): object | null {
  const usage = earlyUsage(end, reported)
  if (usage === null) return null
  const { input, cached, output, reasoning } = usage
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
