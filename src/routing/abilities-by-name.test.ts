import { expect, test } from 'vitest'
import { abilitiesByName } from './abilities-by-name.ts'

test.each([
  'claude-opus-4-5',
  'anthropic/claude-3-haiku-20240307',
  'gpt-5.5',
  'openai/gpt-4o-mini',
  'o3',
  'o4-mini',
  'gemini-2.5-flash',
  'qwen3-vl-plus',
  'glm-4.5v',
  'meta-llama/Llama-3.2-11B-Vision-Instruct',
  'grok-4-fast',
])('%s is said to see pictures', (name) => {
  expect(abilitiesByName(name)).toEqual({ seesPictures: true, callsTools: true })
})

test.each([
  'deepseek-chat',
  'gpt-oss-120b',
  'o3-mini',
  'gpt-3.5-turbo',
  'mistral-7b',
  'qwen3-coder',
  'gemma-3-1b-it',
  'mine',
])('%s is not said to see pictures, and calls tools', (name) => {
  expect(abilitiesByName(name)).toEqual({ seesPictures: false, callsTools: true })
})

test.each(['claude-2.1', 'claude-instant-1.2', 'o1-mini', 'sonar-pro', 'gpt-4o-search-preview'])(
  '%s is not said to call tools',
  (name) => {
    expect(abilitiesByName(name).callsTools).toBe(false)
  },
)
