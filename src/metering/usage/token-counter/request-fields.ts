import { MEDIA_PATH, MEDIA_ROOTS } from '../../../core/media-tokens.ts'

/**
 * What a field of a request may hold. `top`: the body itself. `media`: texts, and data in the places that the wires have for it.
 * `setting`: no words for a model. `text`: everything else, all of which counts.
 */
export type FieldRole = 'top' | 'media' | 'setting' | 'text'

/** The place of what stands in the field of that name. */
export function placeBelow(place: FieldRole, name: string): FieldRole {
  switch (place) {
    case 'top':
      if (name === WRAPPED_REQUEST) return 'top'
      if (SETTINGS.has(name)) return 'setting'
      return MEDIA_ROOTS.has(name) || OTHER_ROOTS.has(name) ? 'media' : 'text'
    case 'media':
      return MEDIA_PATH.has(name) || OTHER_PATH.has(name) ? 'media' : 'text'
    case 'setting':
      return SCHEMAS.has(name) ? 'text' : 'setting'
    case 'text':
      return 'text'
  }
}

/** Whether a field of the body has a name that every request of its kind has, which costs nothing. */
export function isUsualField(name: string): boolean {
  return name === WRAPPED_REQUEST || SETTINGS.has(name) || MEDIA_ROOTS.has(name) || USUAL.has(name)
}

/** Whether it is one of the words by which the wires say what an object is. They come with its frame. */
export function isWordOfWires(name: string): boolean {
  return WORDS_OF_WIRES.has(name)
}

const WORDS_OF_WIRES: ReadonlySet<string> = new Set(
  (
    'role content type text name id status input output tool_calls tool_call_id tool_use_id call_id function arguments ' +
    'parameters input_schema description properties required additionalProperties items enum strict cache_control ttl ' +
    'is_error image_url source media_type detail summary encrypted_content signature thinking reasoning_content parts ' +
    'functionDeclarations functionCall functionResponse parametersJsonSchema thought thoughtSignature inlineData mimeType ' +
    'annotations logprobs $schema'
  ).split(' '),
)

/** A whole request of Gemini's wire, in one that asks for its tokens. */
const WRAPPED_REQUEST = 'generateContentRequest'

/** Pictures of the wires that are not for chat, and lists of documents with pictures among them. */
const OTHER_ROOTS: ReadonlySet<string> = new Set(['image', 'images', 'mask', 'inputs', 'documents', 'query'])

/** Names on the way to pictures that a model drew, and to what it thought and enciphered. */
const OTHER_PATH: ReadonlySet<string> = new Set([
  'images',
  'image',
  'tool_calls',
  'extra_content',
  'google',
  'reasoning_details',
])

const USUAL: ReadonlySet<string> = new Set(['tools', 'instructions', 'prompt', 'text', 'response_format'])

/** A schema within a setting is text to a model. */
const SCHEMAS: ReadonlySet<string> = new Set(
  'schema responseSchema response_schema responseJsonSchema response_json_schema'.split(' '),
)

/** Fields that say how to answer or whose request it is, on any of the wires. */
const SETTINGS: ReadonlySet<string> = new Set(
  (
    'model stream stream_options max_tokens max_completion_tokens max_output_tokens max_tool_calls temperature top_p top_k ' +
    'n best_of echo stop stop_sequences presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed user ' +
    'safety_identifier prompt_cache_key prompt_cache_retention service_tier store metadata client_metadata tool_choice ' +
    'parallel_tool_calls reasoning reasoning_effort thinking include truncation verbosity modalities audio background ' +
    'previous_response_id conversation context_management output_config container inference_geo speed betas ' +
    'anthropic_version generationConfig generation_config safetySettings safety_settings toolConfig tool_config ' +
    'cachedContent cached_content labels serviceTier encoding_format dimensions top_n return_documents voice size ' +
    'quality background_color output_format moderation'
  ).split(' '),
)
