import { expect, test } from 'vitest'
import { factsOf } from '../../../models/table.ts'
import { fitToModel } from '../../hub/fit-to-model.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { AssistantPart, NeutralRequest, Turn, UserPart } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { RequestSettings, SettingsToWrite, type ClientSettings } from '../../hub/request-settings.ts'
import { openaiChatSpoke } from '../openai-chat.ts'

interface Case {
  readonly turns?: readonly Turn[]
  readonly request?: Partial<NeutralRequest>
  readonly settings?: Partial<ClientSettings>
  readonly model?: string
  readonly isStream?: boolean
  readonly modelMaxOutputTokens?: number
}

function write(one: Case): { body: JsonObject; dropped: readonly string[] } {
  const said = new RequestSettings()
  for (const [name, value] of Object.entries(one.settings ?? {})) said.say(name as 'seed', value as number, name)
  const notes = new Notes({})
  const settings = new SettingsToWrite(said, notes)
  const { turns = [], model = 'm', isStream = false, modelMaxOutputTokens = null } = one
  const request: NeutralRequest = { turns, tools: [], toolChoice: null, settings: said, ...one.request }
  const facts = factsOf({ name: model }, 'openai-chat')
  const call = { model, facts, isStream, modelMaxOutputTokens, settings, notes }
  const body = openaiChatSpoke.writeRequest(fitToModel(request, facts, notes), call)
  settings.end()
  return { body, dropped: notes.dropped }
}

const text = (said: string): { kind: 'text'; text: string; at: string } => ({ kind: 'text', text: said, at: 'text' })
const user = (...parts: UserPart[]): Turn => ({ role: 'user', parts, at: 'user' })
const assistant = (...parts: AssistantPart[]): Turn => ({ role: 'assistant', parts, at: 'assistant' })
const system = (said: string): Turn => ({ role: 'developer', parts: [text(said)], at: 'system' })
const call = (id: string): AssistantPart => ({ kind: 'tool_call', id, name: 'f', input: '', isCustom: false, at: id })
const result = (callId: string, rest: Partial<UserPart & { kind: 'tool_result' }> = {}): UserPart => ({
  kind: 'tool_result',
  callId,
  parts: [text('ok')],
  isError: false,
  at: `result ${callId}`,
  ...rest,
})
const TOOL = { kind: 'function', name: 'f', description: null, schema: null, isStrict: null, at: 'tools[0]' } as const

test('a conversation is written as messages that every provider takes', () => {
  const image = {
    kind: 'image',
    source: { kind: 'data', mediaType: 'image/png', base64: 'AA' },
    detail: 'low',
    at: 'image',
  } as const
  const turns = [
    system('Be brief.'),
    user(text('a'), text('b')),
    assistant(text('I look.'), call('c1')),
    user(result('c1'), image),
  ]
  expect(write({ turns, request: { tools: [TOOL] }, isStream: true }).body).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a\n\nb' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } }] },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    stream: true,
    stream_options: { include_usage: true },
  })
})

test('results stand right behind their calls, what they hold beside text follows in a message of the user', () => {
  const image = {
    kind: 'image',
    source: { kind: 'url', url: 'https://example.test/a', mediaType: null },
    detail: null,
    at: 'i',
  } as const
  const turns = [
    assistant(call('c1'), call('c2')),
    system('News.'),
    user(result('c1', { parts: [text('half'), image], isError: true })),
    user(result('c2'), text('Go on.')),
  ]
  const messages = write({ turns }).body['messages'] as readonly JsonObject[]
  expect(messages.slice(1)).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: 'Error: half\n\n[An image follows in the next message of the user.]' },
    { role: 'tool', tool_call_id: 'c2', content: 'ok' },
    { role: 'system', content: 'News.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Given by the tool call c1:' },
        { type: 'image_url', image_url: { url: 'https://example.test/a' } },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ])
})

test.each([
  ['gpt-4o', { max_tokens: 9, temperature: 0.5, user: 'u', verbosity: undefined, reasoning_effort: undefined }],
  [
    'openai/gpt-5.5-mini',
    { max_completion_tokens: 9, temperature: undefined, reasoning_effort: 'xhigh', verbosity: 'low' },
  ],
  ['o3', { max_completion_tokens: 9, top_p: undefined, reasoning_effort: 'high', user: 'u' }],
  ['deepseek-chat', { max_tokens: 9, temperature: 0.5, reasoning_effort: 'high', verbosity: undefined }],
  ['gpt-oss-120b', { max_tokens: 9, top_p: 0.9, reasoning_effort: 'high' }],
])('%s is asked in fields that its provider takes', (model, fields) => {
  const settings = {
    maxOutputTokens: 9,
    temperature: 0.5,
    topP: 0.9,
    topK: 64,
    user: 'u',
    verbosity: 'low',
    metadata: { a: 'b' },
    reasoning: { effort: 'xhigh', budgetTokens: null, isShown: null },
  } as const
  const { body, dropped } = write({ settings, model })
  for (const [name, value] of Object.entries(fields)) expect(body[name], name).toEqual(value)
  expect(dropped).toEqual(expect.arrayContaining(['topK', 'metadata']))
  expect(body).not.toHaveProperty('metadata')
})

