import { expect, test } from 'vitest'
import { formatUsd } from '../../core/money.ts'
import { listPrices } from './import-catalogue.ts'

test('the shipped list says what the maker of a model asks, also where others sell it, and nothing of names that it has not', async () => {
  const list = await listPrices()
  const input = (name: string) => {
    const amount = list?.priceOf(name)?.input
    return amount == null ? null : formatUsd(amount)
  }
  expect(list?.named).toMatch(/^LiteLLM \d.*, 20\d\d-\d\d-\d\d$/)
  // Azure lists both as well, and one of them at another price.
  expect([input('gpt-4o'), input('mistral-large-latest')]).toEqual(['2.5', '0.5'])
  expect([input('no-such-model'), input('toString')]).toEqual([null, null])
})

test('the shipped list asks more of models of Vertex AI outside global, where their maker does', async () => {
  const list = await listPrices()
  const at = (location: string, host: string) => {
    const baseUrl = `https://${host}/v1/projects/p/locations/${location}`
    return list?.priceOf('claude-sonnet-4-5@20250929', 'vertex_ai', baseUrl)?.input ?? 0n
  }
  const ofGlobal = at('global', 'aiplatform.googleapis.com')
  expect(ofGlobal).toBeGreaterThan(0n)
  expect(at('us-east5', 'us-east5-aiplatform.googleapis.com') * 10n).toBe(ofGlobal * 11n)
})
