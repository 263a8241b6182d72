import { expect, test } from 'vitest'
import type { ModelView } from '../../../src/contract/models.ts'
import { NO_PRICES } from '../../api/price-kinds.ts'
import { returned } from '../../drawn.ts'
import { texts as modelsEn } from '../../dictionaries/models-en.ts'
import { useComparedLines } from './compared-lines.ts'
import { listedModels } from './model-list.ts'

function model(name: string, { input, cache_read }: { input: string; cache_read: string | null }): ModelView {
  const price = { ...NO_PRICES, input, output: '2.5', cache_read }
  return {
    id: `mdl_${name}`,
    name,
    price,
    context_tokens: 128_000,
    kind: 'chat',
    kind_from: 'default',
    abilities: [],
    endpoints: null,
    first_event_timeout_ms: null,
    idle_timeout_ms: null,
    timeout_ms: null,
    hedge_after_ms: null,
    rules: {},
    recommended: false,
    price_locked: false,
    max_output_tokens: null,
    protocols: ['openai-chat', 'gemini'],
    available: true,
    groups: [{ name: 'default', multiplier: '1', price }],
    keys: [],
    managed: false,
  }
}

const t = modelsEn

test('two models stand side by side: what differs is marked, what one lacks is a dash, what both lack is left out', async () => {
  const [one, two] = listedModels(
    [
      { ...model('a', { input: '1.25', cache_read: '0.1' }), recommended: true },
      { ...model('b', { input: '0', cache_read: null }), context_tokens: 1_000_000 },
    ],
    { search: '', filters: {}, sort: { by: 'name', order: 'asc' } },
  )
  if (one === undefined || two === undefined) throw new Error('there are two')
  const lines = await returned(() => useComparedLines([one, two]))
  const byLabel = new Map(lines.map(({ label, texts, isSame }) => [label, [...texts, isSame]]))
  expect(byLabel.get(t.modelKind)).toEqual([`${t.modelKinds.chat} · ${t.recommended}`, t.modelKinds.chat, false])
  expect(byLabel.get(t.context)).toEqual([t.tokens('128,000'), t.tokens('1,000,000'), false])
  expect(byLabel.get(t.kinds.input)).toEqual(['$1.25', t.free, false])
  expect(byLabel.get(t.kinds.output)).toEqual(['$2.50', '$2.50', true])
  expect(byLabel.get(t.kinds.cache_read)).toEqual(['$0.10', t.unknown, false])
  expect(byLabel.get(t.protocols)).toEqual(['Chat, Gemini', 'Chat, Gemini', true])
  expect(byLabel.has(t.maxOutput)).toBe(false)
  expect(byLabel.has(t.kinds.per_image)).toBe(false)
})
