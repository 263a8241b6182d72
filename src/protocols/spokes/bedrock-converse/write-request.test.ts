import { describe, expect, test } from 'vitest'
import type { ModelRules } from '../../../models/facts.ts'
import { protocolOf } from '../../protocol-of.ts'
import { type Translated, Translation } from '../../translation.ts'

const NOVA = 'us.amazon.nova-pro-v1:0'
const LLAMA = 'us.meta.llama3-3-70b-instruct-v1:0'

/** What a client of chat completions or messages asks, as Converse is sent it for the model. */
function sent(model: string, fields: object, options: { rules?: ModelRules; isStream?: boolean } = {}): Translated {
  const wire = 'system' in fields || 'thinking' in fields ? 'anthropic-messages' : 'openai-chat'
  const limit = wire === 'openai-chat' ? {} : { max_tokens: 1_000 }
  const asked = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...limit, ...fields }
  const body = Buffer.from(JSON.stringify({ ...asked, stream: options.isStream === true }))
  const head = protocolOf(wire).readRequest(body)
  return new Translation({ wire, body, head, requestId: 'req_1', nowMs: 0 }).to('bedrock-converse', {
    model,
    takesLike: { name: model, rules: options.rules },
    maxOutputTokens: null,
  })
}

function bodyOf(translated: Translated): unknown {
  return JSON.parse(translated.body.toString())
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const TOOL = { type: 'function', function: { name: 'weather', description: 'Tells it.', parameters: SCHEMA } }
const OTHER = { type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } }
const CALL = { id: 'tooluse_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }
const CALLED = [
  { role: 'user', content: 'How is it in Rome?' },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'tooluse_1', content: 'Sunny' },
]

test('a whole request, field by field', () => {
  const messages = [{ role: 'system', content: 'Be brief.' }, ...CALLED]
  const settings = {
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    tools: [TOOL],
    tool_choice: 'required',
  }
  const translated = sent(NOVA, { messages, ...settings })
  expect(bodyOf(translated)).toEqual({
    messages: [
      { role: 'user', content: [{ text: 'How is it in Rome?' }] },
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Rome' } } }],
      },
      { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'Sunny' }] } }] },
    ],
    system: [{ text: 'Be brief.' }],
    inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    toolConfig: {
      tools: [{ toolSpec: { name: 'weather', description: 'Tells it.', inputSchema: { json: SCHEMA } } }],
      toolChoice: { any: {} },
    },
  })
  expect(translated.dropped).toEqual([])
})

test('ids of models and profiles stand in the path encoded, ARNs with their slashes', () => {
  const pathOf = protocolOf('bedrock-converse').pathOf
  expect(pathOf?.('us.amazon.nova-2-lite-v1:0', 'whole')).toBe('/model/us.amazon.nova-2-lite-v1%3A0/converse')
  expect(pathOf?.('arn:aws:bedrock:eu-west-1:1:application-inference-profile/a1', 'stream')).toBe(
    '/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Aapplication-inference-profile%2Fa1/converse-stream',
  )
})

describe('tools', () => {
  test('that are gone stand by their names where they were called (anomalyco/opencode#10259, langchain-ai/langchain-aws#591)', () => {
    const { toolConfig } = bodyOf(sent(NOVA, { messages: CALLED })) as { toolConfig: unknown }
    expect(toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
    })
    expect(toolConfig).not.toHaveProperty('toolChoice')
    expect(bodyOf(sent(NOVA, {}))).not.toHaveProperty('toolConfig')
  })

  test('that may not be called are left out, or their choice is named (boto/boto3#4687)', () => {
    const fresh = sent(NOVA, { tools: [TOOL], tool_choice: 'none' })
    expect(bodyOf(fresh)).not.toHaveProperty('toolConfig')
    const called = sent(NOVA, { messages: CALLED, tools: [TOOL, OTHER], tool_choice: 'none' })
    expect(bodyOf(called)).toMatchObject({ toolConfig: { tools: [{}, {}] } })
    expect(called.dropped).toContain('tool_choice')
  })

  test('of Llama are the model’s to choose (maximhq/bifrost#3196)', () => {
    const one = { type: 'function', function: { name: 'weather' } }
    const translated = sent(LLAMA, { tools: [TOOL], tool_choice: one })
    expect(bodyOf(translated)).not.toHaveProperty('toolConfig.toolChoice')
    expect(translated.dropped).toEqual(['tool_choice'])
    expect(bodyOf(sent(NOVA, { tools: [TOOL], tool_choice: one }))).toHaveProperty('toolConfig.toolChoice', {
      tool: { name: 'weather' },
    })
  })

  test('of Llama are not streamed: the answer is asked for whole (earendil-works/pi#3739, n8n-io/n8n#14206)', () => {
    expect(sent(LLAMA, { tools: [TOOL] }, { isStream: true }).asksWhole).toBe(true)
    expect(sent(LLAMA, {}, { isStream: true }).asksWhole).toBe(false)
    expect(sent(LLAMA, { tools: [TOOL] }).asksWhole).toBe(false)
    expect(sent(NOVA, { tools: [TOOL] }, { isStream: true }).asksWhole).toBe(false)
    expect(sent(LLAMA, { tools: [TOOL] }, { isStream: true, rules: { streamed_tools: true } }).asksWhole).toBe(false)
  })

  test('a result that failed says so where the model takes it, and is named elsewhere; an empty one has words', () => {
    const blocks = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] },
    ]
    const asked = { system: 'x', messages: [{ role: 'user', content: 'Hi' }, ...blocks] }
    const result = { toolUseId: 'a', content: [{ text: '(no output)' }] }
    const taken = bodyOf(sent(NOVA, asked)) as { messages: { content: unknown[] }[] }
    expect(taken.messages[2]?.content).toEqual([{ toolResult: { ...result, status: 'error' } }])
    const named = sent(LLAMA, asked)
    expect((bodyOf(named) as typeof taken).messages[2]?.content).toEqual([{ toolResult: result }])
    expect(named.dropped).toContain('messages[].content[].is_error')
  })
})

