import { memberOf, withMembers } from '../../../protocols/body-members.ts'
import type { RequestPurpose, UpstreamRequest } from '../../upstream-client.ts'
import type { Betas } from './betas.ts'
import { fieldsOfJson } from './json-fields.ts'
import { countedId, encodedId } from './model-id.ts'

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html */
const VERSION = '"bedrock-2023-05-31"'

/**
 * A request of Anthropic's as an invocation of the model that the path names. The version of the API and the features in beta go
 * from headers into the body; what a client has put there itself stays. All other bytes of the body are the client's.
 */
export function invocation(
  request: UpstreamRequest,
  { model, form, betas }: { readonly model: string; readonly form: RequestPurpose['form']; readonly betas: Betas },
): UpstreamRequest {
  const {
    'anthropic-version': _version,
    'anthropic-beta': asked,
    'anthropic-user-profile-id': profile,
    ...headers
  } = request.headers
  const body = request.body.length === 1 ? (request.body[0] ?? NOTHING) : Buffer.concat(request.body)
  const known = betas.of(model, asked)
  const adding = {
    anthropic_version: VERSION,
    ...(known !== null && { anthropic_beta: JSON.stringify(known) }),
    // Its header is passed over there (@anthropic-ai/bedrock-sdk 1.1.3).
    ...(profile !== undefined && { user_profile_id: JSON.stringify(profile) }),
    ...(form === 'count_tokens' && { max_tokens: leastOutput(body) }),
  }
  const written = withMembers(body, { without: ['model', 'stream'], adding }) ?? [body]
  return {
    ...request,
    path: `/model/${encodedId(form === 'count_tokens' ? countedId(model) : model)}${OPERATIONS[form]}`,
    // The answer's own type, and not that of its framing.
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    body: form === 'count_tokens' ? [countedBody(written)] : written,
  }
}

const OPERATIONS: Readonly<Record<RequestPurpose['form'], string>> = {
  whole: '/invoke',
  stream: '/invoke-with-response-stream',
  count_tokens: '/count-tokens',
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
function countedBody(written: readonly Buffer[]): Buffer {
  return Buffer.from(`{"input":{"invokeModel":{"body":"${Buffer.concat(written).toString('base64')}"}}}`)
}

/**
 * What is counted is the body of an invocation, which has a limit of its output (langchain-ai/langchain-aws #661); a request to
 * count tokens has none, and its thinking must fit in.
 */
function leastOutput(body: Buffer): string {
  const budget = fieldsOfJson(memberOf(body, 'thinking') ?? '{}')['budget_tokens']
  return typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0 ? String(budget + 1) : '1'
}

const NOTHING = Buffer.alloc(0)
