import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { writeOpaque } from '../../hub/opaque-reasoning.ts'
import { anthropicMessagesSpoke } from '../anthropic-messages.ts'

const ASKED = { role: 'user', content: 'hi' }

function read(body: JsonObject): { request: NeutralRequest; dropped: readonly string[] } {
  const notes = new Notes(anthropicMessagesSpoke.hints)
  const request = anthropicMessagesSpoke.readRequest({ model: 'm', max_tokens: 100, messages: [ASKED], ...body }, notes)
  return { request, dropped: notes.dropped }
}

/** The parts of an only message. */
function partsOf(role: 'user' | 'assistant', ...content: readonly object[]): readonly object[] {
  return read({ messages: [{ role, content }] }).request.turns[0]?.parts ?? []
}

function settingsOf(body: JsonObject): JsonObject {
  const { settings } = read(body).request
  return Object.fromEntries(settings.names.map((name) => [name, settings.get(name)]))
}

test('a request of Claude Code is carried but for its hints', () => {
  const { request, dropped } = read({
    stream: true,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2;' },
      { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read the note.' }] },
      { role: 'system', content: '# Environment' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'EqQB+/==' },
          { type: 'redacted_thinking', data: 'Eo0B' },
          { type: 'text', text: 'I read it.' },
          { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'n' }, caller: { type: 'direct' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'heron', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    tools: [{ name: 'Read', description: 'reads', input_schema: { type: 'object' }, defer_loading: true }],
    metadata: { user_id: '{"session_id":"s"}' },
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high', task_budget: { type: 'tokens', total: 9 } },
    safeguards: {},
  })
  const made = { vendor: 'anthropic' }
  expect(request.turns).toEqual([
    {
      role: 'system',
      parts: [{ kind: 'text', text: 'You are an agent.', at: 'system[1]', cache: { ttl: '1h' } }],
      at: 'system',
    },
    {
      role: 'user',
      parts: [{ kind: 'text', text: 'Read the note.', at: 'messages[0].content[0]' }],
      at: 'messages[0]',
    },
    {
      role: 'system',
      parts: [{ kind: 'text', text: '# Environment', at: 'messages[1].content' }],
      at: 'messages[1]',
    },
    {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'hm', opaque: { ...made, data: 'EqQB+/==' }, at: 'messages[2].content[0]' },
        {
          kind: 'reasoning',
          text: '',
          opaque: { ...made, data: 'Eo0B', isRedacted: true },
          at: 'messages[2].content[1]',
        },
        { kind: 'text', text: 'I read it.', at: 'messages[2].content[2]' },
        {
          kind: 'tool_call',
          id: 'toolu_1',
          name: 'Read',
          input: '{"path":"n"}',
          isCustom: false,
          at: 'messages[2].content[3]',
        },
      ],
      at: 'messages[2]',
    },
    {
      role: 'user',
      parts: [
        {
          kind: 'tool_result',
          callId: 'toolu_1',
          parts: [{ kind: 'text', text: 'heron', at: 'messages[3].content[0].content' }],
          isError: false,
          at: 'messages[3].content[0]',
          cache: { ttl: null },
        },
      ],
      at: 'messages[3]',
    },
  ])
  expect(request.tools).toEqual([
    {
      kind: 'function',
      name: 'Read',
      description: 'reads',
      schema: { type: 'object' },
      isStrict: null,
      at: 'tools[0]',
    },
  ])
  expect(request.settings.get('reasoning')).toEqual({ effort: 'high', budgetTokens: null, isShown: false })
  expect(request.settings.get('user')).toBe('{"session_id":"s"}')
  expect(dropped.toSorted()).toEqual([
    'context_management',
    'messages[].content[].caller',
    'output_config.task_budget',
    'safeguards',
    'system[].x-anthropic-billing-header',
    'tools[].defer_loading',
  ])
})