describe('reasoning', () => {
  test.for([
    ['us.amazon.nova-2-lite-v1:0', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'low' }],
    ['openai.gpt-6-luna', { reasoning: { effort: 'low' } }],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
  ] as const)('%s is asked for it in its maker’s words', ([model, fields]) => {
    expect(bodyOf(sent(model, { reasoning_effort: 'low' }))).toHaveProperty('additionalModelRequestFields', fields)
  })

  test.for([NOVA, LLAMA, 'us.deepseek.r1-v1:0', 'acme-1'])('nothing is said of it to %s', (model) => {
    const translated = sent(model, { reasoning_effort: 'high' })
    expect(bodyOf(translated)).not.toHaveProperty('additionalModelRequestFields')
    expect(translated.dropped).toEqual(['reasoning_effort'])
  })

  test('Nova gets no limit beside its highest effort', () => {
    const effort = 'additionalModelRequestFields.reasoningConfig.maxReasoningEffort'
    const model = 'amazon.nova-2-lite-v1:0'
    expect(bodyOf(sent(model, { reasoning_effort: 'high' }))).toHaveProperty(effort, 'high')
    const limited = bodyOf(sent(model, { reasoning_effort: 'high', max_tokens: 500, temperature: 0.3 }))
    expect(limited).toHaveProperty(effort, 'medium')
    expect(limited).toHaveProperty('inferenceConfig', { maxTokens: 500 })
  })

  test('goes back with its signature; without one it stays out (aws-samples/bedrock-chat#851, langchain-ai/langchain-aws#401)', () => {
    const answer = Buffer.from(
      '{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Hm.","signature":"c2ln"}}},{"reasoningContent":{"redactedContent":"cmVk"}},{"text":"Yes."}]}},"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}',
    )
    const first = sent(NOVA, { system: 'x' })
    const read = protocolOf('bedrock-converse').readAnswer(answer)
    if (read.kind !== 'answer') throw new Error('it is an answer')
    const { content } = JSON.parse(first.answer(answer, read.usage).toString()) as { content: unknown[] }
    const turns = (blocks: unknown[]) => [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: blocks },
      { role: 'user', content: 'And?' },
    ]
    const again = bodyOf(sent(NOVA, { system: 'x', messages: turns(content) })) as {
      messages: { content: unknown[] }[]
    }
    expect(again.messages[1]?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'cmVk' } },
      { text: 'Yes.' },
    ])
    const unsigned = [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Yes.' },
    ]
    const without = bodyOf(sent('us.deepseek.r1-v1:0', { system: 'x', messages: turns(unsigned) })) as typeof again
    expect(without.messages[1]?.content).toEqual([{ text: 'Yes.' }])
  })
})

