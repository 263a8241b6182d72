import type { HubWire } from '../../../src/core/wire.ts'
import { isObject, type JsonObject } from '../../../src/protocols/json/json-object.ts'

/** A request as an upstream gets it, in the words of no wire: what a strict provider looks at. */
export interface SentRequest {
  readonly temperature: number | null
  readonly topP: number | null
  readonly topK: number | null
  readonly penalties: readonly number[]
  readonly seed: number | null
  readonly logitBias: boolean
  readonly logprobs: boolean
  readonly choices: number
  readonly stops: readonly string[]
  readonly reasoning: SentReasoning
  readonly tools: readonly SentTool[]
  readonly isCallForced: boolean
  readonly isParallelSaid: boolean
  readonly format: { readonly kind: 'json' | 'schema'; readonly schema: JsonObject } | null
  readonly output: { readonly field: string; readonly tokens: number } | null
  readonly messages: readonly SentMessage[]
  /** Names of fields at the top. */
  readonly fields: ReadonlySet<string>
  readonly include: readonly string[]
  /** Names of fields for models of one maker (Converse). */
  readonly extra?: readonly string[]
  /** Where points of a cache stand (Converse). */
  readonly cachePoints?: readonly ('tools' | 'elsewhere')[]
}

/** What is said of reasoning: an effort, a budget, a switch; nothing where all is null. */
export interface SentReasoning {
  readonly effort: string | null
  readonly budget: number | null
  /** A switch in some form: its value as it stands in the body. */
  readonly turned: 'adaptive' | 'disabled' | 'between_tools' | 'enable_thinking_false' | null
  readonly hasDisplay: boolean
}

export interface SentTool {
  readonly schema: unknown
  readonly isStrict: boolean
}

/** One message, or one of several that a wire makes of it. */
export interface SentMessage {
  readonly role: string
  readonly calls: readonly { readonly id: string | null; readonly isSigned: boolean }[]
  readonly resultIds: readonly string[]
  readonly hasReasoning: boolean
  /** Not there, or null. */
  readonly lacksContent: boolean
  readonly imageTypes: readonly string[]
  readonly hasMediaInResults: boolean
  readonly mark: 'prefix' | 'partial' | null
}

const NO_REASONING: SentReasoning = { effort: null, budget: null, turned: null, hasDisplay: false }

/** Reads what was written for an upstream of the wire. */
export const READERS: Readonly<Record<HubWire, (body: JsonObject) => SentRequest>> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
  gemini: readGemini,
  'bedrock-converse': readConverse,
}

function readChat(body: JsonObject): SentRequest {
  const format = objectOf(body['response_format'])
  const limit = ['max_tokens', 'max_completion_tokens'].find((field) => field in body)
  const thinking = objectOf(body['thinking'])
  const choice = body['tool_choice']
  return {
    ...sampling(body),
    stops: textsOf(body['stop']),
    reasoning: {
      effort: textOf(body['reasoning_effort']),
      budget: null,
      turned: body['enable_thinking'] === false ? 'enable_thinking_false' : switchOf(thinking),
      hasDisplay: false,
    },
    tools: listOf(body['tools']).map((tool) => {
      const { parameters, strict } = objectOf(tool['function']) ?? {}
      return { schema: parameters, isStrict: strict === true }
    }),
    isCallForced: choice === 'required' || isObject(choice),
    isParallelSaid: 'parallel_tool_calls' in body,
    format:
      format === null
        ? null
        : format['type'] === 'json_schema'
          ? { kind: 'schema', schema: objectOf(objectOf(format['json_schema'])?.['schema']) ?? {} }
          : { kind: 'json', schema: {} },
    output: limit === undefined ? null : { field: limit, tokens: Number(body[limit]) },
    messages: listOf(body['messages']).map(chatMessage),
    fields: new Set(Object.keys(body)),
    include: [],
  }
}

