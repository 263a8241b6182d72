import { expect, test } from 'vitest'
import { errorIn, eventReader, writtenIn } from './answer-text.ts'
import { codeSample, SAMPLES } from './code-samples.ts'
import { callOf, type ChatWire, type Question } from './question.ts'

const question: Question = {
  protocol: 'openai-chat',
  system: 'Be brief.',
  text: "What's here?",
  image: 'data:image/png;base64,AAAA',
  tools: '[{"name":"look"}]',
  temperature: 0.5,
  maxTokens: 100,
  isStream: true,
}
const WIRES: readonly ChatWire[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

test.for(WIRES)('a question over %s has its system prompt, text, picture, tools and settings', (protocol) => {
  const call = callOf({ ...question, protocol }, 'demo/a b')
  const written = JSON.stringify(call)
  for (const part of ['Be brief.', "What's here?", 'AAAA', '"name":"look"', '0.5', '100', 'stream']) {
    expect(written).toContain(part)
  }
  expect(written).toContain(protocol === 'gemini' ? '/models/demo/a%20b:' : '"model":"demo/a b"')
  const plain = callOf({ ...question, protocol, system: '', image: null, tools: ' ', temperature: null }, 'm')
  expect(JSON.stringify(plain)).not.toMatch(/system|instructions|image|tools|temperature/i)
})

test('tools that are not JSON are refused before anything is sent', () => {
  expect(() => callOf({ ...question, tools: '{' }, 'm')).toThrow(SyntaxError)
})

test.for<[string, unknown, string]>([
  ['a chat answer', { choices: [{ message: { content: 'Hi' } }] }, 'Hi'],
  ['a chat chunk', { choices: [{ delta: { content: 'Hi' } }] }, 'Hi'],
  [
    'a chat call',
    { choices: [{ delta: { tool_calls: [{ function: { name: 'look', arguments: '{}' } }] } }] },
    '\n→ look {}',
  ],
  [
    'a message',
    {
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', name: 'look', input: {} },
      ],
    },
    'Hi\n→ look {}',
  ],
  ['a message’s delta', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } }, 'Hi'],
  ['thinking', { type: 'content_block_delta', delta: { thinking: 'hm' } }, ''],
  ['a response', { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }] }, 'Hi'],
  ['a response’s delta', { type: 'response.output_text.delta', delta: 'Hi' }, 'Hi'],
  ['a response’s end', { type: 'response.completed', response: { output: [] } }, ''],
  ['Google’s answer', { candidates: [{ content: { parts: [{ text: 'Hi' }, { text: 'hm', thought: true }] } }] }, 'Hi'],
  ['nothing', null, ''],
])('what a model wrote is read from %s', ([, value, expected]) => {
  expect(writtenIn(value)).toBe(expected)
})

test('events are read however the network cuts them, and errors within them are found', () => {
  const stream = 'event: x\ndata: {"a":1}\n\n: ping\n\ndata: {"error":{"message":"cut"}}\r\n\r\ndata: [DONE]\n\n'
  for (let cut = 1; cut < stream.length; cut++) {
    const reader = eventReader()
    const events = [...reader.push(stream.slice(0, cut)), ...reader.push(stream.slice(cut))]
    expect(events).toEqual([{ a: 1 }, { error: { message: 'cut' } }])
    expect(errorIn(events[1])).toBe('cut')
  }
})

test.for(SAMPLES)('%s takes the key from a variable, and quotes what is in the way', (kind) => {
  const code = codeSample(kind, callOf({ ...question, protocol: 'anthropic-messages' }, 'm'), 'http://localhost:1')
  expect(code).toContain('TOLLGATE_API_KEY')
  expect(code).toContain('http://localhost:1/v1/messages')
  expect(code).toContain('2023-06-01')
  expect(code).not.toContain(kind === 'TypeScript' ? '\\u0027' : "What's")
})
