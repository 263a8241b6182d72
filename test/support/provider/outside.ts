/** What a request brings in that is not in its bytes, read from the decoded JSON as providers do. */
import { type JsonFields, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'

/** What a reference brings in whose text names no size, in tokens: a picture, or a page. */
const TOKENS_OF_A_PICTURE = 1_500
const TOKENS_OF_A_PAGE = 1_500
/** Google's documentation of video understanding: 258 tokens a second at one frame a second. */
const TOKENS_OF_A_SECOND = 258

/**
 * Fields that name something elsewhere by a string, or by an object with `id` or `url`. OpenAI: chat completions, responses
 * and conversations; Anthropic: messages with files and URLs; Google: generateContent, where each name may be written in
 * either case, as its JSON mapping of protocol buffers allows.
 */
const NAMES = new Set(
  (
    'previous_response_id conversation file_id file_url image_url video_url audio_url url fileUri file_uri ' +
    'cachedContent cached_content container gcsUri gcs_uri'
  ).split(' '),
)

/** Tokens that the walk over a request finds outside of it, and inside of it in what is not text. */
export interface OutsideTokens {
  /** Tokens of references, by the field that named each. */
  readonly named: readonly { readonly field: string; readonly tokens: number }[]
  /** Tokens of documents, pictures and films that are in the body as base64. */
  readonly inline: number
}

/** Walks the whole body. A number at the end of what is named says how large it is: `resp_120000` has 120,000 tokens. */
export function outsideTokens(body: unknown): OutsideTokens {
  const named: { field: string; tokens: number }[] = []
  let inline = 0
  const open: unknown[] = [body]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) for (const inner of node as unknown[]) open.push(inner)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) continue
    const fields = node as JsonFields
    for (const [field, value] of Object.entries(fields)) {
      const reference = NAMES.has(field) ? referenceOf(value) : ''
      if (reference !== '' && !reference.startsWith('data:')) named.push({ field, tokens: sizeOf(reference) })
      if (typeof value === 'object') open.push(value)
    }
    const item = itemReference(fields)
    if (item !== '') named.push({ field: 'item_reference', tokens: sizeOf(item) })
    inline += inlineTokens(fields)
  }
  const template = stringOf(objectOf(objectOf(body)['prompt'])['id'])
  if (template !== '') named.push({ field: 'prompt', tokens: sizeOf(template) })
  return { named, inline }
}

function referenceOf(value: unknown): string {
  const { id, url } = objectOf(value)
  return stringOf(value) || stringOf(id) || stringOf(url)
}

/** The id of an item that is referred to. OpenAI's reference of responses: `type` may be left out beside a lone id. */
function itemReference(fields: JsonFields): string {
  const isAlone = Object.keys(fields).length === 1
  const id = stringOf(fields['id'])
  const isItem = fields['type'] === 'item_reference' || (isAlone && /^(msg|rs|fc|item)_/.test(id))
  return isItem ? id : ''
}

/** Pages of a PDF and seconds of a film need few bytes: empty pages are read as pictures all the same. */
function inlineTokens(fields: JsonFields): number {
  const { data, file_data: fileData, file_bytes: fileBytes } = fields
  const base64 = stringOf(data) || stringOf(fileData) || stringOf(fileBytes) || dataUrl(fields)
  if (base64.length < 8) return 0
  const bytes = Buffer.from(base64.slice(base64.indexOf(',') + 1), 'base64').toString('latin1')
  const pages = Number(/\/Count (\d+)/.exec(bytes)?.[1] ?? 0)
  const seconds = Number(/seconds=(\d+)/.exec(bytes)?.[1] ?? 0)
  const isPicture = bytes.startsWith('\x89PNG')
  return pages * TOKENS_OF_A_PAGE + seconds * TOKENS_OF_A_SECOND + (isPicture ? TOKENS_OF_A_PICTURE : 0)
}

function dataUrl(fields: JsonFields): string {
  const found = ['url', 'image_url', 'file_url'].map((name) => stringOf(fields[name]))
  return found.find((url) => url.startsWith('data:')) ?? ''
}

function sizeOf(reference: string): number {
  const digits = Array.from(reference.matchAll(/\d+/g), ([all]) => all).at(-1)
  return digits === undefined ? TOKENS_OF_A_PICTURE : Number(digits)
}

/** Strings that a model does not read. */
const NO_TEXT = new Set(
  'data file_data model role type id service_tier speed inference_geo media_type mimeType detail ttl format'.split(' '),
)
/** Where the names of fields are read as well: schemas are text to a model. */
const SCHEMAS = new Set(['tools', 'functions', 'response_format', 'json_schema'])

/** All text of a body that its model reads: no base64, no names of what is elsewhere. */
export function textsOf(body: unknown): string[] {
  const texts: string[] = []
  const open: { readonly value: unknown; readonly isSchema: boolean }[] = [{ value: body, isSchema: false }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, isSchema } = node
    if (typeof value === 'string') texts.push(value)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      const isText = Array.isArray(value) || isSchema || !(NO_TEXT.has(name) || NAMES.has(name))
      if (isSchema && !Array.isArray(value)) texts.push(name)
      if (isText || typeof inner === 'object') open.push({ value: inner, isSchema: isSchema || SCHEMAS.has(name) })
    }
  }
  return texts
}