function chatMessage(message: JsonObject): SentMessage {
  const calls = listOf(message['tool_calls'])
  const images = listOf(message['content']).flatMap(({ image_url: image }) => textsOf(objectOf(image)?.['url']))
  return {
    role: String(message['role']),
    calls: calls.map((call) => ({ id: textOf(call['id']), isSigned: 'extra_content' in call })),
    resultIds: textsOf(message['tool_call_id']),
    hasReasoning: 'reasoning_content' in message || 'reasoning' in message,
    lacksContent: (message['content'] ?? null) === null,
    imageTypes: images.flatMap((url) => /^data:([^;,]*)/.exec(url)?.slice(1) ?? []),
    hasMediaInResults: false,
    mark: message['prefix'] === true ? 'prefix' : message['partial'] === true ? 'partial' : null,
  }
}

function readResponses(body: JsonObject): SentRequest {
  const reasoning = objectOf(body['reasoning'])
  const format = objectOf(objectOf(body['text'])?.['format'])
  const choice = body['tool_choice']
  const include = textsOf(body['include'])
  return {
    ...sampling(body),
    logprobs: 'top_logprobs' in body || include.includes('message.output_text.logprobs'),
    stops: textsOf(body['stop']),
    reasoning: { ...NO_REASONING, effort: textOf(reasoning?.['effort']) },
    tools: listOf(body['tools']).map(({ parameters, strict }) => ({ schema: parameters, isStrict: strict === true })),
    isCallForced: choice === 'required' || (isObject(choice) && choice['mode'] !== 'auto'),
    isParallelSaid: 'parallel_tool_calls' in body,
    format:
      format === null
        ? null
        : { kind: format['type'] === 'json_schema' ? 'schema' : 'json', schema: objectOf(format['schema']) ?? {} },
    output:
      'max_output_tokens' in body ? { field: 'max_output_tokens', tokens: Number(body['max_output_tokens']) } : null,
    messages: listOf(body['input']).map(responsesItem),
    fields: new Set([
      ...Object.keys(body),
      ...(objectOf(body['text'])?.['verbosity'] === undefined ? [] : ['verbosity']),
      ...('safety_identifier' in body ? ['user'] : []),
    ]),
    include,
  }
}

function responsesItem(item: JsonObject): SentMessage {
  const isCall = item['type'] === 'function_call'
  const isResult = item['type'] === 'function_call_output'
  const parts = [...listOf(item['content']), ...listOf(item['output'])]
  const images = parts.flatMap(({ image_url: url }) => textsOf(url))
  return {
    role: isCall ? 'assistant' : isResult ? 'tool' : String(item['role'] ?? item['type']),
    calls: isCall ? [{ id: textOf(item['call_id']), isSigned: false }] : [],
    resultIds: isResult ? textsOf(item['call_id']) : [],
    hasReasoning: false,
    lacksContent: false,
    imageTypes: images.flatMap((url) => /^data:([^;,]*)/.exec(url)?.slice(1) ?? []),
    hasMediaInResults: false,
    mark: null,
  }
}

function readMessages(body: JsonObject): SentRequest {
  const thinking = objectOf(body['thinking'])
  const config = objectOf(body['output_config'])
  const format = objectOf(config?.['format'])
  const choice = objectOf(body['tool_choice'])
  return {
    ...sampling(body),
    stops: textsOf(body['stop_sequences']),
    reasoning: {
      effort: textOf(config?.['effort']),
      budget: thinking?.['type'] === 'enabled' ? Number(thinking['budget_tokens']) : null,
      turned: switchOf(thinking),
      hasDisplay: thinking !== null && 'display' in thinking,
    },
    tools: listOf(body['tools']).map(({ input_schema: schema, strict }) => ({ schema, isStrict: strict === true })),
    isCallForced: choice?.['type'] === 'any' || choice?.['type'] === 'tool',
    isParallelSaid: choice?.['disable_parallel_tool_use'] === true,
    format: format === null ? null : { kind: 'schema', schema: objectOf(format['schema']) ?? {} },
    output: { field: 'max_tokens', tokens: Number(body['max_tokens']) },
    messages: listOf(body['messages']).map(messagesTurn),
    fields: new Set([...Object.keys(body), ...('metadata' in body ? ['user'] : [])]),
    include: [],
  }
}

