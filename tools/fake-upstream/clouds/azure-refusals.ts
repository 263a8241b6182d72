/** What Azure answers where it refuses a request, in its own words and forms. */

export interface AzureRefusal {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

function refusal(status: number, code: string, message: string): AzureRefusal {
  return { status, body: { error: { code, message } } }
}

/** A path, or a path in a version of the API that has none of this name. */
export const NO_RESOURCE = refusal(404, '404', 'Resource not found')

export const WRONG_KEY = refusal(
  401,
  '401',
  'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
)

/** A token of Entra ID is judged by the server in front, which has a form of its own. */
export const WRONG_TOKEN: AzureRefusal = {
  status: 401,
  body: {
    statusCode: 401,
    message:
      'Unauthorized. Access token is missing, invalid, audience is incorrect (https://cognitiveservices.azure.com), or have expired.',
  },
}

/** A right token of an identity without a role on the resource. */
export const NO_ROLE = refusal(
  401,
  'PermissionDenied',
  'The principal `9f1e0c1a` lacks the required data action `Microsoft.CognitiveServices/accounts/OpenAI/deployments/chat/completions/action` to perform `POST /openai/deployments/{deployment-id}/chat/completions` operation.',
)

export const NO_NETWORK = refusal(403, '403', 'Access denied due to Virtual Network/Firewall rules.')

export const VERSION_UNKNOWN = refusal(400, 'BadRequest', 'API version not supported')

export const RESPONSES_TOO_NEW = refusal(
  400,
  'BadRequest',
  'Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later',
)

export const NO_DEPLOYMENT = refusal(
  404,
  'DeploymentNotFound',
  'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
)

/** What the responses of a resource say instead (BerriAI/litellm#13419). */
export const NO_MODEL: AzureRefusal = {
  status: 400,
  body: {
    error: {
      message: "The requested model '-' with deployment name - does not exist.",
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    },
  },
}

export function operationNotSupported(operation: string, model: string): AzureRefusal {
  const link = 'https://go.microsoft.com/fwlink/?linkid=2197993'
  return refusal(
    400,
    'OperationNotSupported',
    `The ${operation} operation does not work with the specified model, ${model}. Please choose different model and try again. You can learn more about which models can be used with each operation here: ${link}.`,
  )
}

export function argumentUnknown(name: string): AzureRefusal {
  const message = `Unrecognized request argument supplied: ${name}`
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: null, code: null } } }
}

export function throttled(restMs: number, version: string): AzureRefusal {
  const seconds = Math.ceil(restMs / 1_000)
  const { status, body } = refusal(
    429,
    '429',
    `Requests to the ChatCompletions_Create Operation under Azure OpenAI API version ${version} have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after ${seconds} seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.`,
  )
  const headers = {
    'retry-after': String(seconds),
    'retry-after-ms': String(restMs),
    'x-ratelimit-reset-requests': String(seconds),
  }
  return { status, body, headers }
}

const SAFE = { filtered: false, severity: 'safe' }
export const ALL_SAFE = { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE }
export const VIOLENT = { ...ALL_SAFE, violence: { filtered: true, severity: 'medium' } }

/** A prompt that the filter does not let pass. */
export const PROMPT_FILTERED: AzureRefusal = {
  status: 400,
  body: {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry. To learn more about our content filtering policies please read our documentation: https://go.microsoft.com/fwlink/?linkid=2198766",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: VIOLENT },
    },
  },
}
