import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../test/support/growth.ts'
import { CLOUD_REFUSALS, cloudRefusalIn } from './cloud-refusals.ts'
import { explainCloudRefusal } from './cloud-refusal-texts.ts'

/** What the clouds were seen to say, as users have reported it. */
test.for([
  [
    'Model access is denied due to INVALID_PAYMENT_INSTRUMENT:A valid payment instrument must be provided. Your AWS Marketplace subscription for this model cannot be completed at this time.',
    'bedrock_payment',
  ],
  [
    'Model use case details have not been submitted for this account. Fill out the Anthropic use case details form before using the model.',
    'bedrock_use_case',
  ],
  ['Operation not allowed', 'aws_account'],
  ['ValidationException: Operation not allowed', 'aws_account'],
  ['Your account is not authorized to invoke this API operation.', 'aws_account'],
  ['This is an Operation not allowed here', null],
  [
    'Your resource has been temporarily blocked because we detected behavior that may violate our content policy.',
    'azure_blocked',
  ],
  [
    'This API method requires billing to be enabled. Please enable billing on project #1 by visiting …',
    'google_billing',
  ],
  ["Permission denied: Consumer 'projects/1' has been suspended.", 'google_suspended'],
  ["You don't have access to the model with the specified model ID.", 'bedrock_no_access'],
  [
    'Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions',
    'bedrock_no_access',
  ],
  [
    'User: arn:aws:iam::1:user/x is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::1:role/y',
    'aws_not_assumable',
  ],
  [
    'User: arn:aws:iam::1:user/x is not authorized to perform: bedrock:InvokeModelWithResponseStream on resource: z',
    'aws_not_allowed',
  ],
  [
    'Invocation of model ID anthropic.claude-3-5-sonnet-20241022-v2:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
    'bedrock_needs_profile',
  ],
  ['The provided model identifier is invalid.', 'bedrock_unknown_model'],
  ['Too many tokens, please wait before trying again.', 'bedrock_throttled'],
  ['Too many tokens per day, please wait before trying again.', 'bedrock_throttled'],
  ['The security token included in the request is expired', 'aws_token_expired'],
  ['The security token included in the request is invalid.', 'aws_wrong_key'],
  ['Signature expired: 20261130T010000Z is now earlier than 20261130T011000Z (…)', 'aws_clock'],
  [
    'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait',
    'azure_no_deployment',
  ],
  ['Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later', 'azure_old_version'],
  ['API version not supported', 'azure_old_version'],
  [
    'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2023-05-15 have exceeded token rate limit of your current AIServices S0 pricing tier.',
    'azure_quota',
  ],
  [
    'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key',
    'azure_wrong_key',
  ],
  [
    'The principal `a` lacks the required data action `Microsoft.CognitiveServices/accounts/OpenAI/deployments/chat/completions/action`',
    'azure_no_role',
  ],
  ['Access denied due to Virtual Network/Firewall rules.', 'azure_network'],
  ['AADSTS7000215: Invalid client secret provided.', 'azure_secret'],
  ["AADSTS700016: Application with identifier 'x' was not found in the directory 'y'.", 'azure_application'],
  [
    'Publisher Model projects/1/locations/asia-southeast1/publishers/google/models/gemini-2.5-pro was not found or your project does not have access to it.',
    'vertex_no_model',
  ],
  ['Publisher Model `publishers/anthropic/models/claude-x` is not servable in region us-central1.', 'vertex_no_model'],
  [
    'Vertex AI API has not been used in project 1 before or it is disabled. Enable it by visiting https://console.developers.google.com/…',
    'vertex_api_off',
  ],
  ["Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/…'", 'vertex_no_role'],
  ['Resource exhausted. Please try again later.', 'vertex_quota'],
  ['Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_minute', 'vertex_quota'],
  ['invalid_grant: Invalid JWT Signature.', 'google_key_revoked'],
  ['Rate limit reached for gpt-5.5 in organization org-1', null],
  ['The model `x` does not exist or you do not have access to it.', null],
  ['', null],
] as const)('%s is %s', ([words, refusal]) => {
  expect(cloudRefusalIn(words)).toBe(refusal)
})

test.for(CLOUD_REFUSALS)('%s is explained in both languages, in whole sentences', (refusal) => {
  const [english, chinese] = [explainCloudRefusal(refusal, 'en'), explainCloudRefusal(refusal, 'zh')]
  for (const text of [english.cause, english.remedy]) expect(text).toMatch(/^[A-Z][^\u4e00-\u9fff]+[.]$/u)
  for (const text of [chinese.cause, chinese.remedy]) expect(text).toMatch(/[\u4e00-\u9fff].*。$/u)
})

test('words of a stranger are read in time that grows with their length', () => {
  const read = (size: number) => cloudRefusalIn('Publisher Model has not been used in project '.repeat(size / 45))
  expect(growthOf(read, { few: 4_500, many: 72_000 })).toBeLessThan(ABOUT_LINEAR)
})
