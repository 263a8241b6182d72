import { expect, test } from 'vitest'
import type { AssistantPart, Turn, UserPart } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { writeItems } from './write-items.ts'

/** Reasoning that an OpenAI upstream would refuse the whole request for. */

const thought = (id: string, data = `gAAA${id}`): AssistantPart => ({
  kind: 'reasoning',
  text: '',
  opaque: { vendor: 'openai', data, id },
  at: id,
})
const call: AssistantPart = { kind: 'tool_call', id: 'a', name: 'read', input: '{}', isCustom: false, at: '' }
const custom: AssistantPart = { ...call, id: 'b', isCustom: true }
const text = (words: string): UserPart & AssistantPart => ({ kind: 'text', text: words, at: '' })
const result: UserPart = { kind: 'tool_result', callId: 'a', parts: [text('x')], isError: false, at: '' }
const user = (...parts: UserPart[]): Turn => ({ role: 'user', parts, at: '' })
const model = (...parts: AssistantPart[]): Turn => ({ role: 'assistant', parts, at: '' })
const system: Turn = { role: 'system', parts: [{ kind: 'text', text: 'Be brief.', at: '' }], at: '' }

test.for<readonly [string, readonly Turn[], readonly string[], readonly string[], string | null]>([
  ['in front of a message', [model(thought('rs_1'), text('Hi'))], ['rs_1'], [], 'openai/openai-node#1567'],
  ['in front of a call', [model(thought('rs_1'), call), user(result)], ['rs_1'], [], 'vercel/ai#7099'],
  ['in front of a call of a custom tool', [model(thought('rs_1'), custom)], ['rs_1'], [], null],
  [
    'several in front of one item',
    [model(thought('rs_1'), thought('rs_2'), text('Hi'))],
    ['rs_1', 'rs_2'],
    [],
    'openai/openai-agents-python#3207',
  ],
  ['in a turn of its own in front of the answer', [model(thought('rs_1')), model(text('Hi'))], ['rs_1'], [], null],
  ['at the end', [user(text('Hi')), model(thought('rs_1'))], [], ['rs_1'], 'continuedev/continue#8933'],
  [
    'in front of the user',
    [model(thought('rs_1')), user(text('Go on')), model(text('Hi'))],
    [],
    ['rs_1'],
    'openai/openai-agents-js#326',
  ],
  [
    'behind the item that it led to',
    [model(text('Hi'), thought('rs_1')), user(text('Go on'))],
    [],
    ['rs_1'],
    'openai/openai-agents-js#1280',
  ],
  ['in front of an empty text', [model(thought('rs_1'), text('')), user(text('Go on'))], [], ['rs_1'], null],
  ['in front of a system message', [model(thought('rs_1')), system, model(text('Hi'))], [], ['rs_1'], null],
  ['in front of results', [model(call, thought('rs_1')), user(result)], [], ['rs_1'], 'mastra-ai/mastra#14048'],
  [
    'several at the end',
    [model(text('Hi'), thought('rs_1'), thought('rs_2'))],
    [],
    ['rs_1', 'rs_2'],
    'openai/openai-agents-python#1611',
  ],
  [
    'the same in two answers',
    [model(thought('rs_1'), call), user(result), model(thought('rs_1'), text('Hi'))],
    ['rs_1'],
    ['rs_1'],
    'vercel/ai#7883',
  ],
  [
    'the same twice in one answer',
    [model(thought('rs_1'), thought('rs_1'), text('Hi'))],
    ['rs_1'],
    ['rs_1'],
    'OpenRouterTeam/ai-sdk-provider#254',
  ],
  [
    'the same by its cipher text, with another id',
    [model(thought('rs_1', 'gAAA'), thought('rs_2', 'gAAA'), text('Hi'))],
    ['rs_1'],
    ['rs_2'],
    null,
  ],
])('reasoning %s', ([, turns, kept, dropped]) => {
  const notes = new Notes({})
  const items = writeItems(turns, notes)
  expect(items.flatMap(({ type, id }) => (type === 'reasoning' ? [id] : []))).toEqual(kept)
  expect(notes.dropped.toSorted()).toEqual(dropped.map((id) => `${id}.reasoning`))
})
