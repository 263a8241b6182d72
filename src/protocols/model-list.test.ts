import { expect, test } from 'vitest'
import { type ModelListEntry, writeModel, writeModelList } from './model-list.ts'

function model(id: string): ModelListEntry {
  return {
    id,
    createdAtMs: Date.UTC(2026, 8, 1),
    ownedBy: 'tollgate',
    contextTokens: 400_000,
    maxOutputTokens: null,
    kind: 'chat' as const,
    pricing: { input: '2.50', output: '10', cache_read: '0.25' },
    supportedProtocols: ['openai-chat', 'anthropic-messages'],
  }
}

const EXTRA = {
  context_length: 400_000,
  max_output_tokens: null,
  kind: 'chat',
  pricing: { input: '2.50', output: '10', cache_read: '0.25' },
  supported_protocols: ['openai-chat', 'anthropic-messages'],
}

const MODELS = ['a', 'b', 'c', 'd', 'e'].map(model)

const NO_QUERY = new URLSearchParams()

function anthropic(query: string): {
  ids: string[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
} {
  const list = JSON.parse(writeModelList('anthropic', MODELS, new URLSearchParams(query)).toString()) as {
    data: { id: string }[]
    has_more: boolean
    first_id: string | null
    last_id: string | null
  }
  const { data, ...rest } = list
  return { ...rest, ids: data.map(({ id }) => id) }
}

test('OpenAI’s shape', () => {
  expect(JSON.parse(writeModelList('openai', [model('m')], NO_QUERY).toString())).toEqual({
    object: 'list',
    data: [{ id: 'm', object: 'model', created: 1_788_220_800, owned_by: 'tollgate', ...EXTRA }],
  })
})

test('Anthropic’s shape', () => {
  const shown = {
    type: 'model',
    id: 'm',
    display_name: 'm',
    created_at: '2026-09-01T00:00:00.000Z',
    max_input_tokens: 400_000,
    max_tokens: null,
    ...EXTRA,
  }
  expect(JSON.parse(writeModelList('anthropic', [model('m')], NO_QUERY).toString())).toEqual({
    data: [shown],
    has_more: false,
    first_id: 'm',
    last_id: 'm',
  })
  expect(JSON.parse(writeModel('anthropic', model('m')).toString())).toEqual(shown)
  expect(JSON.parse(writeModel('openai', model('m')).toString())).toMatchObject({ object: 'model', id: 'm' })
})

test.for([
  ['', ['a', 'b', 'c', 'd', 'e'], false],
  ['limit=2', ['a', 'b'], true],
  ['limit=5', ['a', 'b', 'c', 'd', 'e'], false],
  ['limit=2&after_id=b', ['c', 'd'], true],
  ['limit=2&after_id=c', ['d', 'e'], false],
  ['after_id=e', [], false],
  ['limit=2&before_id=d', ['b', 'c'], true],
  ['limit=3&before_id=d', ['a', 'b', 'c'], false],
  ['before_id=a', [], false],
] as const)('the page %j has %j', ([query, ids, has_more]) => {
  expect(anthropic(query)).toEqual({ ids, has_more, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null })
})

test.for([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=ten', 'limit'],
  ['after_id=x', 'after_id'],
  ['before_id=x', 'before_id'],
  ['after_id=a&before_id=b', 'before_id'],
] as const)('the page %j is refused for its %s', ([query, param]) => {
  expect(() => anthropic(query)).toThrow(expect.objectContaining({ code: 'request_invalid', details: { param } }))
})

test('Google’s shape names models as resources, all on one page', () => {
  const [first] = MODELS
  if (first === undefined) throw new Error('no model')
  const google = {
    name: 'models/a',
    displayName: 'a',
    inputTokenLimit: 400_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...EXTRA,
  }
  expect(JSON.parse(writeModel('gemini', first).toString())).toEqual(google)
  const list = JSON.parse(writeModelList('gemini', MODELS, NO_QUERY).toString()) as { models: unknown[] }
  expect(list.models[0]).toEqual(google)
  expect(list.models).toHaveLength(5)
  expect(Object.keys(list)).toEqual(['models'])
})
