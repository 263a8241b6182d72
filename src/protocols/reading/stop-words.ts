import type { UpstreamError } from '../protocol.ts'

/**
 * `end`: it had said all, or met a stop sequence. `length`: the output limit or the context was full. `tool_calls`: tools
 * are to be called. `filtered`: the provider withheld the rest, or the model declined. `paused`: to be sent back as it is.
 */
export type StopReason = 'end' | 'stop_sequence' | 'length' | 'tool_calls' | 'filtered' | 'paused'

/** What a word for the end of an answer means: why the model stopped, or that the answer is not one. */
export type StopMeaning = StopReason | 'failed'

/**
 * Every word for the end of an answer that is known, in lower case, with what it becomes and who says it: a closed list for
 * all protocols, since servers of one use the words of others. Any other word is a failure, see `flawOfStop`.
 */
export const STOP_WORDS: ReadonlyMap<string, StopMeaning> = new Map([
  ...means('end', [
    // OpenAI and nearly all; Gemini.
    'stop',
    // Anthropic; xAI over chat completions.
    'end_turn',
    // Together AI and SiliconFlow; Hugging Face's TGI.
    'eos',
    'eos_token',
    // Cohere; Baidu Qianfan.
    'complete',
    'normal',
  ]),
  // Anthropic; TGI.
  ...means('stop_sequence', ['stop_sequence']),
  // OpenAI; Anthropic; Cohere.
  ...means('tool_calls', ['tool_calls', 'function_call', 'tool_use', 'tool_call']),
  ...means('length', [
    'length',
    'max_tokens',
    // Responses.
    'max_output_tokens',
    'max_messages',
    // Mistral; Anthropic and GLM; Cohere.
    'model_length',
    'model_context_window_exceeded',
    'error_limit',
    // Gemini.
    'continuation',
    // vLLM and Xiaomi MiMo end an answer that repeats itself.
    'repetition',
    'repetition_truncation',
  ]),
  ...means('filtered', [
    'content_filter',
    // Anthropic; Bedrock; GLM and Hunyuan; Cohere.
    'refusal',
    'content_filtered',
    'guardrail_intervened',
    'sensitive',
    'error_toxic',
    // Gemini and Vertex AI.
    'safety',
    'recitation',
    'language',
    'blocklist',
    'prohibited_content',
    'spii',
    'model_armor',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
  ]),
  // Anthropic; responses over a socket.
  ...means('paused', ['pause_turn', 'compaction', 'steered']),
  ...means('failed', [
    // OpenRouter, Mistral, vLLM and Cohere; vLLM and SGLang.
    'error',
    'abort',
    // GLM; DeepSeek.
    'network_error',
    'insufficient_system_resource',
    // Gemini, by itself and over chat completions.
    'malformed_function_call',
    'function_call_filter',
    'malformed_response',
    'unexpected_tool_call',
    'too_many_tool_calls',
    'missing_thought_signature',
    'other',
    'image_other',
    'no_image',
    // Bedrock's Converse.
    'malformed_model_output',
    'malformed_tool_use',
    // Ollama, which loaded or unloaded the model and wrote nothing.
    'load',
    'unload',
    // Responses.
    'failed',
    'cancelled',
  ]),
])

function means(meaning: StopMeaning, words: readonly string[]): readonly (readonly [string, StopMeaning])[] {
  return words.map((word) => [word, meaning])
}

/** What a word for the end means; null: it is not known. Google writes `content_filter: RECITATION` over chat completions. */
function meaningOf(word: string): StopMeaning | null {
  const known = STOP_WORDS.get(word)
  if (known !== undefined) return known
  const lower = word.toLowerCase()
  return STOP_WORDS.get(lower) ?? STOP_WORDS.get(lower.replace(/:.*$/s, '').trim()) ?? null
}

/** Why the model stopped, by the word that says so; null: the word says nothing of it. */
export function stopReasonOf(word: unknown): StopReason | null {
  const meaning = typeof word === 'string' ? meaningOf(word) : null
  return meaning === 'failed' ? null : meaning
}

/**
 * Why the model stopped, of an answer that is none of a failure; what says nothing follows from whether tools were called. A
 * word that is not known never comes here, and would not be the end of a whole answer.
 */
export function readStopWord(word: unknown, hasCalls: boolean): StopReason {
  const isSilent = typeof word !== 'string' || word === ''
  const reason = isSilent ? 'end' : (stopReasonOf(word) ?? 'length')
  return reason === 'end' && hasCalls ? 'tool_calls' : reason
}

/** What the name of a failure has in it, in words that no provider documents. */
const NAMES_FAILURE =
  /error|fail|abort|cancel|timeout|timed_?out|malformed|invalid|unexpected|exception|unavailable|overload|interrupt|broken|crash|unknown/

/**
 * The failure that a word for the end stands for; null: the answer ended as the word says, or there is no word yet.
 * `passesUnknown`: the word goes to the client as it is, which knows its own protocol's new words: then only one that names
 * a failure is one.
 */
export function flawOfStop(word: unknown, { passesUnknown = false } = {}): UpstreamError | null {
  if (typeof word !== 'string' || word === '') return null
  const meaning = meaningOf(word)
  if (meaning !== null && meaning !== 'failed') return null
  if (meaning === null && passesUnknown && !NAMES_FAILURE.test(word.toLowerCase())) return null
  return badEnd(word)
}

const PLAIN_WORD = /^[\w .:/-]{1,64}$/

function badEnd(word: string): UpstreamError {
  const named = PLAIN_WORD.test(word) ? word : null
  const said = named === null ? 'for a reason that is not known' : `with “${named}”`
  return {
    message: `The model’s answer ended ${said}, so it is not complete. Try again.`,
    type: 'upstream_error',
    code: named?.replaceAll(/[^\w.-]+/g, '_') ?? null,
    param: null,
  }
}
