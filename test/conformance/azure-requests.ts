/** Random requests, each as the parameters of the vendors' SDKs, with a number by which it is found again. */
import fc from 'fast-check'

/** `stream`: the answer is asked for as one. */
export interface AzureCase {
  readonly endpoint: 'chat' | 'responses' | 'embeddings' | 'images' | 'completions'
  readonly params: Readonly<Record<string, unknown>>
}

export interface MessagesCase {
  readonly endpoint: 'messages' | 'beta' | 'count_tokens'
  readonly params: Readonly<Record<string, unknown>>
}

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('你好，世界', 'a "quoted" \\ word', 'line\nline', '\u{1f600}'),
)
const schema = fc.constant({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] })
const settings = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1, 1.9),
    top_p: fc.constantFrom(0.1, 1),
    metadata: fc.dictionary(fc.constantFrom('a', 'b'), text, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
)

const picture = fc.constant({ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } })
const chatContent = fc.oneof(
  text,
  fc.array(fc.oneof(fc.record({ type: fc.constant('text'), text }), picture), { minLength: 1, maxLength: 3 }),
)
const chat = fc.record(
  {
    messages: fc
      .tuple(fc.option(text), chatContent)
      .map(([system, content]) => [
        ...(system === null ? [] : [{ role: 'system', content: system }]),
        { role: 'user', content },
      ]),
    max_completion_tokens: fc.integer({ min: 16, max: 4_000 }),
    stream: fc.boolean(),
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    stop: fc.array(fc.constantFrom('END', '。'), { minLength: 1, maxLength: 2 }),
    tools: schema.map((parameters) => [{ type: 'function', function: { name: 'look_up', parameters } }]),
    response_format: fc.constant({ type: 'json_object' }),
  },
  { requiredKeys: ['messages'] },
)

const responses = fc.record(
  {
    input: fc.oneof(
      text,
      text.map((said) => [{ role: 'user', content: [{ type: 'input_text', text: said }] }]),
    ),
    instructions: text,
    max_output_tokens: fc.integer({ min: 16, max: 4_000 }),
    stream: fc.boolean(),
    store: fc.boolean(),
    reasoning: fc.record({ effort: fc.constantFrom('low', 'high') }),
    tools: schema.map((parameters) => [{ type: 'function', name: 'look_up', parameters, strict: true }]),
  },
  { requiredKeys: ['input'] },
)

const embeddings = fc.record(
  {
    input: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 })),
    dimensions: fc.constantFrom(8, 256),
    encoding_format: fc.constantFrom('float', 'base64'),
  },
  { requiredKeys: ['input'] },
)

const images = fc.record(
  { prompt: text, n: fc.constant(1), size: fc.constantFrom('1024x1024', '1024x1536'), quality: fc.constant('high') },
  { requiredKeys: ['prompt'] },
)

const completions = fc.record(
  { prompt: text, max_tokens: fc.integer({ min: 16, max: 100 }), echo: fc.boolean() },
  { requiredKeys: ['prompt'] },
)

const azure: fc.Arbitrary<AzureCase> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ endpoint: fc.constant('chat' as const), params: merged(chat) }) },
  { weight: 3, arbitrary: fc.record({ endpoint: fc.constant('responses' as const), params: merged(responses) }) },
  { weight: 1, arbitrary: fc.record({ endpoint: fc.constant('embeddings' as const), params: embeddings }) },
  { weight: 1, arbitrary: fc.record({ endpoint: fc.constant('images' as const), params: images }) },
  { weight: 1, arbitrary: fc.record({ endpoint: fc.constant('completions' as const), params: completions }) },
)

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }),
)
const conversation = fc
  .oneof(text, fc.array(block, { minLength: 1, maxLength: 3 }))
  .map((content) => [{ role: 'user', content }])
const messagesTools = schema.map((input_schema) => [{ name: 'look_up', description: 'Looks up.', input_schema }])
const thinking = fc.constant({ type: 'enabled', budget_tokens: 1_024 })

const messages = fc.record(
  {
    messages: conversation,
    max_tokens: fc.integer({ min: 2_000, max: 4_000 }),
    stream: fc.boolean(),
    system: fc.oneof(
      text,
      text.map((said) => [{ type: 'text', text: said, cache_control: { type: 'ephemeral' } }]),
    ),
    tools: messagesTools,
    stop_sequences: fc.constant(['END']),
    thinking,
    metadata: fc.constant({ user_id: 'u' }),
  },
  { requiredKeys: ['messages', 'max_tokens'] },
)
const counted = fc.record(
  { messages: conversation, system: text, tools: messagesTools },
  { requiredKeys: ['messages'] },
)
const betas = fc.array(fc.constantFrom('context-1m-2025-08-07', 'interleaved-thinking-2025-05-14'), {
  minLength: 1,
  maxLength: 2,
})

const foundry: fc.Arbitrary<MessagesCase> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ endpoint: fc.constant('messages' as const), params: messages }) },
  {
    weight: 3,
    arbitrary: fc.record({
      endpoint: fc.constant('beta' as const),
      params: fc.tuple(messages, betas).map(([asked, named]) => ({ ...asked, betas: named })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ endpoint: fc.constant('count_tokens' as const), params: counted }) },
)

function merged(params: fc.Arbitrary<object>): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.tuple(params, settings).map(([own, more]) => ({ ...own, ...more }))
}

export function azureCases(count: number): readonly AzureCase[] {
  return fc.sample(azure, { numRuns: count })
}

export function messagesCases(count: number): readonly MessagesCase[] {
  return fc.sample(foundry, { numRuns: count })
}