describe('blocks', () => {
  const source = { type: 'base64', media_type: 'image/webp', data: 'UklG' }

  test('pictures and documents, also within results', () => {
    const url = 'https://example.test/a'
    expect(partsOf('user', { type: 'image', source }, { type: 'image', source: { type: 'url', url } })).toMatchObject([
      { kind: 'image', source: { kind: 'data', mediaType: 'image/webp', base64: 'UklG' } },
      { kind: 'image', source: { kind: 'url', url, mediaType: null } },
    ])
    const pdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      title: 'T',
    }
    const content = [pdf, { type: 'image', source }]
    const result = { type: 'tool_result', tool_use_id: 't', is_error: true, content }
    expect(partsOf('user', result)).toMatchObject([
      { kind: 'tool_result', isError: true, parts: [{ kind: 'file', name: 'T' }, { kind: 'image' }] },
    ])
  })

  test('a document of text is a file, one of blocks is its blocks, with title and context in front', () => {
    const text = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hé' }, context: 'c' }
    expect(partsOf('user', text)).toMatchObject([
      { kind: 'text', text: 'c' },
      { kind: 'file', source: { kind: 'data', mediaType: 'text/plain', base64: 'SMOp' } },
    ])
    const content = [
      { type: 'text', text: 'one' },
      { type: 'image', source },
    ]
    const cache_control = { type: 'ephemeral' }
    const blocks = { type: 'document', source: { type: 'content', content }, title: 'T', cache_control }
    expect(partsOf('user', blocks)).toMatchObject([
      { text: 'T' },
      { text: 'one' },
      { kind: 'image', cache: { ttl: null } },
    ])
  })

  test('what a search of the client found is text, and a tool that it found is its name', () => {
    const found = { type: 'search_result', source: 'https://a', title: 'T', content: [{ type: 'text', text: 'x' }] }
    expect(partsOf('user', { ...found, citations: { enabled: true } })).toMatchObject([{ text: 'T\nhttps://a\nx' }])
    const content = [{ type: 'tool_reference', tool_name: 'Deferred' }]
    expect(partsOf('user', { type: 'tool_result', tool_use_id: 't', content })).toMatchObject([
      { parts: [{ kind: 'text', text: 'Deferred' }] },
    ])
  })

  test('steps of tools that ran at the provider are left out by name', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'found', citations: [{}] },
    ]
    const { request, dropped } = read({ messages: [{ role: 'assistant', content }] })
    expect(request.turns[0]?.parts).toMatchObject([{ text: 'found' }])
    const at = 'messages[].content[]'
    expect(dropped).toEqual([`${at}.server_tool_use`, `${at}.web_search_tool_result`, `${at}.citations`])
    expect(Object.keys(anthropicMessagesSpoke.hints)).toEqual(expect.arrayContaining([...dropped]))
  })

  test('reasoning of other makers is found in the signature; an empty one is none', () => {
    const opaque = { vendor: 'openai', data: 'gAAA', id: 'rs_1' } as const
    const thought = { type: 'thinking', thinking: 'x', signature: writeOpaque(opaque, 'anthropic') }
    const unsigned = [
      { type: 'thinking', thinking: 'y', signature: '' },
      { type: 'thinking', thinking: 'z', signature: writeOpaque({ vendor: 'chat', data: '' }, 'anthropic') },
      { type: 'thinking', thinking: '', signature: '' },
    ]
    expect(partsOf('assistant', thought, ...unsigned)).toMatchObject([{ opaque }, { opaque: null }, { opaque: null }])
  })
})

