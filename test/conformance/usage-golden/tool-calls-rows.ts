import type { GoldenRow } from './golden-row.ts'

/**
 * Calls of tools that the provider runs: fifty searches on each wire, and what others have counted wrongly, by the number of their
 * report. Sums in nano-USD, by hand. Fees as published, November 2026: Anthropic and OpenAI $10 for 1,000 searches, OpenAI $0.03 a
 * container, xAI $5 for 1,000 calls of a tool, Gemini 3 $14 for 1,000 searches; Groq's are examples.
 */

const SONNET = {
  input: '3',
  output: '15',
  per_call: { web_search: '0.01', web_fetch: '0', code_interpreter: '0.0042' },
}
const GPT = { input: '2.50', output: '15', per_call: { web_search: '0.01', code_interpreter: '0.03' } }
const GROK = {
  input: '3',
  output: '15',
  per_call: { web_search: '0.005', x_search: '0.005', code_interpreter: '0.005', document_search: '0.01' },
}
const GEMINI_25 = { input: '1.25', output: '10', per_call: { grounded_prompt: '0.035', web_fetch: '0' } }
const GEMINI_3 = {
  input: '2',
  output: '12',
  per_call: { web_search: '0.014', web_fetch: '0.001', code_interpreter: '0.002' },
}
const ONLY_TOKENS = { input: '3', output: '15' }

const FIFTY = Array.from({ length: 50 }, (_, index) => index)

function messages(blocks: readonly string[], usage: string): Pick<GoldenRow, 'answer' | 'events'> {
  return {
    answer: `{"type":"message","content":[${[...blocks, `{"type":"text","text":"Hello"}`].join()}],"usage":{"input_tokens":1000,"output_tokens":300,${usage}}}`,
    events: [
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":1000,"output_tokens":1}}}`,
      ...blocks.flatMap((block, index) => [
        `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${block}}`,
        `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}`,
      ]),
      `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":300,${usage}}}`,
      `event: message_stop\ndata: {"type":"message_stop"}`,
    ],
  }
}

function serverTool(id: string, name: string): string {
  return `{"type":"server_tool_use","id":"${id}","name":"${name}","input":{}}`
}

const ANTHROPIC_SEARCHES = messages(
  FIFTY.map((index) => serverTool(`s${index}`, 'web_search')),
  `"server_tool_use":{"web_search_requests":50,"web_fetch_requests":0}`,
)

export const TOOL_MESSAGES_ROWS: readonly GoldenRow[] = [
  {
    what: 'fifty searches (BerriAI/litellm#31355)',
    price: SONNET,
    ...ANTHROPIC_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50 } },
    sum: '1000 × 3000 + 300 × 15000 + 50 × 10000000 = 507500000',
  },
  {
    what: 'fifty searches at a multiplier',
    price: SONNET,
    multiplier: '1.25',
    ...ANTHROPIC_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50 } },
    sum: '1000 × 3000 + 300 × 15000 + 50 × 10000000 = 507500000; × 1.25 = 634375000',
  },
  {
    what: 'fifty searches of a model without a fee are not charged, and noted (WordPress/ai-provider-for-anthropic#41)',
    price: ONLY_TOKENS,
    ...ANTHROPIC_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50 } },
    notes: ['calls_unpriced'],
    sum: '1000 × 3000 + 300 × 15000 = 7500000',
  },
  {
    what: 'pages that are fetched for a fee of 0 cost their tokens, and that is meant so',
    price: SONNET,
    ...messages([serverTool('f1', 'web_fetch')], `"server_tool_use":{"web_search_requests":0,"web_fetch_requests":1}`),
    tokens: { input: 1000, output: 300, calls: { web_fetch: 1 } },
    sum: '1000 × 3000 + 300 × 15000 + 1 × 0 = 7500000',
  },
  {
    what: 'code that ran in one container, however often, which no usage counts',
    price: SONNET,
    ...messages(
      [
        serverTool('b1', 'bash_code_execution'),
        serverTool('b2', 'text_editor_code_execution'),
        serverTool('b3', 'code_execution'),
      ],
      `"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0}`,
    ),
    tokens: { input: 1000, output: 300, calls: { code_interpreter: 1 } },
    sum: '1000 × 3000 + 300 × 15000 + 1 × 4200000 = 11700000',
  },
  {
    what: 'a tool that the gateway does not know is noted',
    price: SONNET,
    ...messages(
      [serverTool('t1', 'tool_search_tool_regex'), serverTool('t2', 'teleport')],
      `"server_tool_use":{"tool_search_requests":3}`,
    ),
    tokens: { input: 1000, output: 300, calls: { other_tool: 1 } },
    notes: ['calls_unpriced'],
    sum: '1000 × 3000 + 300 × 15000 = 7500000',
  },
  {
    what: 'a tool that the gateway does not know is charged where unknown ones have a fee',
    price: { ...ONLY_TOKENS, per_call: { other_tool: '0.02' } },
    usage: `{"input_tokens":1000,"output_tokens":300,"server_tool_use":{"teleport_requests":2,"tool_search_requests":3}}`,
    tokens: { input: 1000, output: 300, calls: { other_tool: 2 } },
    sum: '1000 × 3000 + 300 × 15000 + 2 × 20000000 = 47500000',
  },
]

