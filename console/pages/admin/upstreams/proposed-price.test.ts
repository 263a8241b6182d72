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
  expect(proposed('small', 'https://aiplatform.googleapis.com/v1', ['vertex_ai'])).toBe('gemini 0.1 0.2 2026-11-20')
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
