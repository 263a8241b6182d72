import { expect, test } from 'vitest'
import type { JsonObject } from '../../json/json-object.ts'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { NeutralRequest, ProviderSignature } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { openaiChatSpoke } from '../openai-chat.ts'

function read(body: JsonObject): { request: NeutralRequest; dropped: readonly string[] } {
  const notes = new Notes(openaiChatSpoke.hints)
  const request = openaiChatSpoke.readRequest({ model: 'm', messages: [], ...body }, notes)
  return { request, dropped: notes.dropped }
}

function withoutPlace(part: object): object {
  return { ...part, at: undefined }
}

function settingsOf(body: JsonObject): Record<string, unknown> {
  const { settings } = read(body).request
  return Object.fromEntries(settings.names.map((name) => [name, settings.get(name)]))
}

test('a conversation with images, files, sound, calls and results is read part by part', () => {
  const { request, dropped } = read({
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'Look', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'high' } },
          { type: 'image_url', image_url: { url: 'https://example.test/a.png', detail: 'auto' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' } },
          { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        refusal: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'seen' }] },
    ],
  })
  const at = 'messages[1].content'
  expect(request.turns).toEqual([
    { role: 'developer', at: 'messages[0]', parts: [{ kind: 'text', text: 'Be brief.', at: 'messages[0].content' }] },
    {
      role: 'user',
      at: 'messages[1]',
      parts: [
        { kind: 'text', text: 'Look', at: `${at}[0]`, cache: { ttl: '1h' } },
        {
          kind: 'image',
          source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' },
          detail: 'high',
          at: `${at}[1]`,
        },
        {
          kind: 'image',
          source: { kind: 'url', url: 'https://example.test/a.png', mediaType: null },
          detail: null,
          at: `${at}[2]`,
        },
        {
          kind: 'file',
          source: { kind: 'data', mediaType: 'application/pdf', base64: 'QQ==' },
          name: 'a.pdf',
          at: `${at}[3]`,
        },
        { kind: 'audio', source: { kind: 'data', mediaType: 'audio/wav', base64: 'UklG' }, at: `${at}[4]` },
      ],
    },
    {
      role: 'assistant',
      at: 'messages[2]',
      parts: [
        {
          kind: 'tool_call',
          id: 'c1',
          name: 'look',
          input: '{"a":1}',
          isCustom: false,
          at: 'messages[2].tool_calls[0]',
        },
      ],
    },
    {
      role: 'user',
      at: 'messages[3]',
      parts: [
        {
          kind: 'tool_result',
          callId: 'c1',
          isError: false,
          at: 'messages[3]',
          parts: [{ kind: 'text', text: 'seen', at: 'messages[3].content[0]' }],
        },
      ],
    },
  ])
  expect(dropped).toEqual(['messages[].name'])
})

test('what a request sets is said once, and its defaults are not said', () => {
  const schema = { type: 'object' }
  expect(
    settingsOf({
      max_tokens: 5,
      max_completion_tokens: 10,
      temperature: 0.5,
      top_p: 0.9,
      n: 2,
      stop: 'END',
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { 1: 5 },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      parallel_tool_calls: false,
      service_tier: 'flex',
      safety_identifier: 'u1',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      seed: 7,
      verbosity: 'low',
    }),
  ).toEqual({
    maxOutputTokens: 10,
    temperature: 0.5,
    topP: 0.9,
    choices: 2,
    stop: ['END'],
    logprobs: 3,
    logitBias: { 1: 5 },
    format: { kind: 'schema', name: 'a', description: null, schema, isStrict: true },
    parallelToolCalls: false,
    serviceClass: 'flex',
    user: 'u1',
    metadata: { a: 'b' },
    cacheKey: 'k',
    seed: 7,
    verbosity: 'low',
  })
  const silent = {
    n: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    stop: [],
    logprobs: false,
    logit_bias: {},
    response_format: { type: 'text' },
    parallel_tool_calls: true,
    service_tier: 'auto',
    modalities: ['text'],
    store: false,
    repetition_penalty: 1,
    max_tokens: null,
    audio: null,
  }
  expect(settingsOf(silent)).toEqual({})
  expect(read(silent).dropped).toEqual([])
})

const wish = (effort: string | null, budgetTokens: number | null = null, isShown: boolean | null = null): object => ({
  effort,
  budgetTokens,
  isShown,
})

test.each([
  [{ reasoning_effort: 'high' }, wish('high')],
  [{ reasoning: { effort: 'xhigh', exclude: true } }, wish('xhigh', null, false)],
  [{ reasoning: { max_tokens: 2000 } }, wish(null, 2000)],
  [{ reasoning: { enabled: true } }, wish('medium')],
  [{ thinking: { type: 'enabled' }, reasoning_effort: 'low' }, wish('low')],
  [{ thinking: { type: 'disabled' }, reasoning_effort: 'low' }, wish('none')],
  [{ thinking: { type: 'enabled', budget_tokens: 3000 } }, wish(null, 3000)],
  [{ enable_thinking: false }, wish('none')],
  [{ chat_template_kwargs: { enable_thinking: true } }, wish('medium')],
  [
    { extra_body: { google: { thinking_config: { thinking_budget: 0, include_thoughts: true } } } },
    wish('none', null, true),
  ],
  [{ include_reasoning: true }, wish(null, null, true)],
])('the wish for reasoning in %j is understood', (body, reasoning) => {
  expect(settingsOf(body)).toEqual({ reasoning })
})