describe('tools', () => {
  const schema = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }

  test('server tools are the provider’s own, and a choice of one finds it', () => {
    const { request } = read({
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
      tool_choice: { type: 'tool', name: 'web_search' },
      mcp_servers: [{ type: 'url', name: 'x', url: 'https://mcp.test', authorization_token: 'secret' }],
    })
    expect(request.tools).toEqual([
      { kind: 'hosted', name: 'web_search_20250305', at: 'tools[0]' },
      { kind: 'hosted', name: 'mcp_server', at: 'mcp_servers[0]' },
    ])
    expect(request.toolChoice).toMatchObject({ kind: 'one', name: 'web_search_20250305' })
  })

  test('strict stays where others can be as strict, and is left out with a word where not', () => {
    const strict = (input_schema: object): object => ({ name: 'f', input_schema, strict: true })
    expect(read({ tools: [strict(schema)] }).request.tools).toMatchObject([{ isStrict: true }])
    const loose = read({ tools: [strict({ ...schema, properties: { a: { type: 'object', properties: {} } } })] })
    expect(loose.request.tools).toMatchObject([{ isStrict: null }])
    expect(loose.dropped).toEqual(['tools[].strict'])
  })

  test('system messages add tools and take them out', () => {
    const tool = (name: string): object => ({ name, input_schema: { type: 'object' } })
    const change = (type: string, of: object): object => ({ role: 'system', content: [{ type, tool: of }] })
    const { request } = read({
      tools: [tool('a'), tool('b')],
      messages: [
        ASKED,
        change('tool_removal', { type: 'tool_reference', name: 'a' }),
        change('tool_removal', { type: 'tool_reference', name: 'b' }),
        change('tool_addition', { type: 'tool_definition', definition: tool('c') }),
        change('tool_addition', { type: 'tool_reference', name: 'b' }),
      ],
    })
    expect(request.tools.map(({ name }) => name)).toEqual(['c', 'b'])
    expect(request.turns).toHaveLength(1)
  })

  test('a choice also says whether calls may come together', () => {
    const body = {
      tools: [{ name: 'f', input_schema: {} }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    }
    expect(read(body).request.toolChoice).toEqual({ kind: 'required', at: 'tool_choice' })
    expect(settingsOf(body)).toMatchObject({ parallelToolCalls: false })
  })
})

test('a message that is no longer shown is not carried', () => {
  const passing = { role: 'system', content: 'only now', clear_at: 'next_user_message' }
  const { request, dropped } = read({ messages: [ASKED, passing, ASKED, passing] })
  expect(request.turns.map(({ at }) => at)).toEqual(['messages[0]', 'messages[2]', 'messages[3]'])
  expect(dropped).toEqual(['messages[].clear_at'])
})

describe('settings', () => {
  test('each is what others mean by it', () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: { a: {} } } }
    expect(
      settingsOf({
        temperature: 0.5,
        top_p: 0.9,
        top_k: 3,
        stop_sequences: ['END'],
        service_tier: 'standard_only',
        speed: 'standard',
        output_config: { format },
      }),
    ).toEqual({
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 3,
      stop: ['END'],
      serviceClass: 'default',
      format: { kind: 'schema', name: null, description: null, schema: format.schema, isStrict: null },
    })
    expect(settingsOf({ service_tier: 'auto', stop_sequences: [], output_format: null })).toEqual({
      maxOutputTokens: 100,
    })
  })

  const effort = { output_config: { effort: 'low' } }
  test.for([
    [effort, { effort: 'low', budgetTokens: null, isShown: null }],
    [
      { thinking: { type: 'disabled' }, ...effort },
      { effort: 'none', budgetTokens: null, isShown: null },
    ],
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { effort: null, budgetTokens: 2000, isShown: true }],
    [
      { thinking: { type: 'adaptive' }, ...effort },
      { effort: 'low', budgetTokens: null, isShown: null },
    ],
    [{ thinking: { type: 'between_tools' } }, { effort: 'low', budgetTokens: null, isShown: null }],
  ])('reasoning of %j', ([body, reasoning]) => {
    expect(settingsOf(body as JsonObject)['reasoning']).toEqual(reasoning)
  })

  test('what thinking cannot keep of its wish is left out by name', () => {
    expect(read({ thinking: { type: 'disabled' }, ...effort }).dropped).toEqual(['output_config.effort'])
    expect(read({ thinking: { type: 'between_tools' } }).dropped).toEqual(['thinking.type'])
  })
})

test.for([
  ['thread', { thread: { type: 'create' } }],
  ['inference_geo', { inference_geo: 'us' }],
  ['compaction', { compaction: { type: 'summarize' } }],
  ['max_tokens', { max_tokens: 0 }],
  ['tools[0].type', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
  [
    'messages[0].content[0].type',
    { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
  ],
  [
    'messages[0].content[0].source.type',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
  ],
  ['messages[0].oops', { messages: [{ ...ASKED, oops: 1 }] }],
  ['messages[0].role', { messages: [{ role: 'tool', content: '' }] }],
  ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
  ['thinking.type', { thinking: { type: 'maybe' } }],
] as const)('%s is refused by its name', ([param, body]) => {
  let fault: unknown
  try {
    read(body)
  } catch (thrown) {
    fault = thrown
  }
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code: 'request_invalid', details: { param } })
})
