/** What Vertex AI refuses of a request, in its own words as they are quoted in public reports. */
import type { IncomingHttpHeaders } from 'node:http'
import { type JsonFields, listOf, objectOf } from '../../../src/upstreams/demo/json.ts'
import { hasIds, SIGNED_HERE } from './vertex-models.ts'
import type { VertexCall } from './vertex-path.ts'

export interface VertexRefusal {
  readonly status: number
  readonly body: object
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** `google.rpc.Status`; `reason`: the one of its details. */
export function googleError(code: number, message: string, reason?: string): VertexRefusal {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }
  const details = reason === undefined ? {} : { details: [info] }
  return { status: code, body: { error: { code, message, status: NAMES[code] ?? 'UNKNOWN', ...details } } }
}

/** Anthropic's own form, with the id that its errors have there. */
function anthropicError(message: string): VertexRefusal {
  const error = { type: 'invalid_request_error', message }
  return { status: 400, body: { type: 'error', error, request_id: 'req_vrtx_fake' } }
}

function unknownName(name: string, at: string): VertexRefusal {
  const place = at === '' ? '' : ` at '${at}'`
  const description = `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: at, description }],
  }
  return {
    status: 400,
    body: { error: { code: 400, message: description, status: 'INVALID_ARGUMENT', details: [violation] } },
  }
}

/** Fields of `GenerateContentRequest` and of `CountTokensRequest` (js-genai, converters for Vertex AI). */
const REQUEST = names(
  'contents systemInstruction tools toolConfig safetySettings generationConfig labels cachedContent serviceTier modelArmorConfig continuationToken outputConfig',
)
const COUNT = names('contents systemInstruction tools generationConfig instances')
const CONTENT = names('role parts')
const PART = names(
  'text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode codeExecutionResult videoMetadata mediaResolution audioTranscription mediaProcessing speechMetadata',
)

function names(written: string): ReadonlySet<string> {
  return new Set(written.split(' '))
}

/** Names may be written in snake case as well. */
function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function foreignTo(known: ReadonlySet<string>, fields: JsonFields): string | undefined {
  return Object.keys(fields).find((name) => !known.has(camel(name)))
}

export function geminiRefusal(json: JsonFields, call: Extract<VertexCall, { kind: 'gemini' }>): VertexRefusal | null {
  const foreign = foreignTo(call.asks === 'count' ? COUNT : REQUEST, json)
  if (foreign !== undefined) return unknownName(foreign, '')
  const contents = listOf(json['contents']).map(objectOf)
  if (contents.length === 0)
    return googleError(400, 'Unable to submit request because at least one contents field is required.')
  const cache = json['cachedContent'] ?? json['cached_content'] ?? null
  if (cache !== null && !/^projects\/[^/]+\/locations\/[^/]+\/cachedContents\/./.test(textOf(cache))) {
    return googleError(400, 'Invalid cached content name.')
  }
  for (const [index, content] of contents.entries()) {
    const refusal = contentRefusal(content, `contents[${index}]`, call)
    if (refusal !== null) return refusal
  }
  return null
}

function contentRefusal(
  content: JsonFields,
  at: string,
  { model }: Extract<VertexCall, { kind: 'gemini' }>,
): VertexRefusal | null {
  const foreign = foreignTo(CONTENT, content)
  if (foreign !== undefined) return unknownName(foreign, at)
  if (content['role'] !== 'user' && content['role'] !== 'model') {
    return googleError(400, 'Please use a valid role: user, model.')
  }
  for (const [index, part] of listOf(content['parts']).map(objectOf).entries()) {
    const place = `${at}.parts[${index}]`
    const unknown = foreignTo(PART, part)
    if (unknown !== undefined) return unknownName(unknown, place)
    const signature = part['thoughtSignature'] ?? part['thought_signature']
    if (signature === 'context_engineering_is_the_way_to_go') {
      return googleError(400, 'Unable to submit request because Thought signature is not valid.')
    }
    if (signature !== undefined && signature !== NO_SIGNATURE && !textOf(signature).startsWith(SIGNED_HERE)) {
      return googleError(400, 'Corrupted thought signature.')
    }
    for (const [name, snake] of [
      ['functionCall', 'function_call'],
      ['functionResponse', 'function_response'],
    ] as const) {
      const callFields = objectOf(part[name] ?? part[snake])
      if (!hasIds(model) && 'id' in callFields) return unknownName('id', `${place}.${snake}`)
    }
  }
  return null
}

const NO_SIGNATURE = 'skip_thought_signature_validator'

/** Anthropic's first version is refused by its own name. */
const VERSIONS: ReadonlySet<unknown> = new Set(['vertex-2023-10-16', '2026-10-21'])
const REFUSED_BETAS = /^(?:oauth-|prompt-caching-scope-|advanced-tool-use-)/
const COUNTED_WITH =
  /^(?:claude-code-20250219|interleaved-thinking-2025-05-14|context-management-2025-06-27|token-counting-2024-11-01)$/

export function claudeRefusal(
  json: JsonFields,
  { isStream, isCount }: Extract<VertexCall, { kind: 'claude' }>,
  headers: IncomingHttpHeaders,
): VertexRefusal | null {
  if (!VERSIONS.has(json['anthropic_version'])) return anthropicError('anthropic_version: Field required')
  if (isCount && typeof json['model'] !== 'string') return anthropicError('model: Field required')
  if (!isCount && 'model' in json) return anthropicError('model: Extra inputs are not permitted')
  if ((json['stream'] === true) !== isStream) return anthropicError('stream: Input should match the method')
  const betas = String(headers['anthropic-beta'] ?? '')
    .split(',')
    .filter((beta) => beta !== '')
  const refused = betas.filter((beta) => (isCount ? !COUNTED_WITH.test(beta) : REFUSED_BETAS.test(beta)))
  if (refused.length === 0) return null
  const named = refused.map((beta) => `\`${beta}\``).join(', ')
  return anthropicError(`Unexpected value(s) ${named} for the \`anthropic-beta\` header.`)
}

export function openaiRefusal(
  json: JsonFields,
  { endpoint }: Extract<VertexCall, { kind: 'openai' }>,
): VertexRefusal | null {
  if (endpoint !== 'openapi') return null
  if (/^[^/]+\/./.test(textOf(json['model']))) return null
  return googleError(400, "Malformed publisher model name: expected format '<publisher>/<model>'")
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