function messagesTurn({ role, content }: JsonObject): SentMessage {
  const blocks = listOf(content)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const images = [...blocks, ...results.flatMap((result) => listOf(result['content']))].filter(
    ({ type }) => type === 'image',
  )
  return {
    role: String(role),
    calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => ({ id: textOf(id), isSigned: false })),
    resultIds: results.flatMap(({ tool_use_id: id }) => textsOf(id)),
    hasReasoning: blocks.some(({ type }) => type === 'thinking'),
    lacksContent: blocks.length === 0,
    imageTypes: images.flatMap(({ source }) => textsOf(objectOf(source)?.['media_type'])),
    hasMediaInResults: false,
    mark: null,
  }
}

function readGemini(body: JsonObject): SentRequest {
  const config = objectOf(body['generationConfig']) ?? {}
  const thinking = objectOf(config['thinkingConfig'])
  const level = textOf(thinking?.['thinkingLevel'])?.toLowerCase() ?? null
  const budget = typeof thinking?.['thinkingBudget'] === 'number' ? thinking['thinkingBudget'] : null
  const declared = listOf(body['tools']).flatMap((tool) => listOf(tool['functionDeclarations']))
  const calling = objectOf(objectOf(body['toolConfig'])?.['functionCallingConfig'])
  const schema = objectOf(config['responseJsonSchema'])
  return {
    temperature: numberOf(config['temperature']),
    topP: numberOf(config['topP']),
    topK: numberOf(config['topK']),
    penalties: [config['frequencyPenalty'], config['presencePenalty']].flatMap((value) => numberOf(value) ?? []),
    seed: numberOf(config['seed']),
    logitBias: false,
    logprobs: config['responseLogprobs'] === true,
    choices: numberOf(config['candidateCount']) ?? 1,
    stops: textsOf(config['stopSequences']),
    reasoning: { ...NO_REASONING, effort: level, budget },
    tools: declared.map((tool) => ({ schema: tool['parametersJsonSchema'], isStrict: false })),
    isCallForced: calling?.['mode'] === 'ANY',
    isParallelSaid: false,
    format: 'responseMimeType' in config ? { kind: schema === null ? 'json' : 'schema', schema: schema ?? {} } : null,
    output:
      'maxOutputTokens' in config ? { field: 'maxOutputTokens', tokens: Number(config['maxOutputTokens']) } : null,
    messages: listOf(body['contents']).map(geminiContent),
    fields: new Set([...Object.keys(body), ...('serviceTier' in body ? ['service_tier'] : [])]),
    include: [],
  }
}

function geminiContent({ role, parts }: JsonObject): SentMessage {
  const all = listOf(parts)
  const results = all.flatMap(({ functionResponse: result }): readonly JsonObject[] =>
    isObject(result) ? [result] : [],
  )
  const media = [...all, ...results.flatMap((result) => listOf(result['parts']))]
  return {
    role: role === 'model' ? 'assistant' : String(role),
    calls: all
      .filter((part) => 'functionCall' in part)
      .map((part) => ({ id: null, isSigned: 'thoughtSignature' in part })),
    resultIds: results.map(() => ''),
    hasReasoning: false,
    lacksContent: all.length === 0,
    imageTypes: media
      .flatMap(({ inlineData: data }) => textsOf(objectOf(data)?.['mimeType']))
      .filter((type) => type.startsWith('image/')),
    hasMediaInResults: results.some((result) => 'parts' in result),
    mark: null,
  }
}

