/** What Bedrock refuses of an invocation, in its own words. */

export interface BedrockRefusal {
  readonly status: number
  /** null: the answer names none, as where the key itself is refused. */
  readonly type: string | null
  readonly message: string
}

type Fields = Readonly<Record<string, unknown>>

/** Features in beta that AWS documents for invocations, and of 2026 one that LiteLLM passes on (BerriAI/litellm, commit 030dd40a). */
const BETAS: ReadonlySet<unknown> = new Set([
  'computer-use-2025-01-24',
  'interleaved-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'fine-grained-tool-streaming-2025-05-14',
  'effort-2025-11-24',
  'mid-conversation-tool-changes-2026-07-01',
])

export function invalid(message: string): BedrockRefusal {
  return { status: 400, type: 'ValidationException', message }
}

/** A refusal that does not say which feature it means. */
export const NO_BETA = invalid('The model returned the following errors: invalid beta flag')

export const UNKNOWN_OPERATION: BedrockRefusal = { status: 404, type: 'UnknownOperationException', message: '' }

/** Judges headers and body of an invocation; null: they are good. */
export function judgeInvocation(
  headers: Readonly<Record<string, unknown>>,
  body: Fields | null,
): BedrockRefusal | null {
  if (headers['content-type'] !== 'application/json') return invalid('The provided Content-Type is not supported.')
  if (headers['accept'] !== undefined && headers['accept'] !== 'application/json')
    return invalid('The provided Accept is not supported.')
  for (const name of ['anthropic-version', 'anthropic-beta', 'x-api-key']) {
    if (headers[name] !== undefined) return invalid(`The header ${name} belongs to Anthropic.`)
  }
  if (body === null) return invalid('Malformed input request, please reformat your input and try again.')
  for (const key of ['model', 'stream', 'metadata_of_gateway']) {
    if (body[key] !== undefined) {
      return invalid(
        `Malformed input request: #: extraneous key [${key}] is not permitted, please reformat your input and try again.`,
      )
    }
  }
  if (body['anthropic_version'] !== 'bedrock-2023-05-31') return invalid('Invalid API version')
  const betas = body['anthropic_beta']
  if (betas !== undefined && !(Array.isArray(betas) && betas.every((beta) => BETAS.has(beta)))) {
    return NO_BETA
  }
  const { max_tokens: limit, messages } = body
  if (typeof limit !== 'number') return invalid('The model returned the following errors: max_tokens: Field required')
  return Array.isArray(messages) ? null : invalid('The model returned the following errors: messages: Field required')
}

/** What AWS makes of an error of the model's. */
export function refusalOfModel(status: number, message: string): BedrockRefusal {
  if (status === 400 || status === 413) return invalid(`The model returned the following errors: ${message}`)
  if (status === 401) return { status: 403, type: 'UnrecognizedClientException', message }
  if (status === 403) return { status: 403, type: 'AccessDeniedException', message }
  if (status === 404) return { status: 404, type: 'ResourceNotFoundException', message }
  if (status === 429) return { status: 429, type: 'ThrottlingException', message }
  if (status === 503 || status === 529) return { status: 503, type: 'ServiceUnavailableException', message }
  return { status: 500, type: 'InternalServerException', message }
}

/** The type of the exception by which an error of the model's is heard within a stream. */
export function exceptionOf(type: string): string {
  if (type === 'rate_limit_error') return 'throttlingException'
  return type === 'overloaded_error' ? 'serviceUnavailableException' : 'modelStreamErrorException'
}
