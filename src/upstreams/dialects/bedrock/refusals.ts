import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../../protocols/json/json-object.ts'

/** What AWS refused a request with. */
export interface AwsRefusal {
  /** The name that AWS has for it, such as `ThrottlingException`; null: it does not say. */
  readonly name: string | null
  readonly message: string
}

/** How a refusal is heard by those who know the wire's own provider. */
interface Meaning {
  readonly status: number
  /** The kind of error, as Anthropic names them. */
  readonly type: string
}

const CREDENTIAL: Meaning = { status: 401, type: 'authentication_error' }
const FORBIDDEN: Meaning = { status: 403, type: 'permission_error' }
const UNKNOWN_MODEL: Meaning = { status: 404, type: 'not_found_error' }
const FAILED: Meaning = { status: 500, type: 'api_error' }

/**
 * Statuses are AWS' own, but for those by which other providers say something else: a quota that is exceeded comes with 400, an
 * error of the model with 424, and a wrong credential with 403.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html;
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ['ValidationException', { status: 400, type: 'invalid_request_error' }],
  ['ConflictException', { status: 400, type: 'invalid_request_error' }],
  ['AccessDeniedException', FORBIDDEN],
  ['NotAuthorized', FORBIDDEN],
  ['OptInRequired', FORBIDDEN],
  ['ResourceNotFoundException', UNKNOWN_MODEL],
  ['ModelTimeoutException', { status: 408, type: 'timeout_error' }],
  ['ThrottlingException', { status: 429, type: 'rate_limit_error' }],
  ['ModelNotReadyException', { status: 429, type: 'rate_limit_error' }],
  ['ServiceQuotaExceededException', { status: 429, type: 'rate_limit_error' }],
  ['ModelErrorException', FAILED],
  ['ModelStreamErrorException', FAILED],
  ['InternalServerException', FAILED],
  ['InternalFailure', FAILED],
  ['ServiceUnavailableException', { status: 503, type: 'overloaded_error' }],
  ['ServiceUnavailable', { status: 503, type: 'overloaded_error' }],
  ['UnrecognizedClientException', CREDENTIAL],
  ['InvalidSignatureException', CREDENTIAL],
  ['IncompleteSignatureException', CREDENTIAL],
  ['MissingAuthenticationTokenException', CREDENTIAL],
  ['MissingAuthenticationToken', CREDENTIAL],
  ['ExpiredTokenException', CREDENTIAL],
  ['ExpiredToken', CREDENTIAL],
  ['InvalidClientTokenId', CREDENTIAL],
])

/**
 * Refusals under a name that says other things as well, by what their messages begin with. What stands further on may be the
 * client's own words.
 */
const BY_MESSAGE: readonly (readonly [name: string | null, begins: RegExp, meaning: Meaning])[] = [
  // Of an API key, without a name at times: ai4s-research/open-science #53, anomalyco/opencode #47073.
  [null, /^Authentication failed: Please make sure your API Key is valid\b/, CREDENTIAL],
  // Of an account that AWS has not opened for Bedrock, or not in this region, whatever is asked for (kirodotdev/Kiro #11191,
  // aws/aws-cli #8717, aws-samples/amazon-bedrock-audio-summarizer #3).
  ['ValidationException', /^(?:Operation not allowed\.?$|Your account is not authorized to )/, FORBIDDEN],
  // What is asked for is not served in this region or in this way (vercel/ai #14117, terricain/aioboto3 #352).
  ['ValidationException', /^The provided model identifier is invalid\b/, UNKNOWN_MODEL],
  [
    'ValidationException',
    /^Invocation of model ID \S{1,300} with on-demand throughput isn.t supported\b/,
    UNKNOWN_MODEL,
  ],
]

/** The refusal in an answer's head and body. */
export function readRefusal(headers: IncomingHttpHeaders, fields: JsonObject): AwsRefusal {
  const named = headers['x-amzn-errortype'] ?? fields['__type']
  const message = fields['message'] ?? fields['Message']
  return {
    name: typeof named === 'string' ? plainName(named) : null,
    message: typeof message === 'string' ? message.replace(TOO_LONG, 'prompt is too long: $&') : '',
  }
}

/** Clients shorten a conversation when they read Anthropic's words for it (anthropics/claude-code #760 and #8637). */
const TOO_LONG = /^Input is too long for requested model\b/

/** `ThrottlingException` of `ThrottlingException:http://…`, `com.amazon.coral.service#ThrottlingException` and `throttlingException`. */
export function plainName(named: string): string {
  const name = named.replace(/:.*$/s, '').replace(/^.*#/s, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** What a refusal is heard as. `status`: of its answer; null: it came within a stream. */
export function meaningOf({ name, message }: AwsRefusal, status: number | null): Meaning {
  const found = BY_MESSAGE.find(([of, begins]) => (of === null || of === name) && begins.test(message))
  if (found !== undefined) return found[2]
  const meaning = MEANINGS.get(name ?? '')
  if (meaning !== undefined) return meaning
  if (status === null) return FAILED
  return { status, type: TYPES.get(status) ?? 'api_error' }
}

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
])

/** How each kind of endpoint's own provider writes an error. */
export const ERROR_FORMS = {
  anthropic: ({ name, message }: AwsRefusal, type: string) => ({
    type: 'error',
    error: { type, ...(name !== null && { code: name }), message },
  }),
  openai: ({ name, message }: AwsRefusal, type: string) => ({ error: { message, type, param: null, code: name } }),
  /** Nearly as it is: Converse is AWS' own. */
  converse: ({ name, message }: AwsRefusal, type: string) => ({ message, type, code: name }),
} as const

export type ErrorForm = keyof typeof ERROR_FORMS

/** Whether an answer is an error in the words of AWS, and not of the wire's own provider or of a server on the way. */
export function isOfAws(headers: IncomingHttpHeaders, fields: JsonObject): boolean {
  const { error, message, Message: upper } = fields
  if (error !== undefined) return false
  return headers['x-amzn-errortype'] !== undefined || typeof message === 'string' || typeof upper === 'string'
}

/** The text of an error in this form. */
export function writeRefusal(form: ErrorForm, refusal: AwsRefusal, { type }: Meaning): string {
  return JSON.stringify(ERROR_FORMS[form](refusal, type))
}