function readConverse(body: JsonObject): SentRequest {
  const config = objectOf(body['inferenceConfig']) ?? {}
  const extra = objectOf(body['additionalModelRequestFields']) ?? {}
  const thinking = objectOf(extra['thinking'])
  const tools = listOf(objectOf(body['toolConfig'])?.['tools'])
  const choice = objectOf(objectOf(body['toolConfig'])?.['toolChoice'])
  const structure = objectOf(objectOf(objectOf(body['outputConfig'])?.['textFormat'])?.['structure'])
  const schema = textOf(objectOf(structure?.['jsonSchema'])?.['schema'])
  const messages = listOf(body['messages'])
  const elsewhere = [...listOf(body['system']), ...messages.flatMap(({ content }) => listOf(content))]
  const isPoint = (block: JsonObject): boolean => 'cachePoint' in block
  return {
    temperature: numberOf(config['temperature']),
    topP: numberOf(config['topP']),
    topK: numberOf(extra['top_k'] ?? extra['k'] ?? objectOf(extra['inferenceConfig'])?.['topK']),
    penalties: [],
    seed: null,
    logitBias: false,
    logprobs: false,
    choices: 1,
    stops: textsOf(config['stopSequences']),
    reasoning: {
      ...NO_REASONING,
      effort:
        textOf(extra['reasoning_effort']) ??
        textOf(objectOf(extra['reasoning'])?.['effort']) ??
        textOf(objectOf(extra['reasoningConfig'])?.['maxReasoningEffort']) ??
        textOf(objectOf(extra['output_config'])?.['effort']),
      budget: thinking?.['type'] === 'enabled' ? Number(thinking['budget_tokens']) : null,
      turned: switchOf(thinking),
    },
    tools: tools.flatMap(({ toolSpec }) => {
      const spec = objectOf(toolSpec)
      if (spec === null || textOf(spec['description'])?.includes('cannot be called') === true) return []
      return [{ schema: objectOf(spec['inputSchema'])?.['json'], isStrict: spec['strict'] === true }]
    }),
    isCallForced: choice !== null && !('auto' in choice),
    isParallelSaid: false,
    format: schema === null ? null : { kind: 'schema', schema: objectOf(JSON.parse(schema)) ?? {} },
    output: 'maxTokens' in config ? { field: 'maxTokens', tokens: Number(config['maxTokens']) } : null,
    messages: messages.map(converseMessage),
    fields: new Set([...Object.keys(body), ...('serviceTier' in body ? ['service_tier'] : [])]),
    include: [],
    extra: Object.keys(extra),
    cachePoints: [
      ...(tools.some(isPoint) ? (['tools'] as const) : []),
      ...(elsewhere.some(isPoint) ? (['elsewhere'] as const) : []),
    ],
  }
}

function converseMessage({ role, content }: JsonObject): SentMessage {
  const blocks = listOf(content)
  const results = blocks.flatMap(({ toolResult: result }) => (isObject(result) ? [result] : []))
  const within = results.flatMap((result) => listOf(result['content']))
  const images = [...blocks, ...within].flatMap(({ image }) => (isObject(image) ? [image] : []))
  return {
    role: String(role),
    calls: blocks.flatMap(({ toolUse: call }) =>
      isObject(call) ? [{ id: textOf(call['toolUseId']), isSigned: false }] : [],
    ),
    resultIds: results.flatMap(({ toolUseId: id }) => textsOf(id)),
    hasReasoning: blocks.some((block) => 'reasoningContent' in block),
    lacksContent: blocks.length === 0,
    imageTypes: images.map(({ format }) => `image/${String(format)}`),
    hasMediaInResults: within.some((block) => 'image' in block || 'document' in block),
    mark: null,
  }
}

type SamplingFields = 'temperature' | 'topP' | 'topK' | 'penalties' | 'seed' | 'logitBias' | 'logprobs' | 'choices'

/** The fields that OpenAI's and Anthropic's wires spell alike. */
function sampling(body: JsonObject): Pick<SentRequest, SamplingFields> {
  return {
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['top_p']),
    topK: numberOf(body['top_k']),
    penalties: [body['frequency_penalty'], body['presence_penalty']].flatMap((value) => numberOf(value) ?? []),
    seed: numberOf(body['seed']),
    logitBias: 'logit_bias' in body,
    logprobs: body['logprobs'] === true,
    choices: numberOf(body['n']) ?? 1,
  }
}

function switchOf(thinking: JsonObject | null): SentReasoning['turned'] {
  const type = thinking?.['type']
  return type === 'adaptive' || type === 'disabled' || type === 'between_tools' ? type : null
}

function objectOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
