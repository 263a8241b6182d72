import { type Paste, testPastes } from './diagnosed.ts'

/** Refusals of clouds, in the words of public reports. */
const REPORTED: readonly Paste[] = [
  [
    "botocore.errorfactory.AccessDeniedException: An error occurred (AccessDeniedException) when calling the InvokeModel operation: You don't have access to the model with the specified model ID.",
    'bedrock_no_access',
    'none',
    'dirkpetersen/our-chat#3',
  ],
  [
    'Invocation of model ID anthropic.claude-3-5-sonnet-20241022-v2:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
    'bedrock_needs_profile',
    'none',
    'RooCodeInc/Roo-Code#1823',
  ],
  [
    "Error code: 404 - {'error': {'code': 'DeploymentNotFound', 'message': 'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.'}}",
    'azure_no_deployment',
    'none',
    'jekalmin/extended_openai_conversation#231',
  ],
  [
    "Error code: 429 - {'error': {'code': '429', 'message': 'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2023-05-15 have exceeded token rate limit of your current AIServices S0 pricing tier. Please retry after 86400 seconds.'}}",
    'azure_quota',
    'none',
    'jasonacox/TinyLLM#17',
  ],
  [
    'HTTP 404: Publisher Model projects/701017750479/locations/asia-southeast1/publishers/google/models/gemini-2.5-pro was not found or your project does not have access to it. Please ensure you are using a valid model version.',
    'vertex_no_model',
    'none',
    'looplj/axonhub#1226',
  ],
]

testPastes(REPORTED)
