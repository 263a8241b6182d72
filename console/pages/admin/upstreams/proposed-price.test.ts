import { expect, test } from 'vitest'
import type { ShippedPrices } from '../../../../src/contract/price-catalogue.ts'
import { proposedPrice } from './proposed-price.ts'

const listed = (input: string | null, output: string | null) => ({
  price: { input, output },
  context_tokens: null,
  max_output_tokens: null,
})

const shipped = {
  dated: '2026-11-20',
  source: 'a list',
  providers: {
    openai: { 'gpt-5.5': listed('2.5', '10'), small: listed('1', '2'), embed: listed('1', null) },
    azure: { 'gpt-5.5': listed('2.5', '10'), small: listed('3', '2') },
    gemini: { small: listed('0.1', '0.2') },
    bedrock: {
      'global.anthropic.claude-x': listed('3', '15'),
      'us.anthropic.claude-x': listed('3.3', '16.5'),
      'anthropic.claude-x': listed('3.3', '16.5'),
      'qwen.q3': listed('0.15', '1.2'),
      'eu-west-1/qwen.q3': listed('0.18', '1.41'),
    },
    vertex_ai: {
      'gemini-x': { ...listed('2', '8'), regional_factor: '1.1' },
      'claude-x': { ...listed('3', '15'), regional_factor: '1.1' },
      small: listed('0.2', '0.4'),
    },
    azure_ai: { 'claude-x': listed('3', '15') },
  },
} as unknown as ShippedPrices

const proposed = (name: string, url: string, providers: readonly string[] = []) => {
  const found = proposedPrice(shipped, name, { baseUrl: url, providers })
  return found === null ? null : `${found.provider} ${found.price.input} ${found.price.output} ${found.dated}`
}

test('the list price of the provider whom the host tells is proposed', () => {
  expect(proposed('small', 'https://api.openai.com/v1')).toBe('openai 1 2 2026-11-20')
  expect(proposed('small', 'https://ours.openai.azure.com/openai/v1')).not.toBeNull()
  expect(proposed('small', 'https://generativelanguage.googleapis.com/v1beta')).toBe('gemini 0.1 0.2 2026-11-20')
})

test('a vendor that is named is the provider, whatever the host', () => {
  expect(proposed('small', 'http://10.0.0.7/v1', ['azure'])).toBe('azure 3 2 2026-11-20')
  expect(proposed('small', 'https://aiplatform.googleapis.com/v1', ['vertex_ai'])).toBe('vertex_ai 0.2 0.4 2026-11-20')
})

test('for another host it is the one that all agree on, and none where they differ', () => {
  expect(proposed('gpt-5.5', 'https://other.example.com/v1')).toBe('openai 2.5 10 2026-11-20')
  expect(proposed('small', 'https://other.example.com/v1')).toBeNull()
})

test('a name is matched as a whole, and half a price is not proposed', () => {
  expect(proposed('gpt-5.5-mini', 'https://api.openai.com/v1')).toBeNull()
  expect(proposed('toString', 'https://api.openai.com/v1')).toBeNull()
  expect(proposed('embed', 'https://api.openai.com/v1')).toBeNull()
})

const BEDROCK = (region: string) => `https://bedrock-runtime.${region}.amazonaws.com`
const VERTEX = (location: string) =>
  `https://${location === 'global' ? '' : `${location}-`}aiplatform.googleapis.com/v1/projects/p/locations/${location}`

test.for([
  // BerriAI/litellm#30768 and #42679: profiles of a geography, and ids that are asked in one region, cost more than `global.`.
  ['us.anthropic.claude-x', BEDROCK('us-east-1'), 'bedrock 3.3 16.5'],
  ['anthropic.claude-x', BEDROCK('us-east-1'), 'bedrock 3.3 16.5'],
  ['global.anthropic.claude-x', BEDROCK('us-east-1'), 'bedrock 3 15'],
  ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x', BEDROCK('us-east-1'), 'bedrock 3.3 16.5'],
  ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', BEDROCK('us-east-1'), null],
  // BerriAI/litellm#31692: regions in which other makers' models cost more.
  ['qwen.q3', BEDROCK('eu-west-1'), 'bedrock 0.18 1.41'],
  ['qwen.q3', BEDROCK('us-east-1'), 'bedrock 0.15 1.2'],
  // BerriAI/litellm#34393 and #40692: all locations of Vertex AI but `global` cost a tenth more, and `global` does not.
  ['gemini-x', VERTEX('global'), 'vertex_ai 2 8'],
  ['gemini-x', VERTEX('europe-west1'), 'vertex_ai 2.2 8.8'],
  ['claude-x@20260101', VERTEX('us-east5'), 'vertex_ai 3.3 16.5'],
  ['claude-x', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu', 'vertex_ai 3.3 16.5'],
  ['gemini-x', 'https://aiplatform.googleapis.com/v1', 'vertex_ai 2 8'],
  ['small', VERTEX('us-east5'), 'vertex_ai 0.2 0.4'],
  ['claude-x', 'https://ours.services.ai.azure.com/anthropic/v1', 'azure_ai 3 15'],
  ['small', 'https://ours.openai.azure.com/openai/v1', 'azure 3 2'],
  // Deployments have free names: one that is not a model's has no price.
  ['our-deployment', 'https://ours.openai.azure.com/openai/v1', null],
] as const)('%s at %s costs %s', ([name, url, expected]) => {
  expect(proposed(name, url)).toBe(expected === null ? null : `${expected} 2026-11-20`)
})
