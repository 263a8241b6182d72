import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { HINTS } from './hints.ts'
import { readRequest } from './read-request.ts'

describe('a request of the responses wire', () => {
  test('a text is a turn of the user, and instructions are said before it', () => {
    const { turns } = read({ instructions: 'Be short.', input: 'Hi' })
    expect(turns).toEqual([
      { role: 'system', at: 'instructions', parts: [{ kind: 'text', text: 'Be short.', at: 'instructions' }] },
      { role: 'user', at: 'input', parts: [{ kind: 'text', text: 'Hi', at: 'input' }] },
    ])
  })

  test('what the model did between two inputs is one turn, in its order', () => {
    const { turns } = read({ input: CONVERSATION })
    expect(turns.map(({ role }) => role)).toEqual(['developer', 'user', 'assistant', 'user', 'user'])
    expect(turns[2]?.parts).toEqual([
      {
        kind: 'reasoning',
        text: 'First.\n\nSecond.',
        opaque: { vendor: 'openai', data: 'gAAA==', id: 'rs_1' },
        at: 'input[2].encrypted_content',
      },
      { kind: 'text', text: 'Reading.', at: 'input[3].content[0]' },
      { kind: 'tool_call', id: 'call_1', name: 'read', input: '{"a":1}', isCustom: false, at: 'input[4]' },
      { kind: 'tool_call', id: 'call_2', name: 'functions__exec', input: 'ls', isCustom: true, at: 'input[5]' },
    ])
    expect(turns[3]?.parts).toEqual([
      {
        kind: 'tool_result',
        callId: 'call_1',
        parts: [{ kind: 'text', text: 'one', at: 'input[6].output' }],
        isError: false,
        at: 'input[6]',
      },
      {
        kind: 'tool_result',
        callId: 'call_2',
        parts: [
          { kind: 'text', text: 'two', at: 'input[7].output[0]' },
          {
            kind: 'image',
            source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' },
            detail: null,
            at: 'input[7].output[1]',
          },
        ],
        isError: false,
        at: 'input[7]',
      },
    ])
  })

  test('pictures, documents and sound come with their bytes or their address', () => {
    const { turns } = read({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'https://example.test/a.png', detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' },
            { type: 'input_file', file_url: 'https://example.test/b.pdf' },
            { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
          ],
        },
      ],
    })
    const at = (i: number): string => `input[0].content[${i}]`
    expect(turns[0]?.parts).toEqual([
      {
        kind: 'image',
        source: { kind: 'url', url: 'https://example.test/a.png', mediaType: null },
        detail: 'low',
        at: at(0),
      },
      {
        kind: 'file',
        source: { kind: 'data', mediaType: 'application/pdf', base64: 'QUJD' },
        name: 'a.pdf',
        at: at(1),
      },
      {
        kind: 'file',
        source: { kind: 'url', url: 'https://example.test/b.pdf', mediaType: null },
        name: null,
        at: at(2),
      },
      { kind: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'QUJD' }, at: at(3) },
    ])
  })

  test('settings are said where they differ from the default, each with its field', () => {
    const { settings } = read({ input: 'Hi', ...SETTINGS })
    const said = Object.fromEntries(settings.names.map((name) => [settings.fieldOf(name), settings.get(name)]))
    expect(said).toEqual({
      max_output_tokens: 100,
      temperature: 0.5,
      parallel_tool_calls: false,
      service_tier: 'flex',
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
      safety_identifier: 'u',
      'text.verbosity': 'low',
      'text.format': { kind: 'schema', name: 'n', description: null, schema: { type: 'object' }, isStrict: true },
      reasoning: { effort: 'xhigh', budgetTokens: null, isShown: true },
      include: 3,
    })
  })

  test.for([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'p' } }],
    ['input[0].id', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].type', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
    ['input[0].content[0].file_id', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
    ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
    ['include', { include: ['everything'] }],
    ['unheard_of', { unheard_of: 1 }],
    ['tools[0].unheard_of', { tools: [{ type: 'function', name: 'a', unheard_of: 1 }] }],
    [
      'tools[1].name',
      {
        tools: [
          { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] },
          { type: 'function', name: 'a__b' },
        ],
      },
    ],
    ['temperature', { temperature: 'hot' }],
    ['input', { input: null }],
  ] as const)('%s is refused by its name', ([param, fields]) => {
    expect(faultOf(() => read({ input: 'Hi', ...fields }))).toMatchObject({
      code: 'request_invalid',
      details: { param },
    })
  })

  test('what was to be stored is left out where the calls beside it are whole, and refused where nothing would be left', () => {
    const references = [
      { type: 'item_reference', id: 'rs_1' },
      { type: 'item_reference', id: 'msg_1' },
    ]
    const call = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' }
    const notes = new Notes(HINTS)
    const { turns } = readRequest({ input: [...references, call] }, notes)
    expect(turns).toHaveLength(1)
    expect(notes.dropped).toEqual(['input[].item_reference'])
    expect(
      faultOf(() => read({ input: [...references, { role: 'user', content: 'Go on' }, call] }))?.message,
    ).toContain('store: false')
  })

  test('what Codex’ agents write to one another is said by the user, unless it is cipher text', () => {
    const message = (text: string): unknown => ({
      type: 'agent_message',
      author: '/root',
      recipient: 'worker',
      content: [
        { type: 'input_text', text: 'From: /root' },
        { type: 'encrypted_content', encrypted_content: text },
      ],
    })
    const { turns } = read({ input: [message('Find the file.')] })
    expect(turns).toMatchObject([{ role: 'user', parts: [{ text: 'From: /root' }, { text: 'Find the file.' }] }])
    expect(faultOf(() => read({ input: [message('gAAAAABmZm8=')] }))?.details.param).toBe(
      'input[0].content[1].encrypted_content',
    )
  })

  test('calls of OpenAI’s own tools that the client ran are calls, and their results are text', () => {
    const { turns } = read({
      input: [
        {
          type: 'local_shell_call',
          id: 'lsh_1',
          call_id: 'call_1',
          status: 'completed',
          action: { type: 'exec', command: ['ls'] },
        },
        { type: 'local_shell_call_output', id: 'call_1', output: 'a.txt' },
        {
          type: 'apply_patch_call',
          call_id: 'call_2',
          status: 'completed',
          operation: { type: 'delete_file', path: 'a' },
        },
        { type: 'apply_patch_call_output', call_id: 'call_2', status: 'failed', output: 'no such file' },
      ],
    })
    expect(turns.map(({ parts }) => parts[0])).toMatchObject([
      { kind: 'tool_call', id: 'call_1', name: 'local_shell', input: '{"type":"exec","command":["ls"]}' },
      { kind: 'tool_result', callId: 'call_1', parts: [{ text: 'a.txt' }], isError: false },
      { kind: 'tool_call', id: 'call_2', name: 'apply_patch' },
      { kind: 'tool_result', callId: 'call_2', parts: [{ text: 'no such file' }], isError: true },
    ])
  })

  test('hints are left out and named, and empty fields say nothing', () => {
    const notes = new Notes(HINTS)
    const body = {
      input: [
        {
          role: 'assistant',
          phase: 'commentary',
          content: [{ type: 'output_text', text: 'a', annotations: [{}], logprobs: [] }],
        },
        { type: 'web_search_call', id: 'ws_1', action: {} },
      ],
      client_metadata: {},
      store: true,
      truncation: 'auto',
      include: ['web_search_call.results', 'reasoning.encrypted_content'],
      max_tool_calls: 3,
      user: null,
      top_p: 1,
      tool_choice: 'auto',
      tools: [
        { type: 'function', name: 'a', defer_loading: true },
        { type: 'web_search', external_web_access: true },
      ],
    }
    const { tools } = readRequest(body, notes)
    expect(tools.at(-1)).toEqual({ kind: 'hosted', name: 'web_search', at: 'tools[1]' })
    expect([...notes.dropped].sort()).toEqual([
      'client_metadata',
      'include.web_search_call.results',
      'input[].content[].annotations',
      'input[].phase',
      'input[].web_search_call',
      'max_tool_calls',
      'store',
      'tools[].defer_loading',
      'truncation',
    ])
  })
})