describe('what Bedrock refuses of some models', () => {
  test('a point of a cache (BerriAI/litellm#39210)', () => {
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    const tools = [{ name: 'weather', input_schema: SCHEMA, cache_control: { type: 'ephemeral', ttl: '1h' } }]
    const point = { cachePoint: { type: 'default' } }
    expect(bodyOf(sent(NOVA, { system, tools }))).toMatchObject({
      system: [{ text: 'Be brief.' }, point],
      toolConfig: { tools: [{ toolSpec: {} }] },
    })
    const claude = bodyOf(sent('anthropic.claude-sonnet-4-5-20250929-v1:0', { system, tools }))
    expect(claude).toHaveProperty('toolConfig.tools[1]', { cachePoint: { type: 'default', ttl: '1h' } })
    const nemotron = sent('nvidia.nemotron-super-3-120b', { system, tools })
    expect(nemotron.body.toString()).not.toContain('cachePoint')
    expect(nemotron.dropped).toEqual(['system[].cache_control', 'tools[].cache_control'])
  })

  test('stop sequences, at which the gateway stops by itself (crewAIInc/crewAI#3317, langgenius/dify-official-plugins#1767)', () => {
    for (const model of ['openai.gpt-oss-20b-1:0', 'qwen.qwen3-235b-a22b-2507-v1:0']) {
      const translated = sent(model, { stop: ['\nObservation:'] })
      expect(bodyOf(translated)).not.toHaveProperty('inferenceConfig')
      const whole = Buffer.from(
        '{"output":{"message":{"role":"assistant","content":[{"text":"a\\nObservation: b"}]}},"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":1}}',
      )
      const usage = protocolOf('bedrock-converse').readAnswer(whole)
      if (usage.kind !== 'answer') throw new Error('it is an answer')
      expect(JSON.parse(translated.answer(whole, usage.usage).toString())).toMatchObject({
        choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
      })
    }
  })

  test('texts of white space (OpenHands/OpenHands#5339)', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Hi' },
        ],
      },
      { role: 'assistant', content: '\n' },
      { role: 'user', content: 'Go on.' },
    ]
    expect(bodyOf(sent(NOVA, { messages }))).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: 'Go on.' }] }],
    })
  })

  test('a system prompt, which then stands before the user’s words', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]
    expect(bodyOf(sent('mistral.mistral-7b-instruct-v0:2', { messages }))).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Be brief.' }, { text: 'Hi' }] }],
    })
  })
})

describe('documents and pictures', () => {
  const file = (filename: string) => ({
    type: 'file',
    file: { filename, file_data: 'data:application/pdf;base64,JVBERi0xLjQK' },
  })

  test('names are written as Bedrock takes them, each once (vercel/ai#20365, anomalyco/opencode#19964)', () => {
    const names = [
      "John's report.pdf",
      'résumé.pdf',
      'Report -  Final.pdf',
      'テスト　資料.pdf',
      '.pdf',
      'a_b (1).pdf',
      'a_b (1).pdf',
    ]
    const content = [{ type: 'text', text: 'Read.' }, ...names.map(file)]
    const { messages } = bodyOf(sent(NOVA, { messages: [{ role: 'user', content }] })) as {
      messages: { content: { document?: { name: string } }[] }[]
    }
    const written = messages[0]?.content.flatMap(({ document }) => document?.name ?? [])
    expect(written).toEqual([
      'John s report',
      'r sum',
      'Report - Final',
      'document',
      'document 2',
      'a_b (1)',
      'a_b (1) 2',
    ])
    for (const name of written ?? []) expect(name).toMatch(/^(?!.* {2})[\w ()[\]-]{1,200}$/)
  })

  test('a document alone has a text beside it', () => {
    const messages = [{ role: 'user', content: [file('a.pdf')] }]
    expect(bodyOf(sent(NOVA, { messages }))).toHaveProperty('messages[0].content[1].text', 'The document is attached.')
  })

  test('what stands on the web is refused by its place, what stands in S3 is not', () => {
    const picture = (url: string) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    })
    expect(() => sent(NOVA, picture('https://pictures.example.test/a.png'))).toThrow('messages[0].content[0]')
    expect(bodyOf(sent(NOVA, picture('data:image/png;base64,iVBORw0KGgo=')))).toHaveProperty(
      'messages[0].content[0].image',
      { format: 'png', source: { bytes: 'iVBORw0KGgo=' } },
    )
  })

  test('a picture in a result stands behind it where the model takes none within', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const result = { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
      { role: 'user', content: [result] },
    ]
    const image = { format: 'png', source: { bytes: 'iVBORw0KGgo=' } }
    expect(bodyOf(sent(NOVA, { system: 'x', messages }))).toHaveProperty('messages[2].content', [
      { toolResult: { toolUseId: 'a', content: [{ image }] } },
    ])
    expect(bodyOf(sent('acme-1', { system: 'x', messages }))).toHaveProperty('messages[2].content', [
      { toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }] } },
      { image },
    ])
  })
})

test('an answer’s usage reaches the client of a stream, though it comes behind its end (Effect-TS/effect#6272)', () => {
  const reader = sent(NOVA, { stream_options: { include_usage: true } }, { isStream: true }).openStream()
  const events = [
    'event: messageStart\ndata: {"role":"assistant"}\n\n',
    'event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"Hi"}}\n\n',
    'event: contentBlockStop\ndata: {"contentBlockIndex":0}\n\nevent: messageStop\ndata: {"stopReason":"end_turn"}\n\n',
  ]
  for (const event of events) reader.push(Buffer.from(event))
  expect(reader.ended).toBe(false)
  expect(reader.isFinished).toBe(true)
  reader.push(Buffer.from('event: metadata\ndata: {"usage":{"inputTokens":7,"outputTokens":2,"totalTokens":9}}\n\n'))
  expect(reader.ended).toBe(true)
  expect(reader.usage).toMatchObject({ input: 7, output: 2 })
  expect(reader.finish().held.toString()).toContain('"usage":{"prompt_tokens":7,"completion_tokens":2')
})
