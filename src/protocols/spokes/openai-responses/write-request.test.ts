import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import { factsOf } from '../../../models/table.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, Turn } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { RequestSettings, SettingsToWrite } from '../../hub/request-settings.ts'
import { HINTS } from './hints.ts'
import { readRequest } from './read-request.ts'
import { writeRequest } from './write-request.ts'

describe('a request for a responses upstream', () => {
  test('nothing is stored, reasoning comes with what it needs to be sent back, and strictness is said', () => {
    const tools = [
      { kind: 'function', name: 'read', description: 'Reads.', schema: null, isStrict: null, at: '' },
    ] as const
    expect(write({ tools }).body).toEqual({
      model: 'upstream-model',
      stream: true,
      store: false,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      include: ['reasoning.encrypted_content'],
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Reads.',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
    })
  })

  test('a conversation becomes items in its order', () => {
    const { body, notes } = write({ turns: CONVERSATION })
    expect(body['instructions']).toBe('Be short.\n\nBe kind.')
    expect(body['input']).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA==' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.', annotations: [] }] },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '***' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'a picture' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'The tool failed:\nno such file' },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,QUJD' }],
      },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Hurry.' }] },
    ])
    expect(notes.dropped).toEqual(['system[].cache_control', 'thought.reasoning'])
  })

  test('instructions alone stay in the input', () => {
    const { body } = write({ turns: [{ role: 'system', parts: [{ kind: 'text', text: 'Be', at: '' }], at: '' }] })
    expect(body['instructions']).toBeUndefined()
    expect(body['input']).toEqual([{ type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be' }] }])
  })

  test('settings stand in their fields, and what this wire would refuse is made to fit', () => {
    const settings = new RequestSettings()
    settings.say('maxOutputTokens', 200_000, 'max_tokens')
    settings.say('reasoning', { effort: null, budgetTokens: 20_000, isShown: true }, 'thinking')
    settings.say('format', { kind: 'schema', name: 'a name', description: null, schema: {}, isStrict: null }, 'format')
    settings.say('logprobs', 2, 'top_logprobs')
    settings.say('user', 'u'.repeat(65), 'user')
    settings.say('serviceClass', 'standard_only', 'service_tier')
    settings.say('metadata', { number: 1 }, 'metadata')
    const { body, notes } = write({ settings })
    expect(body).toMatchObject({
      max_output_tokens: 128_000,
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'a_name', schema: {}, strict: false } },
      top_logprobs: 2,
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      safety_identifier: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    })
    expect(notes.dropped).toEqual(['service_tier', 'metadata'])
  })

  test.for([
    ['stop', ['a']],
    ['choices', 2],
    ['frequencyPenalty', 1],
    ['topK', 3],
    ['maxOutputTokens', 1],
  ] as const)('%s is refused, as this wire has nothing for it', ([name, value]) => {
    const settings = new RequestSettings()
    settings.say(name, value, 'the_field')
    expect(() => write({ settings })).toThrow(Fault)
    expect(() => write({ settings })).toThrow(/the_field/)
  })

  test('choices of tools say of which kind they are', () => {
    const tools = [
      { kind: 'function', name: 'read', description: null, schema: null, isStrict: true, at: '' },
      { kind: 'custom', name: 'patch', description: null, grammar: { syntax: 'lark', definition: 'x' }, at: '' },
    ] as const
    const { body } = write({ tools, toolChoice: { kind: 'some', names: ['read', 'patch'], isRequired: false, at: '' } })
    expect(body['tool_choice']).toEqual({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [
        { type: 'function', name: 'read' },
        { type: 'custom', name: 'patch' },
      ],
    })
    expect(body['tools']).toMatchObject([
      { strict: true },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    ])
    expect(write({ tools, toolChoice: { kind: 'one', name: 'patch', at: '' } }).body['tool_choice']).toEqual({
      type: 'custom',
      name: 'patch',
    })
  })

  test('what was written is read as it was meant', () => {
    const { body } = write({ turns: CONVERSATION.slice(2, -1) })
    const again = readRequest(body, new Notes(HINTS))
    expect(write({ ...again, settings: new RequestSettings() }).body).toEqual(body)
  })
})

const text = (written: string): { kind: 'text'; text: string; at: string } => ({ kind: 'text', text: written, at: '' })

const CONVERSATION: readonly Turn[] = [
  { role: 'system', parts: [{ ...text('Be short.'), at: 'system[0]', cache: { ttl: null } }], at: '' },
  { role: 'system', parts: [text('Be kind.')], at: '' },
  { role: 'user', parts: [text('Hi')], at: '' },
  {
    role: 'assistant',
    at: '',
    parts: [
      { kind: 'reasoning', text: 'Hm.', opaque: { vendor: 'openai', data: 'gAAA==', id: 'rs_1' }, at: '' },
      { kind: 'reasoning', text: 'So.', opaque: { vendor: 'anthropic', data: 'sig' }, at: 'thought' },
      { ...text('Reading.') },
      { kind: 'tool_call', id: 'call_1', name: 'read', input: '', isCustom: false, at: '' },
      { kind: 'tool_call', id: 'call_2', name: 'patch', input: '***', isCustom: true, at: '' },
    ],
  },
  {
    role: 'user',
    at: '',
    parts: [
      {
        kind: 'tool_result',
        callId: 'call_1',
        isError: false,
        at: '',
        parts: [
          text('a picture'),
          { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }, detail: null, at: '' },
        ],
      },
      { kind: 'tool_result', callId: 'call_2', isError: true, at: '', parts: [text('no such file')] },
      { kind: 'file', source: { kind: 'data', mediaType: 'application/pdf', base64: 'QUJD' }, name: null, at: '' },
    ],
  },
  { role: 'developer', parts: [text('Hurry.')], at: '' },
]

function write(parts: Partial<NeutralRequest>): { body: JsonObject; notes: Notes } {
  const notes = new Notes({})
  const user: Turn = { role: 'user', parts: [text('Hi')], at: '' }
  const request = { turns: [user], tools: [], toolChoice: null, settings: new RequestSettings(), ...parts }
  const settings = new SettingsToWrite(request.settings, notes)
  const facts = factsOf({ name: 'upstream-model' }, 'openai-responses')
  const call = { model: 'upstream-model', facts, isStream: true, modelMaxOutputTokens: 128_000, settings, notes }
  const body = writeRequest(request, call)
  settings.end()
  return { body, notes }
}
