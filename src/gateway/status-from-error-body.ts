import type { UpstreamError } from '../protocols/protocol.ts'

/**
 * The HTTP status that an error would have had which came within an answer of a good status, as errors in streams do: by the
 * names that providers have for kinds of errors, never by the words of its message. What none of them says is a failure (500).
 *
 * The names are those of Anthropic's API reference (errors), OpenAI's (error codes; the error object of responses), Google's
 * `google.rpc.Code` with the statuses it gives them, Azure's (content filtering; error codes), and OpenRouter's (errors), which
 * writes the status itself as the code. A word for the end of an answer stands here too: DeepSeek's for a model that is too busy to go on (`finish_reason`).
 */
export function statusFromErrorBody({ code, type }: UpstreamError): number {
  const written = code !== null && /^[45]\d\d$/.test(code) ? Number(code) : undefined
  return written ?? STATUSES.get(code ?? '') ?? STATUSES.get(type ?? '') ?? 500
}

const STATUSES: ReadonlyMap<string, number> = new Map([
  ...named(400, [
    'invalid_request_error',
    'invalid_prompt',
    'context_length_exceeded',
    'content_policy_violation',
    'content_filter',
    'image_content_policy_violation',
    'invalid_image',
    'invalid_image_format',
    'invalid_base64_image',
    'invalid_image_url',
    'invalid_image_mode',
    'image_too_large',
    'image_too_small',
    'image_parse_error',
    'image_file_too_large',
    'unsupported_image_media_type',
    'empty_image_file',
    'failed_to_download_image',
    'image_file_not_found',
    'INVALID_ARGUMENT',
    'FAILED_PRECONDITION',
    'OUT_OF_RANGE',
  ]),
  ...named(401, ['authentication_error', 'invalid_api_key', 'UNAUTHENTICATED']),
  ...named(402, ['billing_error', 'insufficient_quota']),
  ...named(403, ['permission_error', 'PERMISSION_DENIED']),
  ...named(404, ['not_found_error', 'model_not_found', 'DeploymentNotFound', 'OperationNotSupported', 'NOT_FOUND']),
  ...named(413, ['request_too_large']),
  ...named(429, ['rate_limit_error', 'rate_limit_exceeded', 'RESOURCE_EXHAUSTED']),
  ...named(503, ['slow_down', 'UNAVAILABLE', 'insufficient_system_resource']),
  ...named(504, ['timeout_error', 'vector_store_timeout', 'DEADLINE_EXCEEDED']),
  ...named(529, ['overloaded_error']),
])

function named(status: number, names: readonly string[]): readonly (readonly [string, number])[] {
  return names.map((name) => [name, status])
}
