import { expect, test } from 'vitest'
import { LIST_FORMATS, modelListText } from './copy-models.tsx'

const MODELS = [
  { name: 'a/b', context_tokens: 200_000, max_output_tokens: 8_192 },
  { name: 'c"d', context_tokens: null, max_output_tokens: 8_192 },
]

test('models are copied as clients take them', () => {
  const [lines, commas, json, opencode] = LIST_FORMATS.map((format) => modelListText(MODELS, format))
  expect(lines).toBe('a/b\nc"d')
  expect(commas).toBe('a/b,c"d')
  expect(JSON.parse(json ?? '')).toEqual(['a/b', 'c"d'])
  expect(JSON.parse(opencode ?? '')).toEqual({ 'a/b': { limit: { context: 200_000, output: 8_192 } }, 'c"d': {} })
})
