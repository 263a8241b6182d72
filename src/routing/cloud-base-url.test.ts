import { expect, test } from 'vitest'
import type { UpstreamProtocol } from '../core/upstream-protocol.ts'
import { cloudBaseUrl } from './cloud-base-url.ts'

const HOST = 'https://my-resource.openai.azure.com'
const FOUNDRY = 'https://my-resource.services.ai.azure.com'
const PROJECT = `${FOUNDRY}/api/projects/my-project`

/** BerriAI/litellm#8572 tried three of these in turn, and each was answered with "Resource not found". */
test.for([
  ['openai', HOST, null, `${HOST}/openai/v1`],
  ['openai', `${HOST}/openai`, null, `${HOST}/openai/v1`],
  ['openai', `${HOST}/openai/v1`, null, `${HOST}/openai/v1`],
  ['openai', `${HOST}/openai/v1`, 'preview', `${HOST}/openai/v1`],
  ['openai-chat', `${HOST}/openai/deployments/gpt-4o`, null, `${HOST}/openai/v1`],
  ['openai-chat', PROJECT, null, `${PROJECT}/openai/v1`],
  ['openai', HOST, '2024-10-21', `${HOST}/openai`],
  ['openai', `${HOST}/openai`, '2025-04-01-preview', `${HOST}/openai`],
  ['openai', `${HOST}/openai/v1`, '2024-10-21', `${HOST}/openai`],
  ['openai', `${HOST}/openai/deployments/gpt-4o`, '2024-10-21', `${HOST}/openai`],
  ['openai-chat', `${FOUNDRY}/models`, '2024-05-01-preview', `${FOUNDRY}/models`],
  // LiteLLM#19313: a version that is none of the dated ones went to their paths.
  ['openai', HOST, 'v1', `${HOST}/openai/v1`],
  ['openai', 'https://apim.example.com/ai/v1', null, 'https://apim.example.com/ai/v1'],
  ['openai', 'https://apim.example.com/ai/openai', '2024-10-21', 'https://apim.example.com/ai/openai'],
  ['anthropic', FOUNDRY, null, `${FOUNDRY}/anthropic/v1`],
  ['anthropic', `${FOUNDRY}/anthropic`, null, `${FOUNDRY}/anthropic/v1`],
  ['anthropic', `${FOUNDRY}/anthropic/v1`, null, `${FOUNDRY}/anthropic/v1`],
] as const)('%s at %s with the version %s goes below %s', ([protocol, baseUrl, apiVersion, expected]) => {
  expect(cloudBaseUrl('azure', { protocol: protocol satisfies UpstreamProtocol, baseUrl, apiVersion })).toBe(expected)
})

test('a cloud whose base URL is written in one way takes it as it is', () => {
  const baseUrl = 'https://bedrock-runtime.us-east-1.amazonaws.com'
  expect(cloudBaseUrl('bedrock', { protocol: 'anthropic', baseUrl, apiVersion: null })).toBe(baseUrl)
})
