import { expect, test } from 'vitest'
import { azureTarget } from './azure-target.ts'

const HOST = 'https://my-resource.openai.azure.com'
const V1 = { apiVersion: null, deployment: null, protocol: 'openai' } as const

// The first three are what BerriAI/litellm 8572 tried in turn, each a 404 there.
test.for([
  [HOST, { ...V1, baseUrl: `${HOST}/openai/v1` }],
  [`${HOST}/openai/deployments/my gpt`, { ...V1, baseUrl: `${HOST}/openai/v1`, deployment: 'my gpt' }],
  [
    `${HOST}/openai/deployments/gpt-4o/chat/completions?api-version=2024-08-01-preview`,
    { baseUrl: `${HOST}/openai`, apiVersion: '2024-08-01-preview', deployment: 'gpt-4o', protocol: 'openai-chat' },
  ],
  // anomalyco/opencode 6381.
  [`${HOST}/`, { ...V1, baseUrl: `${HOST}/openai/v1` }],
  // MCPJam/inspector 1712.
  [
    'https://mine.cognitiveservices.azure.com/openai',
    { ...V1, baseUrl: 'https://mine.cognitiveservices.azure.com/openai/v1' },
  ],
  [
    `${HOST}/openai/responses?api-version=2025-04-01-preview`,
    { ...V1, baseUrl: `${HOST}/openai`, apiVersion: '2025-04-01-preview' },
  ],
  [`${HOST}/openai/v1/chat/completions`, { ...V1, baseUrl: `${HOST}/openai/v1`, protocol: 'openai-chat' }],
  [`${HOST}/openai/v1/responses?api-version=preview`, { ...V1, baseUrl: `${HOST}/openai/v1` }],
  [
    'https://mine.services.ai.azure.com/api/projects/first',
    { ...V1, baseUrl: 'https://mine.services.ai.azure.com/openai/v1' },
  ],
  [
    'https://mine.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
    { ...V1, baseUrl: 'https://mine.services.ai.azure.com/openai/v1', protocol: 'openai-chat' },
  ],
  [
    'https://mine.services.ai.azure.com/anthropic/v1/messages',
    { ...V1, baseUrl: 'https://mine.services.ai.azure.com/anthropic/v1', protocol: 'anthropic' },
  ],
  [
    'https://house.azure-api.net/team-a/openai/deployments/x/chat/completions?api-version=2024-10-21',
    {
      baseUrl: 'https://house.azure-api.net/team-a/openai',
      apiVersion: '2024-10-21',
      deployment: 'x',
      protocol: 'openai-chat',
    },
  ],
  [' my-resource ', { ...V1, baseUrl: `${HOST}/openai/v1` }],
  ['my-resource.openai.azure.com', { ...V1, baseUrl: `${HOST}/openai/v1` }],
] as const)('%s is taken apart', ([pasted, target]) => {
  expect(azureTarget(pasted)).toEqual(target)
})

test.for(['', 'two words', 'ftp://my-resource'])('%j is not taken for an address of Azure', (pasted) => {
  expect(azureTarget(pasted)).toBeNull()
})
