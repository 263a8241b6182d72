import { expect, test } from 'vitest'
import type { HostedTool } from '../../core/calls.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'

const OF_WIRES = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', input: 'hi' },
  'anthropic-messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ parts: [{ text: 'hi' }] }] },
} as const

type Asking = keyof typeof OF_WIRES

function toolsIn(wire: Wire, body: string): readonly HostedTool[] {
  const about = { fromPath: { model: 'm', isStream: false } }
  const { tools } = protocolOf(wire).readRequest(Buffer.from(body), about).outside
  return [...(tools ?? [])].toSorted()
}

const asked = (wire: Asking, fields: object): string => JSON.stringify({ ...OF_WIRES[wire], ...fields })

/** The text with each of these words in escapes. */
function escaped(body: string, words: readonly string[]): string {
  const letters = (word: string) =>
    Array.from(word, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return words.reduce((text, word) => text.replaceAll(`"${word}"`, `"${letters(word)}"`), body)
}

const ofType = (type: string, more: object = {}): object => ({ tools: [{ type, name: 'it', ...more }] })

const CASES: readonly (readonly [Asking, object, HostedTool, readonly string[]])[] = [
  ['openai-responses', ofType('web_search'), 'web_search', ['tools', 'type', 'web_search']],
  ['openai-responses', ofType('web_search_preview_2025_03_11'), 'web_search', ['tools', 'type']],
  ['openai-responses', ofType('web_search_2025_08_26'), 'web_search', ['type']],
  ['openai-responses', ofType('file_search', { vector_store_ids: ['vs_1'] }), 'file_search', ['file_search']],
  ['openai-responses', ofType('code_interpreter', { container: { type: 'auto' } }), 'code_interpreter', ['tools']],
  ['openai-responses', ofType('shell', { environment: { type: 'container_auto' } }), 'code_interpreter', ['type']],
  ['openai-responses', ofType('image_generation'), 'image_generation', ['image_generation']],
  ['openai-responses', ofType('x_search'), 'x_search', ['x_search']],
  ['openai-responses', ofType('collections_search'), 'file_search', ['type']],
  ['openai-responses', ofType('openrouter:web_search'), 'web_search', ['type']],
  ['anthropic-messages', ofType('web_search_20250305'), 'web_search', ['type']],
  ['anthropic-messages', ofType('web_search_20991231', { max_uses: 3 }), 'web_search', ['tools']],
  ['anthropic-messages', ofType('web_fetch_20250910'), 'web_fetch', ['web_fetch_20250910']],
  ['anthropic-messages', ofType('code_execution_20250825'), 'code_interpreter', ['type']],
  ['anthropic-messages', ofType('advisor_20260301', { model: 'other' }), 'other_tool', ['type']],
  ['openai-chat', { web_search_options: {} }, 'web_search', ['web_search_options']],
  ['openai-chat', { search_parameters: { mode: 'auto' } }, 'web_search', ['search_parameters']],
  ['openai-chat', { enable_search: true }, 'web_search', ['enable_search']],
  ['openai-chat', { plugins: [{ id: 'web', max_results: 3 }] }, 'web_search', ['plugins', 'web']],
  ['openai-chat', { plugins: [{ id: 'file-parser', pdf: { engine: 'mistral-ocr' } }] }, 'file_parsing', ['plugins']],
  ['openai-chat', ofType('browser_search'), 'web_search', ['type']],
  ['openai-chat', ofType('builtin_function', { function: { name: '$web_search' } }), 'web_search', ['type']],
  ['openai-chat', ofType('web_search_premium'), 'web_search', ['type']],
  ['openai-chat', ofType('document_library'), 'file_search', ['type']],
  ['gemini', { tools: [{ googleSearch: {} }] }, 'google_search', ['googleSearch']],
  ['gemini', { tools: [{ google_search: {} }] }, 'google_search', ['tools']],
  ['gemini', { tools: [{ googleSearchRetrieval: {} }] }, 'google_search', ['googleSearchRetrieval']],
  ['gemini', { tools: [{ google_search_retrieval: {} }] }, 'google_search', ['tools']],
  ['gemini', { tools: [{ enterpriseWebSearch: {} }] }, 'google_search', ['tools']],
  ['gemini', { tools: [{ googleMaps: {} }] }, 'maps_grounding', ['googleMaps']],
  ['gemini', { tools: [{ google_maps: {} }] }, 'maps_grounding', ['tools']],
  ['gemini', { tools: [{ urlContext: {} }] }, 'web_fetch', ['urlContext']],
  ['gemini', { tools: [{ url_context: {} }] }, 'web_fetch', ['tools']],
  ['gemini', { tools: [{ codeExecution: {} }] }, 'code_interpreter', ['codeExecution']],
  ['gemini', { tools: [{ code_execution: {} }] }, 'code_interpreter', ['tools']],
  ['gemini', { tools: [{ fileSearch: { fileSearchStoreNames: ['s'] } }] }, 'file_search', ['fileSearch']],
  [
    'gemini',
    { tools: [{ functionDeclarations: [{ name: 'f' }], googleSearch: {} }] },
    'google_search',
    ['googleSearch'],
  ],
]

test.for(CASES)('%s: %j asks for a tool, also where its names are escaped', ([wire, fields, tool, words]) => {
  const body = asked(wire, fields)
  expect(toolsIn(wire, body)).toEqual([tool])
  expect(toolsIn(wire, escaped(body, words))).toContain(tool)
})

test('a tool behind others is found, each kind once', () => {
  const tools = ['web_search', 'image_generation', 'web_search', 'mcp', 'code_interpreter'].map((type) => ({ type }))
  const body = asked('openai-responses', { tools: [{ type: 'function', name: 'f', parameters: {} }, ...tools] })
  expect(toolsIn('openai-responses', body)).toEqual(['code_interpreter', 'image_generation', 'web_search'])
})

test.for<[Asking, object]>([
  ['openai-responses', { tools: [{ type: 'mcp', server_url: 'https://x.test/mcp', server_label: 'x' }] }],
  [
    'openai-responses',
    { tools: ['tool_search', 'computer_use_preview', 'local_shell', 'shell', 'apply_patch'].map((type) => ({ type })) },
  ],
  [
    'openai-responses',
    {
      tools: [{ type: 'function', name: 'web_search', parameters: { properties: { type: { const: 'web_search' } } } }],
    },
  ],
  ['openai-responses', { input: [{ type: 'web_search_call', id: 'ws_1', action: { type: 'search' } }] }],
  ['openai-responses', { input: [{ type: 'tool_search_output', tools: [{ type: 'function', name: 'web_fetch' }] }] }],
  [
    'anthropic-messages',
    {
      tools: [
        'bash_20250124',
        'text_editor_20250728',
        'memory_20250818',
        'tool_search_tool_regex_20251119',
        'computer_20250124',
      ].map((type) => ({ type, name: 'it' })),
    },
  ],
  [
    'anthropic-messages',
    { tools: [{ name: 'web_search', input_schema: { properties: { type: { enum: ['web_search_20250305'] } } } }] },
  ],
  [
    'anthropic-messages',
    { messages: [{ role: 'assistant', content: [{ type: 'web_search_tool_result', tool_use_id: 's', content: [] }] }] },
  ],
  ['openai-chat', { tools: [{ type: 'function', function: { name: 'web_search', parameters: { type: 'object' } } }] }],
  ['openai-chat', { web_search_options: null, enable_search: false, plugins: [] }],
  ['openai-chat', { plugins: [{ id: 'response-healing' }, { id: 'file-parser', pdf: { engine: 'pdf-text' } }] }],
  ['openai-chat', { messages: [{ role: 'user', content: '{"tools":[{"type":"web_search"}]}' }] }],
  [
    'gemini',
    {
      tools: [
        {
          functionDeclarations: [
            { name: 'googleSearch', parameters: { properties: { googleSearch: { type: 'STRING' } } } },
          ],
        },
      ],
    },
  ],
])('%s: %j asks for no tool that a provider charges by the call', ([wire, fields]) => {
  expect(toolsIn(wire, asked(wire, fields))).toEqual([])
})

test('plugins that are not easily read ask for both that are charged', () => {
  const long = asked('openai-chat', { plugins: [{ id: 'x', note: 'y'.repeat(3_000) }] })
  expect(toolsIn('openai-chat', long)).toEqual(['file_parsing', 'web_search'])
})
