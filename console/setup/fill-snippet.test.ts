import { expect, test } from 'vitest'
import type { SetupTextStep } from '../../src/contract/setup.ts'
import { fillSnippet } from './fill-snippet.ts'

const VALUES = { key: 'sk-tg-1', name: 'Tollgate "laptop"', models: { model: 'gpt' } }

function filled(file: object): unknown {
  return JSON.parse(fillSnippet({ text: JSON.stringify(file, null, 2), escapes: ['json'], language: 'json' }, VALUES))
}

test('a model that is both chosen and a favourite is listed once, with what is known of it', () => {
  const sized = { id: 'gpt', contextWindow: 9 }
  expect(filled({ models: [{ id: '{model}' }, { id: 'claude' }, sized] })).toEqual({
    models: [sized, { id: 'claude' }],
  })
  expect(filled({ Providers: [{ models: ['{model}', 'claude', 'gpt'] }] })).toEqual({
    Providers: [{ models: ['gpt', 'claude'] }],
  })
  expect(filled({ models: { '{model}': {}, gpt: { limit: 9 }, claude: {} } })).toEqual({
    models: { gpt: { limit: 9 }, claude: {} },
  })
})

test('what repeats nothing, or is not JSON, stays as it is written', () => {
  const text = JSON.stringify({ name: '{name}', args: ['a', 'a'], key: '{key}' }, null, 2)
  const step: Pick<SetupTextStep, 'text' | 'escapes' | 'language'> = { text, escapes: ['json'], language: 'json' }
  expect(fillSnippet(step, VALUES)).toBe(text.replace('{name}', 'Tollgate \\"laptop\\"').replace('{key}', 'sk-tg-1'))
  expect(fillSnippet({ ...step, text: '{ models: [{model}, gpt] }' }, VALUES)).toBe('{ models: [gpt, gpt] }')
})