test.each([
  ['gpt-5.5', { reasoning_effort: 'none' }, []],
  ['gpt-4o', {}, []],
  ['glm-5', { thinking: { type: 'disabled' } }, []],
  ['qwen3-max', { enable_thinking: false }, []],
  ['llama', {}, ['reasoning']],
])('%s gets its own way of turning reasoning off', (model, fields, dropped) => {
  const written = write({ settings: { reasoning: { effort: 'none', budgetTokens: null, isShown: null } }, model })
  expect(written).toEqual({ body: { model, messages: [], ...fields }, dropped })
})

test('an output limit beyond what the model can write is cut to it', () => {
  expect(write({ settings: { maxOutputTokens: 262_144 }, modelMaxOutputTokens: 8192 }).body['max_tokens']).toBe(8192)
})

test('a long name of the user and marks for the cache are left out by name', () => {
  const marked = { ...text('a'), at: 'system[0]', cache: { ttl: null } }
  const turns: Turn[] = [{ role: 'system', parts: [marked], at: 'system' }]
  const { body, dropped } = write({ turns, settings: { user: 'u'.repeat(65) } })
  expect(body).not.toHaveProperty('user')
  expect(dropped).toEqual(['system[].cache_control', 'user'])
})

test('a choice among some tools leaves the others away; without tools nothing is said of them', () => {
  const toolChoice = { kind: 'some', names: ['g'], isRequired: true, at: 'tool_choice' } as const
  const tools = [TOOL, { ...TOOL, name: 'g', isStrict: true }]
  const { body } = write({ request: { tools, toolChoice }, settings: { parallelToolCalls: false } })
  expect(body['tools']).toMatchObject([{ function: { name: 'g', strict: true } }])
  expect(body).toMatchObject({ tool_choice: 'required', parallel_tool_calls: false })
  const none = write({ request: { toolChoice: { kind: 'none', at: '' } }, settings: { parallelToolCalls: false } })
  expect(none.body).toEqual({ model: 'm', messages: [] })
})

test('reasoning goes back to chat upstreams in the field it came in, and to no other upstream', () => {
  const reasoning = (opaque: (AssistantPart & { kind: 'reasoning' })['opaque']): AssistantPart => ({
    kind: 'reasoning',
    text: 'hm',
    opaque,
    at: 'reasoning',
  })
  const details = [{ type: 'reasoning.encrypted', data: 'x' }]
  const messageOf = (model: string, opaque: Parameters<typeof reasoning>[0]): unknown => {
    const { body, dropped } = write({ turns: [assistant(reasoning(opaque), call('c1'))], model })
    const [{ role: _, content: __, tool_calls: ___, ...rest } = {}] = body['messages'] as JsonObject[]
    return [rest, dropped]
  }
  expect(messageOf('deepseek-chat', null)).toEqual([{ reasoning_content: 'hm' }, []])
  const own = { vendor: 'chat', data: JSON.stringify({ field: 'reasoning', details }) } as const
  expect(messageOf('m', own)).toEqual([{ reasoning: 'hm', reasoning_details: details }, []])
  expect(messageOf('gpt-5.5', null)).toEqual([{}, ['reasoning.reasoning']])
  expect(messageOf('m', { vendor: 'anthropic', data: 'x' })).toEqual([{}, ['reasoning.reasoning']])
})

test('Google’s signature goes back to a Gemini model on its call, and to no other', () => {
  const signed: AssistantPart = { kind: 'reasoning', text: '', opaque: { vendor: 'google', data: 'sig' }, at: 'signed' }
  const written = (model: string): unknown => {
    const { body, dropped } = write({ turns: [assistant(signed, call('a'), call('b'))], model })
    const [message] = body['messages'] as JsonObject[]
    return [(message?.['tool_calls'] as JsonObject[] | undefined)?.map((each) => each['extra_content']), dropped]
  }
  expect(written('gemini-3-pro')).toEqual([[{ google: { thought_signature: 'sig' } }, undefined], []])
  expect(written('m')).toEqual([[undefined, undefined], ['signed.reasoning']])
})

test.each([
  [
    'a file by a link',
    { kind: 'file', source: { kind: 'url', url: 'https://example.test/a', mediaType: null }, name: null, at: 'f' },
  ],
  ['sound of another kind', { kind: 'audio', source: { kind: 'data', mediaType: 'audio/ogg', base64: 'A' }, at: 'f' }],
] as const)('%s is refused by its name', (_, part) => {
  expect(() => write({ turns: [user(part)] })).toThrow(expect.objectContaining({ details: { param: 'f' } }))
})

test('a document of plain text is written as text', () => {
  const base64 = Buffer.from('Grüße').toString('base64')
  const file = {
    kind: 'file',
    source: { kind: 'data', mediaType: 'text/plain', base64 },
    name: 'a.txt',
    at: 'f',
  } as const
  expect(write({ turns: [user(file)] }).body['messages']).toEqual([{ role: 'user', content: 'a.txt:\n\nGrüße' }])
})
