/** What chat completions of the tried answers are made of. */
import { data } from './failed-answer.ts'

export const ZEROS = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
export const USED = { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 }
export const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'write_file', arguments: '{"path":"/a","content":"ha' },
}

export function chat(fields: object): string {
  return JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', ...fields })
}

export function chatOf(choice: object, usage: object | null = USED): string {
  const message = { role: 'assistant', content: 'Half of' }
  return chat({ choices: [{ index: 0, message, ...choice }], usage })
}

export function chunk(fields: object): string {
  return data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })
}

export function delta(fields: object, finish: unknown = null): string {
  return chunk({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
}

export const ROLE = delta({ role: 'assistant', content: '' })
export const HALF = ROLE + delta({ content: 'Half of' })
export const CALLED = ROLE + delta({ tool_calls: [{ index: 0, ...CALL }] })
export const CALLED_BY_NAME =
  ROLE + delta({ tool_calls: [{ index: 0, ...CALL, function: { name: 'write_file', arguments: '' } }] })
export const DONE = data('[DONE]')
export const USAGE = chunk({ choices: [], usage: USED })
export const OVERLOADED = { code: 502, message: 'Provider returned error' }