test('tools of every kind are read, a search as one that its provider runs', () => {
  const { tools, toolChoice } = read({
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: false } },
      {
        type: 'custom',
        custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
      { type: 'code_interpreter', container: 'auto' },
    ],
    web_search_options: {},
    search_parameters: { mode: 'off' },
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
    },
  }).request
  expect(tools).toEqual([
    { kind: 'function', name: 'f', description: 'd', schema: { type: 'object' }, isStrict: false, at: 'tools[0]' },
    { kind: 'custom', name: 'c', description: null, grammar: { syntax: 'lark', definition: 'x' }, at: 'tools[1]' },
    { kind: 'hosted', name: 'code_interpreter', at: 'tools[2]' },
    { kind: 'hosted', name: 'web_search_options', at: 'web_search_options' },
  ])
  expect(toolChoice).toEqual({ kind: 'some', names: ['f'], isRequired: true, at: 'tool_choice' })
})

test('functions of the form of 2023 are tools, and a result answers the last call of its name', () => {
  const call = (city: string): object => ({ role: 'assistant', function_call: { name: 'f', arguments: city } })
  const { request } = read({
    functions: [{ name: 'f', parameters: { type: 'object' } }],
    function_call: { name: 'f' },
    messages: [
      call('1'),
      { role: 'function', name: 'f', content: 'a' },
      call('2'),
      { role: 'function', name: 'f', content: 'b' },
    ],
  })
  expect(request.tools).toMatchObject([{ kind: 'function', name: 'f' }])
  expect(request.toolChoice).toMatchObject({ kind: 'one', name: 'f' })
  const ids = request.turns.map(({ parts: [part] }) =>
    part?.kind === 'tool_call' ? part.id : part?.kind === 'tool_result' ? part.callId : null,
  )
  expect(ids).toEqual(['call_function_1', 'call_function_1', 'call_function_2', 'call_function_2'])
})

test.each([
  ['min_p', { min_p: 0.1 }],
  ['audio', { audio: { voice: 'ash' } }],
  ['modalities', { modalities: ['text', 'audio'] }],
  ['moderation', { moderation: { model: 'm' } }],
  ['provider.data_collection', { provider: { data_collection: 'deny' } }],
  ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'video_url', video_url: {} }] }] }],
  [
    'messages[0].content[0].file.file_id',
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
  ],
  ['messages[0].prefix', { messages: [{ role: 'assistant', content: 'a', prefix: true }] }],
  ['messages[0].role', { messages: [{ role: 'critic', content: 'a' }] }],
  ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'a' }] }],
  ['reasoning_effort', { reasoning_effort: 'huge' }],
  ['response_format', { response_format: { type: 'grammar' } }],
])('%s is refused by its name', (param, body) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'request_invalid', details: { param } }))
})

test('harmless hints are left out and named', () => {
  const { dropped } = read({
    store: true,
    prediction: { type: 'content', content: 'x' },
    provider: { order: ['a'], data_collection: 'allow' },
    stream_options: { include_usage: true, include_obfuscation: false },
  })
  expect(dropped.toSorted()).toEqual(['prediction', 'provider.order', 'store', 'stream_options.include_obfuscation'])
})

test('reasoning comes back from all three fields, Google’s signature right before its call', () => {
  const parts = (message: object): unknown =>
    read({ messages: [{ role: 'assistant', content: 'said', ...message }] }).request.turns[0]?.parts.map(withoutPlace)
  const said = { kind: 'text', text: 'said' }
  expect(parts({ reasoning_content: 'hm' })).toEqual([{ kind: 'reasoning', text: 'hm', opaque: null }, said])
  const details = [{ type: 'reasoning.text', text: 'hm', signature: 's', index: 0 }]
  expect(parts({ reasoning: 'hm', reasoning_details: details })).toEqual([
    {
      kind: 'reasoning',
      text: 'hm',
      opaque: { vendor: 'chat', data: JSON.stringify({ field: 'reasoning', details }) },
    },
    said,
  ])
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  expect(parts({ tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'sig' } } }] })).toEqual([
    said,
    { kind: 'reasoning', text: '', opaque: { vendor: 'google', data: 'sig' } },
    { kind: 'tool_call', id: 'c', name: 'f', input: '{}', isCustom: false },
  ])
})

test('Anthropic’s signature is dropped with a text of which only a part came back, and the rest is unsigned', () => {
  const anthropic: ProviderSignature = { vendor: 'anthropic', data: 'EqQB' }
  const block = { kind: 'reasoning', text: 'I read. It brings it.', opaque: anthropic } as const
  const stop = { reason: 'end', sequence: null } as const
  const call = { requestId: 'req_1', model: 'm', nowMs: 0, includeUsage: false, asked: {} }
  const answer = openaiChatSpoke.writeAnswer(
    { choices: [{ blocks: [block, { kind: 'text', text: 'Hi' }], stop }] },
    { ...call, request: read({}).request },
    NO_TOKENS,
  )
  const [choice] = answer['choices'] as { message: JsonObject }[]
  const message = choice?.message ?? {}
  const reasoningOf = (sent: JsonObject) =>
    read({ messages: [sent] }).request.turns.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'reasoning'))
  expect(reasoningOf(message)).toMatchObject([{ text: block.text, opaque: anthropic }])
  expect(reasoningOf({ ...message, reasoning_content: 'It brings it.' })).toMatchObject([
    { text: 'It brings it.', opaque: null },
  ])
})
