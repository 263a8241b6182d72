/** Input that is not in the body: named elsewhere, or read by tools that the provider runs. */
import { escaped, type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const SHORT = 'Write 20 words.'
const PDF = Buffer.from('%PDF-1.7 /Type /Pages /Count 60 ').toString('base64')
const FILM = Buffer.from('ftypisom seconds=300 ').toString('base64')
const one = { bound: 'one' } as const

function responses(name: string, fields: object, details: Parameters<typeof moneyCase>[2] = {}): MoneyCase {
  return moneyCase(
    ['belief', 'responses', name],
    { input: SHORT, max_output_tokens: 64, ...fields },
    { ...one, ...details },
  )
}

function item(part: object): object {
  return { input: [{ role: 'user', content: [{ type: 'input_text', text: SHORT }, part] }] }
}

function chat(name: string, fields: object, details: Parameters<typeof moneyCase>[2] = {}): MoneyCase {
  return moneyCase(['belief', 'chat', name], { ...said(SHORT), max_tokens: 64, ...fields }, { ...one, ...details })
}

function messages(name: string, fields: object, details: Parameters<typeof moneyCase>[2] = {}): MoneyCase {
  return moneyCase(['belief', 'messages', name], { ...said(SHORT), max_tokens: 64, ...fields }, { ...one, ...details })
}

function withPart(part: object): object {
  return said([{ type: 'text', text: SHORT }, part])
}

function gemini(name: string, fields: object, details: Parameters<typeof moneyCase>[2] = {}): MoneyCase {
  const config = { generationConfig: { maxOutputTokens: 64 } }
  return moneyCase(
    ['belief', 'gemini', name],
    { ...parts({ text: SHORT }), ...config, ...fields },
    { ...one, ...details },
  )
}

const SEARCH = 'Search 2 times. Write 20 words.'
const picture = (url: string): object => ({ type: 'image_url', image_url: { url } })
const earlier = { previous_response_id: 'resp_120000' }

export const BELIEF_CASES: readonly MoneyCase[] = [
  responses('goes on from an earlier answer', earlier),
  responses('goes on from an earlier answer, streamed', earlier, { isStream: true }),
  responses('`previous_response_id` with an escaped underscore', earlier, {
    rewrite: [['previous_response', String.raw`previous\u005fresponse`]],
  }),
  responses('`previous_response_id` with every letter escaped', earlier, {
    rewrite: [['previous_response_id', escaped('previous_response_id')]],
  }),
  responses('names a conversation', { conversation: 'conv_90000' }),
  responses(
    'names a conversation by an object, escaped',
    { conversation: { id: 'conv_90000' } },
    {
      rewrite: [['"conversation"', `"${escaped('conversation')}"`]],
    },
  ),
  responses('refers to an item', { input: [{ type: 'item_reference', id: 'msg_50000' }] }),
  responses('refers to an item and leaves its type out', { input: [{ id: 'msg_50000' }] }),
  responses(
    'refers to an item with an escaped type',
    { input: [{ type: 'item_reference', id: 'msg_50000' }] },
    {
      rewrite: [['item_reference', String.raw`item\u005freference`]],
    },
  ),
  responses('names a stored prompt', { input: [], prompt: { id: 'pmpt_60000' } }),
  responses('names a stored file', item({ type: 'input_file', file_id: 'file_80000' })),
  responses('names a stored file with an escaped name', item({ type: 'input_file', file_id: 'file_80000' }), {
    rewrite: [['file_id', escaped('file_id')]],
  }),
  responses('names a file by its URL', item({ type: 'input_file', file_url: 'https://x.test/80000' })),
  responses('names a picture by its URL', item({ type: 'input_image', image_url: 'https://x.test/p/30000' })),
  responses('searches the web twice', { input: SEARCH, tools: [{ type: 'web_search' }] }),
  responses(
    'searches the web with an escaped name',
    { input: SEARCH, tools: [{ type: 'web_search' }] },
    {
      rewrite: [['web_search', String.raw`web\u005fsearch`]],
    },
  ),
  responses('searches a vector store', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }),
  responses('runs code', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }),
  responses('calls a remote MCP server', {
    tools: [{ type: 'mcp', server_label: 'docs', server_url: 'https://x.test/mcp' }],
  }),
  responses('calls an MCP connector', {
    tools: [{ type: 'mcp', server_label: 'mail', connector_id: 'connector_mail' }],
  }),
  responses('runs a hosted shell', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }),
  responses(
    'sends a PDF with many empty pages',
    item({ type: 'input_file', file_data: `data:application/pdf;base64,${PDF}` }),
  ),
  responses('names more than the model can read', { previous_response_id: 'resp_250000' }, { rule: 'beyond-context' }),

  chat('names a picture by its URL', withPart(picture('https://x.test/p/30000'))),
  chat('names a picture with an escaped name', withPart(picture('https://x.test/p/30000')), {
    rewrite: [
      ['image_url', escaped('image_url')],
      ['"url"', `"${escaped('url')}"`],
    ],
  }),
  chat(
    'names twenty pictures',
    said(Array.from({ length: 20 }, (_, index) => picture(`https://x.test/${index}/1500`))),
  ),
  chat('names a stored file', withPart({ type: 'file', file: { file_id: 'file_80000' } })),
  chat('names a film by its URL', withPart({ type: 'video_url', video_url: { url: 'https://x.test/v/60000' } })),
  chat('searches the web by `web_search_options`', { ...said(SEARCH), web_search_options: {} }),
  chat('searches the web by `plugins`', { ...said(SEARCH), plugins: [{ id: 'web' }] }),
  chat('searches the web by `search_parameters`', { ...said(SEARCH), search_parameters: { mode: 'on' } }),
  chat('searches the web by `enable_search`', { ...said(SEARCH), enable_search: true }),

  messages(
    'names a picture by its URL',
    withPart({ type: 'image', source: { type: 'url', url: 'https://x.test/30000' } }),
  ),
  messages(
    'names a document by its URL',
    withPart({ type: 'document', source: { type: 'url', url: 'https://x.test/90000' } }),
  ),
  messages('names a stored file', withPart({ type: 'document', source: { type: 'file', file_id: 'file_80000' } })),
  messages(
    'names a stored file with an escaped name',
    withPart({ type: 'document', source: { type: 'file', file_id: 'file_80000' } }),
    { rewrite: [['file_id', String.raw`file\u005fid`]] },
  ),
  messages('searches the web twice', { ...said(SEARCH), tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
  messages('fetches pages', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }),
  messages('runs code', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }),
  messages('calls a remote MCP server', {
    mcp_servers: [{ type: 'url', url: 'https://x.test/mcp/5000', name: 'docs' }],
  }),
  messages('names a container with files', { container: 'container_40000' }),
  messages(
    'sends a PDF with many empty pages',
    withPart({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }),
  ),

  gemini('names a stored file', parts({ text: SHORT }, { fileData: { fileUri: 'https://x.test/files/80000' } })),
  gemini(
    'names a stored file in snake case',
    parts({ text: SHORT }, { file_data: { file_uri: 'https://x.test/80000' } }),
  ),
  gemini('names cached content', { cachedContent: 'cachedContents/400000' }, { rule: 'beyond-context' }),
  gemini(
    'names cached content in snake case, escaped',
    { cached_content: 'cachedContents/150000' },
    {
      rewrite: [['cached_content', escaped('cached_content')]],
    },
  ),
  gemini('searches with Google twice', { ...parts({ text: SEARCH }), tools: [{ googleSearch: {} }] }),
  gemini(
    'searches with Google in snake case, escaped',
    { ...parts({ text: SEARCH }), tools: [{ google_search: {} }] },
    {
      rewrite: [['google_search', String.raw`google\u005fsearch`]],
    },
  ),
  gemini('reads pages by their URL', { tools: [{ urlContext: {} }] }),
  gemini('runs code', { tools: [{ codeExecution: {} }] }),
  gemini('searches a file store', { tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] }),
  gemini('asks Google Maps', { tools: [{ googleMaps: {} }] }),
  gemini('sends a film of few bytes', parts({ text: SHORT }, { inlineData: { mimeType: 'video/mp4', data: FILM } })),
]