function responses(items: readonly string[], usage = ''): Pick<GoldenRow, 'answer' | 'events'> {
  const output = [...items, `{"id":"m_1","type":"message","content":[{"type":"output_text","text":"Hello"}]}`]
  const report = `"usage":{"input_tokens":1000,"output_tokens":300${usage}}`
  return {
    answer: `{"id":"r","status":"completed","output":[${output.join()}],${report}}`,
    events: [
      `event: response.created\ndata: {"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}`,
      ...output.map(
        (item, index) =>
          `event: response.output_item.done\ndata: {"type":"response.output_item.done","output_index":${index},"item":${item}}`,
      ),
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","output":[${output.join()}],${report}}}`,
    ],
  }
}

const OPENAI_SEARCHES = responses(
  FIFTY.map(
    (index) =>
      `{"id":"ws_${index}","type":"web_search_call","status":"completed","action":{"type":"search","query":"a"}}`,
  ),
)

export const TOOL_RESPONSES_ROWS: readonly GoldenRow[] = [
  {
    what: 'fifty searches (BerriAI/litellm#31316, earendil-works/pi#1432)',
    price: GPT,
    ...OPENAI_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50 } },
    sum: '1000 × 2500 + 300 × 15000 + 50 × 10000000 = 507000000',
  },
  {
    what: 'fifty searches at a multiplier',
    price: GPT,
    multiplier: '0.8',
    ...OPENAI_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50 } },
    sum: '1000 × 2500 + 300 × 15000 + 50 × 10000000 = 507000000; × 0.8 = 405600000',
  },
  {
    what: 'a search that was offered and not made costs nothing (BerriAI/litellm#10384)',
    price: GPT,
    request: { fields: { tools: [{ type: 'web_search', search_context_size: 'medium' }] } },
    ...responses([]),
    tokens: { input: 1000, output: 300 },
    sum: '1000 × 2500 + 300 × 15000 = 7000000',
  },
  {
    what: 'shells in a container cost the container, those of the client nothing',
    price: GPT,
    ...responses([
      `{"id":"sh_1","type":"shell_call","status":"completed","environment":{"type":"container_reference","container_id":"cntr_1"}}`,
      `{"id":"sh_2","type":"shell_call","status":"completed","environment":{"type":"container_reference","container_id":"cntr_1"}}`,
      `{"id":"sh_3","type":"shell_call","status":"completed","environment":{"type":"local"}}`,
    ]),
    tokens: { input: 1000, output: 300, calls: { code_interpreter: 1 } },
    sum: '1000 × 2500 + 300 × 15000 + 1 × 30000000 = 37000000',
  },
  {
    what: 'calls that xAI reports in its usage, not twice what stands in the items too (BerriAI/litellm#30817)',
    price: GROK,
    ...responses(
      [`{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"a"}}`],
      `,"num_sources_used":0,"server_side_tool_usage_details":{"web_search_calls":2,"x_search_calls":3,"code_interpreter_calls":1,"file_search_calls":0,"mcp_calls":4,"document_search_calls":1}`,
    ),
    tokens: {
      input: 1000,
      output: 300,
      calls: { web_search: 2, x_search: 3, code_interpreter: 1, document_search: 1 },
    },
    sum: '1000 × 3000 + 300 × 15000 + 2 × 5000000 + 3 × 5000000 + 1 × 5000000 + 1 × 10000000 = 47500000',
  },
]

function chat(message: string, usage = ''): Pick<GoldenRow, 'answer' | 'events'> {
  const report = `"usage":{"prompt_tokens":1000,"completion_tokens":300${usage}}`
  return {
    answer: `{"id":"c","choices":[{"index":0,"message":{"content":"Hello",${message}}}],${report}}`,
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{${message}},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
      `data: {"id":"c","choices":[],${report}}`,
      `data: [DONE]`,
    ],
  }
}

