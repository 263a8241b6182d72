import type { ChatWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import type {
  ContentPart,
  FunctionTool,
  NeutralRequest,
  ToolResultPart,
  Turn,
} from '../../src/protocols/hub/neutral-request.ts'
import {
  RequestSettings,
  type RequestSettingName,
  type ClientSettings,
} from '../../src/protocols/hub/request-settings.ts'

/** One thing that a request may have, as the table in docs/translation.md lists it. */
export interface Feature {
  readonly name: string
  readonly request: NeutralRequest
  /** Fields by which a client asks for it that the writer for upstreams of the same wire does not send. */
  readonly asked?: Partial<Record<ChatWire, JsonObject>>
  /** Whether a request that was read back still has it. */
  has(request: NeutralRequest): boolean
}

const HELLO: Turn = userTurn({ kind: 'text', text: 'Hello', at: '' })
const TOOL: FunctionTool = {
  kind: 'function',
  name: 'read_file',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  isStrict: null,
  at: '',
}
const OTHER_TOOL: FunctionTool = { ...TOOL, name: 'write_file' }
const BASE64 = 'aGVsbG8='
const IMAGE: ContentPart = {
  kind: 'image',
  source: { kind: 'data', mediaType: 'image/png', base64: BASE64 },
  detail: null,
  at: '',
}

const STRICT_TOOL: FunctionTool = { ...TOOL, schema: { ...TOOL.schema, additionalProperties: false }, isStrict: true }
const CACHED_TEXT = { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }
const CHAT_TOOLS = ['read_file', 'write_file'].map((name) => ({ type: 'function', function: { name } }))
const CHAT_CHOICE = {
  type: 'allowed_tools',
  allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'read_file' } }] },
}

/** Features in the order of the table. */
export const FEATURES: readonly Feature[] = [
  said('text', HELLO),
  said('system message', { role: 'system', parts: [{ kind: 'text', text: 'Be brief.', at: '' }], at: '' }),
  said('developer message', { role: 'developer', parts: [{ kind: 'text', text: 'Be brief.', at: '' }], at: '' }),
  part('image, base64', IMAGE),
  part('image, URL', {
    ...IMAGE,
    source: { kind: 'url', url: 'https://pictures.example.test/a.png', mediaType: null },
  }),
  part('PDF, base64', {
    kind: 'file',
    source: { kind: 'data', mediaType: 'application/pdf', base64: BASE64 },
    name: 'a.pdf',
    at: '',
  }),
  part('PDF, URL', {
    kind: 'file',
    source: { kind: 'url', url: 'https://papers.example.test/a.pdf', mediaType: 'application/pdf' },
    name: null,
    at: '',
  }),
  part('audio, base64', {
    kind: 'audio',
    source: { kind: 'data', mediaType: 'audio/wav', base64: BASE64 },
    at: '',
  }),
  {
    ...part(
      'cache mark on a part',
      { kind: 'text', text: 'Hello', at: '', cache: { ttl: null } },
      (one) => 'cache' in one,
    ),
    asked: { 'openai-chat': { messages: [{ role: 'user', content: [CACHED_TEXT] }] } },
  },
  withTools('tools', {}, ({ tools }) => tools.length === 2),
  {
    ...withTools('strict tools', { tools: [STRICT_TOOL] }, ({ tools: [tool] }) => isStrict(tool)),
    asked: { 'anthropic-messages': { tools: [{ name: 'a', input_schema: STRICT_TOOL.schema, strict: true }] } },
  },
  {
    ...withTools('custom tools (text, no JSON)', {
      tools: [{ kind: 'custom', name: 'apply_patch', description: 'Edits.', grammar: null, at: '' }],
    }),
    asked: { 'openai-chat': { tools: [{ type: 'custom', custom: { name: 'apply_patch' } }] } },
  },
  {
    ...withTools('tools that the provider runs, beside others', {}, hasHosted),
    asked: {
      'openai-responses': { tools: [{ type: 'web_search' }, { type: 'function', name: 'a', parameters: {} }] },
      'anthropic-messages': {
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { name: 'a', input_schema: { type: 'object' } },
        ],
      },
      gemini: { tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'a' }] }] },
    },
  },
  {
    ...withTools('tools that the provider runs, alone', {}, hasHosted),
    asked: {
      'openai-chat': { web_search_options: {} },
      'openai-responses': { tools: [{ type: 'web_search' }] },
      'anthropic-messages': { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      gemini: { tools: [{ googleSearch: {} }] },
    },
  },
  withTools('tool choice: required', { toolChoice: { kind: 'required', at: '' } }, chose('required')),
  withTools('tool choice: none', { toolChoice: { kind: 'none', at: '' } }, chose('none')),
  withTools('tool choice: one', { toolChoice: { kind: 'one', name: 'read_file', at: '' } }, choosesOnly('read_file')),
  {
    ...withTools(
      'tool choice: some of them',
      { toolChoice: { kind: 'some', names: ['read_file'], isRequired: true, at: '' } },
      choosesOnly('read_file'),
    ),
    asked: { 'openai-chat': { tools: CHAT_TOOLS, tool_choice: CHAT_CHOICE } },
  },
  {
    ...setting('parallel tool calls off', 'parallelToolCalls', false),
    request: { ...setting('', 'parallelToolCalls', false).request, tools: [TOOL] },
  },
  result('tool results', [{ kind: 'text', text: 'It says hi.', at: '' }], false),
  result('tool results that are errors', [{ kind: 'text', text: 'No such file.', at: '' }], true),
  result('tool results with images', [{ kind: 'text', text: 'Here.', at: '' }, IMAGE], false),
  setting('JSON schema', 'format', {
    kind: 'schema',
    name: 'answer',
    description: null,
    schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    isStrict: true,
  }),
  setting('JSON without a schema', 'format', { kind: 'json' }),
  setting('reasoning effort', 'reasoning', { effort: 'high', budgetTokens: null, isShown: true }),
  setting('reasoning budget in tokens', 'reasoning', { effort: null, budgetTokens: 8_192, isShown: true }),
  {
    ...setting('reasoning off', 'reasoning', { effort: 'none', budgetTokens: null, isShown: null }),
    asked: { 'openai-chat': { reasoning_effort: 'none' }, 'anthropic-messages': { thinking: { type: 'disabled' } } },
  },
  setting('output limit', 'maxOutputTokens', 100),
  setting('temperature', 'temperature', 0.5),
  setting('top_p', 'topP', 0.5),
  { ...setting('top_k', 'topK', 40), asked: { 'openai-chat': { top_k: 40 } } },
  setting('frequency penalty', 'frequencyPenalty', 0.5),
  setting('presence penalty', 'presencePenalty', 0.5),
  setting('seed', 'seed', 7),
  setting('stop sequences', 'stop', ['END']),
  setting('n', 'choices', 2),
  setting('logprobs', 'logprobs', 3),
  setting('logit_bias', 'logitBias', { '50256': -100 }),
  { ...setting('verbosity', 'verbosity', 'low'), asked: { 'openai-chat': { verbosity: 'low' } } },
  {
    ...setting('service_tier', 'serviceClass', 'flex'),
    asked: { 'openai-chat': { service_tier: 'flex' }, 'anthropic-messages': { service_tier: 'standard_only' } },
  },
  setting('end user', 'user', 'user-1'),
  { ...setting('metadata', 'metadata', { order: '7' }), asked: { 'openai-chat': { metadata: { order: '7' } } } },
  {
    ...setting('prompt cache key', 'cacheKey', 'thread-1'),
    asked: { 'openai-chat': { prompt_cache_key: 'thread-1' } },
  },
]

