/**
 * What a picture, a sound or a file costs that is sent in Base64 inside of a request, in tokens, and where requests have such.
 * Shared by what is held for a request (`protocols/reading/input-estimate.ts`) and by what is counted where no usage was reported
 * (`metering/usage/token-counter`).
 */

/** Anthropic's largest standard image costs 1,590 tokens, OpenAI's high detail 765 to 1,105 for common sizes. */
export const IMAGE_TOKENS = 1_600
/** A dense page is 50 to 100 KB of base64 and costs 2,000 to 3,000 tokens as text and picture. */
const DOCUMENT_BYTES_PER_TOKEN = 20
/** Sound costs 10 to 32 tokens a second and takes 5 to 60 KB of base64 a second. */
const SOUND_BYTES_PER_TOKEN = 200
/** Text in base64: 3 bytes of text for 4 of base64. */
const ENCODED_TEXT_BYTES_PER_TOKEN = 4
/** No file costs more than a large context window. */
export const FILE_TOKENS_LIMIT = 200_000

/** Tokens of so many characters of Base64. `kind`: the first part of a media type, such as `image`. */
export function fileTokens(length: number, kind: string): number {
  if (kind === 'image') return IMAGE_TOKENS
  if (kind === 'text') return Math.ceil(length / ENCODED_TEXT_BYTES_PER_TOKEN)
  const sound = kind === 'audio' || kind === 'video'
  const tokens = Math.ceil(length / (sound ? SOUND_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN))
  return Math.min(Math.max(tokens, IMAGE_TOKENS), FILE_TOKENS_LIMIT)
}

/** Names of the fields in which Gemini's wire has data beside their media type. */
export const GEMINI_DATA: readonly string[] = ['inlineData', 'inline_data']

/** Keys between the top of a body and a piece of media. Anything else on the way (a tool's `input`, a schema) makes it text. */
export const MEDIA_ROOTS: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'system',
  'contents',
  'systemInstruction',
  'system_instruction',
])
export const MEDIA_PATH: ReadonlySet<string> = new Set([
  'content',
  'output',
  'source',
  'image_url',
  'video_url',
  'file',
  'input_audio',
  'parts',
  'functionResponse',
  'function_response',
  ...GEMINI_DATA,
])