const CONVERSATION = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be short.' }] },
  { type: 'message', role: 'user', content: 'Hi' },
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'First.' },
      { type: 'summary_text', text: 'Second.' },
    ],
    content: null,
    encrypted_content: 'gAAA==',
  },
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    id: 'msg_1',
    content: [{ type: 'output_text', text: 'Reading.', annotations: [] }],
  },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"a":1}', status: 'completed' },
  { type: 'custom_tool_call', call_id: 'call_2', name: 'exec', namespace: 'functions', input: 'ls' },
  { type: 'function_call_output', call_id: 'call_1', output: 'one' },
  {
    type: 'custom_tool_call_output',
    call_id: 'call_2',
    output: [
      { type: 'input_text', text: 'two' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ],
  },
  { type: 'message', role: 'user', content: 'Go on' },
]

const SETTINGS = {
  max_output_tokens: 100,
  temperature: 0.5,
  top_p: 1,
  parallel_tool_calls: false,
  service_tier: 'flex',
  prompt_cache_key: 'k',
  metadata: { a: 'b' },
  safety_identifier: 'u',
  text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
  reasoning: { effort: 'xhigh', summary: 'auto' },
  include: ['message.output_text.logprobs'],
  top_logprobs: 3,
  store: false,
  stream: true,
  model: 'm',
}

function read(body: Readonly<Record<string, unknown>>): NeutralRequest {
  return readRequest(body, new Notes(HINTS))
}

function faultOf(run: () => unknown): Fault | null {
  try {
    run()
    return null
  } catch (error) {
    return error instanceof Fault ? error : null
  }
}
