/** Tools that the provider runs by itself and charges by the call: each on each wire that has it, bounded and not. */
import { escaped, type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const streamed = { isStream: true } as const
/** A model with such fees that a cent pays for some calls, and pages so short that the calls are most of the cost. */
const tooled = { model: 'tooled' } as const
const untooled = { model: 'untooled', isRefused: true } as const
const MANY = 'Search 50 times. Pages of 10 tokens. Write 20 words.'
const ONCE = 'Pages of 10 tokens. Write 20 words.'

type Details = Parameters<typeof moneyCase>[2]

function responses(name: string, fields: object, details: Details = {}): MoneyCase {
  return moneyCase(
    ['tools', 'responses', name],
    { input: MANY, max_output_tokens: 64, ...fields },
    { ...tooled, bound: 'calls', ...details },
  )
}

function messages(name: string, tools: readonly object[], details: Details = {}): MoneyCase {
  const { text = MANY, ...rest } = details as Details & { readonly text?: string }
  return moneyCase(
    ['tools', 'messages', name],
    { ...said(text), max_tokens: 64, tools },
    { ...tooled, bound: 'calls', ...rest },
  )
}

function gemini(name: string, tool: object, details: Details = {}): MoneyCase {
  const isMany = 'googleSearch' in tool || 'google_search' in tool
  return moneyCase(
    ['tools', 'gemini', name],
    { ...parts({ text: isMany ? MANY : ONCE }), tools: [tool], generationConfig: { maxOutputTokens: 64 } },
    { ...tooled, bound: 'one', ...details },
  )
}

function chat(name: string, fields: object, details: Details = {}): MoneyCase {
  return moneyCase(
    ['tools', 'chat', name],
    { ...said(MANY), max_tokens: 64, ...fields },
    { ...tooled, bound: 'one', ...details },
  )
}

const SEARCH = { type: 'web_search_20250305', name: 'web_search' }

/** Cases with a fee for each tool. */
const PRICED: readonly MoneyCase[] = [
  responses('searches the web 50 times', { tools: [{ type: 'web_search' }] }),
  responses('searches the web 50 times, streamed', { tools: [{ type: 'web_search' }] }, streamed),
  responses('searches by the preview, where 1,000,000 calls are allowed', {
    tools: [{ type: 'web_search_preview_2025_03_11' }],
    max_tool_calls: 1_000_000,
  }),
  responses('searches where two calls are allowed', { tools: [{ type: 'web_search' }], max_tool_calls: 2 }),
  responses('searches where `max_tool_calls` is null', { tools: [{ type: 'web_search' }], max_tool_calls: null }),
  responses('searches the web and X 50 times', { tools: [{ type: 'web_search' }, { type: 'x_search' }] }),
  responses('searches its files 50 times', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }),
  responses('draws 50 pictures', { tools: [{ type: 'image_generation' }] }),
  responses('runs code at a fee', { input: ONCE, tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }),
  responses(
    'searches with an escaped type',
    { tools: [{ type: 'SEARCH' }] },
    { rewrite: [['SEARCH', escaped('web_search')]] },
  ),
  messages('searches the web 50 times', [SEARCH]),
  messages('searches the web 50 times, streamed', [SEARCH], streamed),
  messages('searches where 1,000,000 uses are allowed', [{ ...SEARCH, max_uses: 1_000_000 }]),
  messages('searches where two uses are allowed', [{ ...SEARCH, max_uses: 2 }]),
  messages('searches where uses are counted in words', [{ ...SEARCH, max_uses: 'many' }]),
  messages('searches and fetches 50 times', [SEARCH, { type: 'web_fetch_20250910', name: 'web_fetch' }]),
  messages('fetches 50 pages, streamed', [{ type: 'web_fetch_20260209', name: 'web_fetch' }], streamed),
  gemini('searches with Google 50 times', { googleSearch: {} }),
  gemini('searches with Google 50 times in snake case, streamed', { google_search: {} }, streamed),
  gemini('reads a page by its URL', { urlContext: {} }),
  gemini('reads a page by its URL, streamed', { url_context: {} }, streamed),
  gemini('runs code at a fee', { codeExecution: {} }),
  gemini('runs code at a fee, streamed', { code_execution: {} }, streamed),
  gemini('searches a file store at a fee', { fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }),
  gemini('asks Google Maps at a fee', { googleMaps: {} }),
  chat('searches 50 times by `web_search_options`', { web_search_options: {} }),
  chat('searches 50 times by `web_search_options`, streamed', { web_search_options: {} }, streamed),
  chat('searches 50 times by `plugins`', { plugins: [{ id: 'web' }] }),
  chat('searches 50 times by `search_parameters`', { search_parameters: { mode: 'on' } }),
]

/** Cases without any fee: none may reach the provider. */
const UNPRICED: readonly MoneyCase[] = [
  ...['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'image_generation', 'x_search'].map(
    (type) => responses(`asks an unpriced model for ${type}`, { tools: [{ type }] }, untooled),
  ),
  responses(
    'asks an unpriced model for a shell in a container',
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    untooled,
  ),
  responses(
    'asks an unpriced model for a search with an escaped type',
    { tools: [{ type: 'SEARCH' }] },
    {
      ...untooled,
      rewrite: [['SEARCH', escaped('web_search')]],
    },
  ),
  responses(
    'asks an unpriced model for a search with an escaped name',
    { tools: [{ type: 'web_search' }] },
    {
      ...untooled,
      rewrite: [
        ['"type"', `"${escaped('type')}"`],
        ['"tools"', `"${escaped('tools')}"`],
      ],
    },
  ),
  ...['web_search_20250305', 'web_search_20991231', 'web_fetch_20250910', 'code_execution_20250825'].map((type) =>
    messages(`asks an unpriced model for ${type}`, [{ type, name: 'tool' }], untooled),
  ),
  ...[
    'googleSearch',
    'google_search',
    'googleSearchRetrieval',
    'enterpriseWebSearch',
    'googleMaps',
    'urlContext',
    'codeExecution',
    'fileSearch',
  ].map((name) => gemini(`asks an unpriced model for ${name}`, { [name]: {} }, untooled)),
  ...(['web_search_options', 'search_parameters'] as const).map((field) =>
    chat(`asks an unpriced model for a search by \`${field}\``, { [field]: {} }, untooled),
  ),
  chat('asks an unpriced model for a search by `plugins`', { plugins: [{ id: 'web' }] }, untooled),
  chat('asks an unpriced model for a search by `enable_search`', { enable_search: true }, untooled),
  chat('asks an unpriced model for a search by Groq', { tools: [{ type: 'browser_search' }] }, untooled),
]

export const TOOL_CASES: readonly MoneyCase[] = [...PRICED, ...UNPRICED]
