import { describe, expect, test } from 'vitest'
import type { ModelView, PricesView } from '../../../src/contract/models.ts'
import { NO_PRICES } from '../../api/price-kinds.ts'
import { abilitiesOf, groupsOf, listedModels, protocolsInShort, protocolsOf } from './model-list.ts'

const price = (input: string, output: string): PricesView => ({
  ...NO_PRICES,
  input,
  output,
})

const model = (name: string, part: Partial<ModelView> = {}): ModelView => ({
  id: `mdl_${name}`,
  name,
  price: price('1', '2'),
  context_tokens: 1000,
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
  protocols: ['openai-chat'],
  available: true,
  groups: [{ name: 'default', multiplier: '1', price: price('1', '2') }],
  keys: [],
  managed: false,
  ...part,
})

const saver = { name: 'saver', multiplier: '0.6', price: price('0.6', '1.2') }
const plain = { search: '', filters: {}, sort: { by: 'name', order: 'asc' } } as const
const names = (...choice: Parameters<typeof listedModels>): string[] =>
  listedModels(...choice).map((row) => row.model.name)

describe('the list of models', () => {
  test('is searched by parts of the name, in any order and case', () => {
    expect(names([model('GPT-5.5-mini'), model('claude')], { ...plain, search: 'mini gpt' })).toEqual(['GPT-5.5-mini'])
  })

  test('is filtered by the context that is needed, and by what input costs in the group', () => {
    const small = model('small', { context_tokens: 32_000 })
    const large = model('large', { context_tokens: 1_000_000, groups: [saver] })
    const unknown = model('unknown', { context_tokens: null })
    const fits = (filters: Readonly<Record<string, string>>) => names([small, large, unknown], { ...plain, filters })
    expect(fits({ context: '32000' })).toEqual(['large', 'small'])
    expect(fits({ context: '128000' })).toEqual(['large'])
    expect(fits({ price: '0.6' })).toEqual(['large'])
    expect(fits({ price: '1' })).toEqual(['large', 'small', 'unknown'])
    expect(fits({ price: 'cheap' })).toHaveLength(3)
  })

  test('is filtered by what a model takes beside text, of which the kinds that there are can be chosen', () => {
    const all = [
      model('sees', { abilities: ['images', 'tools'] }),
      model('hears', { abilities: ['audio'] }),
      model('no'),
    ]
    const fits = (ability: string) => names(all, { ...plain, filters: { ability } })
    expect([fits('images'), fits('audio'), fits('video')]).toEqual([['sees'], ['hears'], []])
    expect(abilitiesOf(all)).toEqual(['images', 'audio', 'tools'])
    expect(abilitiesOf(all.slice(1))).toEqual(['audio'])
  })

  test('is sorted by the reader’s own requests', () => {
    const use = (name: string, requests: number) => [name, { name, requests, cost: '0', answers: null }] as const
    const traffic = new Map([use('a', 2), use('b', 9)])
    const choice = { ...plain, sort: { by: 'use', order: 'desc' } } as const
    expect(names([model('a'), model('b'), model('c')], choice, traffic)).toEqual(['b', 'a', 'c'])
  })

  test('shows what the chosen group asks, and leaves out what it does not have', () => {
    const both = model('both', { groups: [...model('x').groups, saver] })
    const rows = listedModels([both, model('other')], { ...plain, filters: { group: 'saver' } })
    expect(rows.map((row) => row.offer)).toEqual([{ group: 'saver', multiplier: '0.6', price: saver.price }])
  })

  test('shows the cheapest group when none is chosen', () => {
    const [row] = listedModels([model('both', { groups: [...model('x').groups, saver] })], plain)
    expect(row?.offer?.group).toBe('saver')
  })

  test('shows the cheapest group of what is charged by the image, too', () => {
    const of = (image: string): PricesView => ({ ...price('0', '0'), input: null, output: null, per_image: image })
    const groups = [
      { name: 'default', multiplier: '1', price: of('0.04') },
      { name: 'saver', multiplier: '0.6', price: of('0.024') },
    ]
    expect(listedModels([model('pictures', { groups })], plain)[0]?.offer?.group).toBe('saver')
  })

  test('compares prices as numbers and not as texts, to the ninth place', () => {
    const dear = ['10', '9', '0.100000001', '0.1'].map((input, index) =>
      model(`m${index}`, { groups: [{ name: 'default', multiplier: '1', price: price(input, '1') }] }),
    )
    expect(names(dear, { ...plain, sort: { by: 'input', order: 'asc' } })).toEqual(['m3', 'm2', 'm1', 'm0'])
  })

  test('puts what cannot be called last, whatever the order, and says why', () => {
    const rows = listedModels(
      [
        model('a', { price: null, available: false }),
        model('b', { available: false }),
        model('c', { groups: [] }),
        model('d'),
      ],
      { ...plain, sort: { by: 'name', order: 'desc' } },
    )
    expect(rows.map((row) => [row.model.name, row.obstacle])).toEqual([
      ['d', null],
      ['c', 'in_no_group'],
      ['b', 'no_target'],
      ['a', 'no_price'],
    ])
  })

  test('knows the groups and protocols that there are, each once', () => {
    const all = [model('a', { groups: [saver] }), model('b', { groups: [saver], protocols: ['anthropic-messages'] })]
    expect(groupsOf(all)).toEqual([{ name: 'saver', multiplier: '0.6' }])
    expect(protocolsOf(all)).toEqual(['anthropic-messages', 'openai-chat'])
  })
})

describe('the protocols of a model, in short', () => {
  const chat = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

  test('say once that every chat client can call it, and count what else there is', () => {
    expect(protocolsInShort(chat)).toEqual({ isEveryChat: true, shown: [], more: 0 })
    expect(protocolsInShort([...chat, 'rerank'])).toEqual({ isEveryChat: true, shown: ['rerank'], more: 0 })
    const other = ['openai-embeddings', 'openai-images', 'rerank']
    expect(protocolsInShort([...chat, ...other])).toEqual({ isEveryChat: true, shown: [], more: 3 })
  })

  test('are named where they are few, and counted beyond that', () => {
    expect(protocolsInShort(['gemini', 'rerank'])).toEqual({ isEveryChat: false, shown: ['gemini', 'rerank'], more: 0 })
    const many = ['openai-chat', 'openai-responses', 'rerank', 'gemini', 'openai-images']
    expect(protocolsInShort(many)).toEqual({ isEveryChat: false, shown: many.slice(0, 3), more: 2 })
    expect(protocolsInShort([])).toEqual({ isEveryChat: false, shown: [], more: 0 })
  })
})