function request(change: Partial<NeutralRequest>): NeutralRequest {
  return { turns: [HELLO], tools: [], toolChoice: null, settings: new RequestSettings(), ...change }
}

function userTurn(...parts: (ContentPart | ToolResultPart)[]): Turn {
  return { role: 'user', parts, at: '' }
}

function said(name: string, turn: Turn): Feature {
  const turns = turn === HELLO ? [HELLO] : [turn, HELLO]
  const text = JSON.stringify(turn).includes('Be brief') ? 'Be brief.' : 'Hello'
  return { name, request: request({ turns }), has: (got) => JSON.stringify(got.turns).includes(text) }
}

function part(name: string, one: ContentPart, keeps: (got: ContentPart) => boolean = () => true): Feature {
  const text: ContentPart = { kind: 'text', text: 'Look', at: '' }
  const has = (got: NeutralRequest) =>
    got.turns.some(
      ({ role, parts }) =>
        role === 'user' &&
        parts.some((each) => {
          if (each.kind !== one.kind || !keeps(each)) return false
          const source = 'source' in one ? one.source : null
          const gotSource = 'source' in each ? each.source : null
          return source === null || gotSource?.kind === source.kind
        }),
    )
  return { name, request: request({ turns: [userTurn(text, one)] }), has }
}

function withTools(
  name: string,
  change: Partial<NeutralRequest>,
  has: (got: NeutralRequest) => boolean = ({ tools }) => tools.length > 0,
): Feature {
  return { name, request: request({ tools: [TOOL, OTHER_TOOL], ...change }), has }
}

function isStrict(tool: NeutralRequest['tools'][number] | undefined): boolean {
  return tool?.kind === 'function' && tool.isStrict === true
}

function chose(kind: string): (got: NeutralRequest) => boolean {
  return ({ toolChoice }) => toolChoice?.kind === kind
}

function hasHosted({ tools }: NeutralRequest): boolean {
  return tools.some(({ kind }) => kind === 'hosted')
}

/** Whether only this tool can be called: by name, or because the model is given no other. */
function choosesOnly(only: string): (got: NeutralRequest) => boolean {
  const isOnly = (tools: NeutralRequest['tools']) => tools.map(({ name }) => name).join() === only
  return ({ toolChoice, tools }) =>
    (toolChoice?.kind === 'required' && isOnly(tools)) ||
    (toolChoice?.kind === 'one' && toolChoice.name === only) ||
    (toolChoice?.kind === 'some' && toolChoice.names.join() === only)
}

function setting<Name extends RequestSettingName>(name: string, key: Name, value: ClientSettings[Name]): Feature {
  const settings = new RequestSettings()
  settings.say(key, value, name)
  return { name, request: request({ settings }), has: (got) => got.settings.get(key) !== null }
}

function result(name: string, parts: readonly ContentPart[], isError: boolean): Feature {
  const call = { kind: 'tool_call', id: 'call_1', name: 'read_file', input: '{"path":"a"}', isCustom: false } as const
  const turns: Turn[] = [
    HELLO,
    { role: 'assistant', parts: [{ ...call, at: '' }], at: '' },
    userTurn({ kind: 'tool_result', callId: 'call_1', parts, isError, at: '' }),
  ]
  const kinds = parts.map(({ kind }) => kind)
  const has = (got: NeutralRequest) => {
    const all = got.turns.flatMap((turn) => (turn.role === 'user' ? turn.parts : []))
    const found = all.find((each) => each.kind === 'tool_result')
    const inside = [...(found?.parts ?? []), ...all].map(({ kind }) => kind)
    return found !== undefined && kinds.every((kind) => inside.includes(kind))
  }
  return { name, request: request({ turns, tools: [TOOL] }), has }
}
