import { EFFORTS, type FactName } from '../../../src/models/facts.ts'
import type { JsonObject } from '../../../src/protocols/json/json-object.ts'
import type {
  AssistantPart,
  FunctionTool,
  NeutralRequest,
  ToolChoice,
  Turn,
  UserPart,
} from '../../../src/protocols/hub/neutral-request.ts'
import { type Effort, RequestSettings, type ClientSettings } from '../../../src/protocols/hub/request-settings.ts'

type Said = Partial<ClientSettings>
interface Wish {
  readonly settings?: Said
  readonly turns?: readonly Turn[]
  readonly tools?: readonly FunctionTool[]
  readonly toolChoice?: ToolChoice | null
}

const AT = { at: '' }
const HELLO: Turn = user({ kind: 'text', text: 'Hello', ...AT })
const REQUIRED: ToolChoice = { kind: 'required', at: 'tool_choice' }
const PATH = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const TOOL = toolWith(PATH)
const CALL: AssistantPart = {
  kind: 'tool_call',
  id: 'call_0123456789abcdef',
  name: 'read_file',
  input: '{"path":"a"}',
  isCustom: false,
  ...AT,
}
const RESULT: UserPart = {
  kind: 'tool_result',
  callId: 'call_0123456789abcdef',
  parts: [{ kind: 'text', text: 'ok', ...AT }],
  isError: false,
  ...AT,
}
const CALLED: readonly Turn[] = [HELLO, assistant(CALL), user(RESULT)]

/** The requests by which a client asks for what the fact is about: each is refused by a provider that does not take it. */
export const WISHES: Readonly<Record<FactName, readonly Wish[]>> = {
  reasoning: [thinking('high'), { settings: { reasoning: { effort: null, budgetTokens: 5_000, isShown: true } } }],
  efforts: EFFORTS.map((effort) => thinking(effort)),
  budget_least: [budget(1), budget(500)],
  budget_most: [budget(900_000), { settings: { ...budget(30_000).settings, maxOutputTokens: 20_000 } }],
  reasoning_off: [thinking('none'), budget(0)],
  reasons_unasked: [{}],
  forced_call: [
    { tools: [TOOL], toolChoice: REQUIRED },
    { tools: [TOOL], toolChoice: REQUIRED, ...thinking('high') },
    { tools: [TOOL], toolChoice: { kind: 'one', name: 'read_file', at: 'tool_choice' }, ...budget(4_000) },
  ],
  past_reasoning: [
    { turns: CALLED, tools: [TOOL] },
    { turns: [HELLO, assistant(thought(), CALL), user(RESULT)], tools: [TOOL] },
  ],
  hidden_reasoning: [{ settings: { reasoning: { effort: 'high', budgetTokens: null, isShown: false } } }],
  signed_calls: [{ turns: CALLED, tools: [TOOL] }],
  media_in_results: [
    { turns: [HELLO, assistant(CALL), user({ ...RESULT, parts: [picture('image/png')] })], tools: [TOOL] },
  ],
  temperature: [setting({ temperature: 0.3 }), { settings: { temperature: 0.3, ...thinking('high').settings } }],
  temperature_least: [setting({ temperature: 0 })],
  temperature_most: [setting({ temperature: 1.95 })],
  top_p: [setting({ topP: 0.5 }), { settings: { topP: 0.5, ...thinking('low').settings } }],
  top_p_least_while_reasoning: [{ settings: { topP: 0.97, ...thinking('high').settings } }],
  temperature_with_top_p: [setting({ temperature: 0.3, topP: 0.9 })],
  top_k: [setting({ topK: 20 }), { settings: { topK: 20, ...thinking('high').settings } }],
  penalties: [setting({ frequencyPenalty: 0.5 }), setting({ presencePenalty: 0.5 })],
  seed: [setting({ seed: 7 })],
  logit_bias: [setting({ logitBias: { '50256': -100 } })],
  logprobs: [setting({ logprobs: 2 })],
  choices: [setting({ choices: 2 })],
  stops: [
    setting({ stop: ['END'] }),
    setting({ stop: ['a1', 'b2'] }),
    setting({ stop: ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'] }),
  ],
  blank_stops: [setting({ stop: ['\n\n'] }), setting({ stop: ['END', ' '] })],
  chat_tools: [{ tools: [TOOL] }, { tools: [TOOL], ...thinking('medium') }],
  tools_with_format: [{ tools: [TOOL], settings: { format: schemaFormat(PATH) } }],
  format_while_reasoning: [{ settings: { format: schemaFormat(PATH), ...thinking('high').settings } }],
  most_tools: [{ tools: [TOOL] }, { tools: many(130, false) }],
  most_strict_tools: [{ tools: many(21, true) }],
  strict_tools: [{ tools: [{ ...toolWith({ ...PATH, additionalProperties: false }), isStrict: true }] }],
  parallel_tool_calls: [{ tools: [TOOL], settings: { parallelToolCalls: false } }],
  tool_schema: [
    toolOf({}),
    toolOf({ type: 'object' }),
    toolOf({ anyOf: [PATH, { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] }] }),
    toolOf({ type: 'object', properties: { list: { type: 'array' }, nested: { type: 'object' } } }),
    toolOf({
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
    }),
    toolOf({ type: 'object', properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }] } } }),
    toolOf({ type: 'object', properties: { either: { type: 'string', anyOf: [{ minLength: 1 }, { enum: ['a'] }] } } }),
    toolOf({
      type: 'object',
      properties: { point: { $ref: '#/$defs/point', description: 'where', default: null } },
      $defs: { point: PATH },
    }),
  ],
  call_ids: [{ turns: CALLED, tools: [TOOL] }],
  cache_points: [
    { turns: [user({ kind: 'text', text: 'Hello', cache: { ttl: null }, ...AT })] },
    { tools: [{ ...TOOL, cache: { ttl: '1h' } }] },
  ],
  extra_fields: [setting({ topK: 20 }), thinking('high'), budget(4_000)],
  streamed_tools: [{ tools: [TOOL] }],
  format: [setting({ format: schemaFormat(PATH) }), setting({ format: { kind: 'json' } })],
  schema_bounds: [
    setting({
      format: schemaFormat({
        type: 'object',
        properties: {
          age: { type: 'integer', minimum: 0, maximum: 120 },
          tags: { type: 'array', maxItems: 3, items: {} },
        },
      }),
    }),
    {
      tools: [
        { ...toolWith({ type: 'object', properties: { name: { type: 'string', maxLength: 9 } } }), isStrict: true },
      ],
    },
  ],
  open_objects: [
    setting({ format: schemaFormat({ ...PATH, additionalProperties: true }) }),
    setting({ format: schemaFormat({ type: 'object', properties: { of: { type: 'array', items: PATH } } }) }),
  ],
  prefill: [{ turns: [HELLO, assistant({ kind: 'text', text: 'Once upon', ...AT })] }],
  system_role: [{ turns: [system('Be brief.'), HELLO] }],
  system_messages: [{ turns: [system('Be brief.'), HELLO, system('Be kind.'), HELLO] }],
  empty_content: [{ turns: CALLED, tools: [TOOL] }],
  image_types: ['image/png', 'image/gif', 'image/heic'].map((type) => ({ turns: [user(picture(type))] })),
  limit_field: [setting({ maxOutputTokens: 100 })],
  most_output: [setting({ maxOutputTokens: 10_000_000 })],
  stream_options: [{}],
  encrypted_reasoning: [{}, thinking('high')],
  service_tier: [setting({ serviceClass: 'flex' })],
  verbosity: [setting({ verbosity: 'low' })],
  user: [setting({ user: 'user-1' })],
  cache_key: [setting({ cacheKey: 'a-conversation' })],
}