export const TOOL_CHAT_ROWS: readonly GoldenRow[] = [
  {
    what: 'tools that Groq ran, of which its usage says nothing (BerriAI/litellm#34971)',
    price: { ...ONLY_TOKENS, per_call: { web_search: '0.005', web_fetch: '0.001', code_interpreter: '0.0002' } },
    ...chat(
      `"executed_tools":[{"index":0,"type":"browser.search"},{"index":1,"type":"search"},{"index":2,"type":"visit"},{"index":3,"type":"python"}]`,
    ),
    tokens: { input: 1000, output: 300, calls: { web_search: 2, web_fetch: 1, code_interpreter: 1 } },
    sum: '1000 × 3000 + 300 × 15000 + 2 × 5000000 + 1 × 1000000 + 1 × 200000 = 18700000',
  },
  {
    what: 'files that OpenRouter parsed, each once, and the sources of one search',
    price: { ...ONLY_TOKENS, per_call: { web_search: '0.02', file_parsing: '0.01' } },
    ...chat(
      `"annotations":[{"type":"file","file":{"hash":"a"}},{"type":"file","file":{"hash":"a"}},{"type":"url_citation"},{"type":"url_citation"}]`,
    ),
    tokens: { input: 1000, output: 300, calls: { file_parsing: 1, web_search: 1 } },
    sum: '1000 × 3000 + 300 × 15000 + 1 × 10000000 + 1 × 20000000 = 37500000',
  },
  {
    what: 'searches that a price for the request pays for are not noted',
    price: { ...ONLY_TOKENS, per_request: '0.005' },
    usage: `{"prompt_tokens":1000,"completion_tokens":300,"num_search_queries":2}`,
    tokens: {
      input: 1000,
      output: 300,
      calls: { web_search: 2 },
      units: { requests: 1, images: null, seconds: null, characters: null },
    },
    sum: '1000 × 3000 + 300 × 15000 + 1 × 5000000 = 12500000',
  },
  {
    what: 'searches of a model that is served for nothing are not noted',
    price: { input: '0', output: '0' },
    usage: `{"prompt_tokens":1000,"completion_tokens":300,"num_search_queries":2}`,
    tokens: { input: 1000, output: 300, calls: { web_search: 2 } },
    sum: '1000 × 0 + 300 × 0 = 0',
  },
]

function gemini(candidate: string): Pick<GoldenRow, 'answer' | 'events'> {
  const usage = `"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":300}`
  return {
    answer: `{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP",${candidate}}],${usage}}`,
    events: [
      `data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]},${candidate}}]}`,
      `data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],${usage}}`,
    ],
  }
}

const GOOGLE_SEARCHES = gemini(
  `"groundingMetadata":{"webSearchQueries":[${[...FIFTY, 7, 8].map((index) => `"query ${index}"`).join()},""]}`,
)
const PAGES = `"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://a.test/","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},{"retrievedUrl":"https://b.test/","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.test/"}}]}`

export const TOOL_GEMINI_ROWS: readonly GoldenRow[] = [
  {
    what: 'fifty queries, each once and empty ones never (BerriAI/litellm#36377)',
    price: GEMINI_3,
    ...GOOGLE_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50, grounded_prompt: 1 } },
    sum: '1000 × 2000 + 300 × 12000 + 50 × 14000000 = 705600000',
  },
  {
    what: 'fifty queries at a multiplier',
    price: GEMINI_3,
    multiplier: '2',
    ...GOOGLE_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50, grounded_prompt: 1 } },
    sum: '1000 × 2000 + 300 × 12000 + 50 × 14000000 = 705600000; × 2 = 1411200000',
  },
  {
    what: 'fifty queries are one grounded prompt, and have a price by it',
    price: GEMINI_25,
    ...GOOGLE_SEARCHES,
    tokens: { input: 1000, output: 300, calls: { web_search: 50, grounded_prompt: 1 } },
    sum: '1000 × 1250 + 300 × 10000 + 1 × 35000000 = 39250000',
  },
  {
    what: 'pages that it was sent to are fetched and not searched for (BerriAI/litellm#26253)',
    price: GEMINI_3,
    ...gemini(PAGES),
    tokens: { input: 1000, output: 300, calls: { web_fetch: 1 } },
    sum: '1000 × 2000 + 300 × 12000 + 1 × 1000000 = 6600000',
  },
  {
    what: 'code that it ran, and a store that it searched without a fee',
    price: GEMINI_3,
    answer: `{"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{}},{"executableCode":{"language":"PYTHON","code":"2"}},{"text":"Hello"}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"retrievedContext":{}}]}}],"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":300}}`,
    events: [
      `data: {"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"1"}}]}}]}`,
      `data: {"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"2"}},{"text":"Hello"}]},"groundingMetadata":{"groundingChunks":[{"retrievedContext":{}}]}}]}`,
      `data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":300}}`,
    ],
    tokens: { input: 1000, output: 300, calls: { code_interpreter: 2, file_search: 1 } },
    notes: ['calls_unpriced'],
    sum: '1000 × 2000 + 300 × 12000 + 2 × 2000000 = 9600000',
  },
]