/** The whole request of a wish. */
export function requestOf({ settings = {}, turns = [HELLO], tools = [], toolChoice = null }: Wish): NeutralRequest {
  const said = new RequestSettings()
  for (const [name, value] of Object.entries(settings)) said.say(name as keyof ClientSettings, value, name)
  return { turns, tools, toolChoice, settings: said }
}

function setting(settings: Said): Wish {
  return { settings }
}

function thinking(effort: Effort): { readonly settings: Said } {
  return { settings: { reasoning: { effort, budgetTokens: null, isShown: null } } }
}

function budget(budgetTokens: number): { readonly settings: Said } {
  return { settings: { reasoning: { effort: null, budgetTokens, isShown: null } } }
}

function schemaFormat(schema: JsonObject): ClientSettings['format'] {
  return { kind: 'schema', name: 'answer', description: null, schema, isStrict: null }
}

function toolWith(schema: JsonObject): FunctionTool {
  return { kind: 'function', name: 'read_file', description: 'Reads a file.', schema, isStrict: null, ...AT }
}

function toolOf(schema: JsonObject): Wish {
  return { tools: [toolWith(schema)] }
}

function many(count: number, isStrict: boolean): readonly FunctionTool[] {
  return Array.from({ length: count }, (_, index) => ({ ...TOOL, name: `tool_${index}`, isStrict: isStrict || null }))
}

function picture(mediaType: string) {
  return { kind: 'image', source: { kind: 'data', mediaType, base64: 'aGVsbG8=' }, detail: null, ...AT } as const
}

function thought(): AssistantPart {
  return { kind: 'reasoning', text: 'Let me see.', opaque: { vendor: 'chat', data: '' }, ...AT }
}

function user(...parts: readonly UserPart[]): Turn {
  return { role: 'user', parts, at: '' }
}

function assistant(...parts: readonly AssistantPart[]): Turn {
  return { role: 'assistant', parts, at: '' }
}

function system(text: string): Turn {
  return { role: 'system', parts: [{ kind: 'text', text, at: '' }], at: '' }
}
