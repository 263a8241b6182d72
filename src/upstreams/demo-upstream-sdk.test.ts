import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { newReport, reportingHandler, startDemo } from '../../test/support/demo-drive.ts'

/** The official clients without a network: a `fetch` that drives the upstream. They check the streams they put together. */
function officialClients(): { openai: OpenAI; anthropic: Anthropic } {
  const demo = startDemo()
  const fetch = (url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const report = newReport()
    demo.send(new URL(String(url)).pathname, String(init?.body), reportingHandler(report))
    demo.timers.runAll()
    const headers = { 'content-type': report.headers['content-type'] ?? '' }
    return Promise.resolve(new Response(report.chunks.join(''), { status: report.status, headers }))
  }
  const options = { apiKey: 'none', fetch, maxRetries: 0 }
  return {
    openai: new OpenAI({ ...options, baseURL: 'http://127.0.0.1/v1' }),
    anthropic: new Anthropic({ ...options, baseURL: 'http://127.0.0.1' }),
  }
}

const question = 'What is the longest word of this question?'
const messages = [{ role: 'user' as const, content: question }]
const parameters = {
  type: 'object' as const,
  required: ['city', 'days'],
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
}
const callArguments = { city: 'demo', days: 3 }
const isStreamed = test.for([[false], [true]] as const)

isStreamed('chat completions, streamed %s: echo, reasoning, tool call, tool result, limit, stop', async ([stream]) => {
  const { openai } = officialClients()
  const chat = async (body: object): Promise<OpenAI.ChatCompletion> => {
    const request = { messages, model: 'demo/echo', ...body }
    if (!stream) return openai.chat.completions.create(request)
    return openai.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
  }
  const echo = await chat({})
  expect(echo.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: question } })
  expect(echo.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 11, total_tokens: 22 })

  const reasoned = await chat({ model: 'demo/reasoner' })
  expect(reasoned.choices[0]?.message.content).toMatch(/^You asked: “What/)
  const { completion_tokens: written = 0, completion_tokens_details: details } = reasoned.usage ?? {}
  expect(details?.reasoning_tokens).toBeGreaterThan(20)
  expect(written).toBeGreaterThan(details?.reasoning_tokens ?? 0)

  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
  const asked = await chat({ model: 'demo/tools', tools })
  const call = asked.choices[0]?.message.tool_calls?.[0]
  expect(asked.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
  expect(call).toMatchObject({ id: expect.any(String), type: 'function', function: { name: 'get_weather' } })
  expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual(callArguments)

  const result = [
    ...messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call?.id, content: 'rain, 7 °C' },
  ]
  const final = await chat({ model: 'demo/tools', tools, messages: result })
  expect(final.choices[0]?.message.content).toBe('The tool answered: “rain, 7 °C”')

  const limited = await chat({ max_completion_tokens: 3 })
  expect(limited.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'What is the' } })
  expect(limited.usage?.completion_tokens).toBe(3)
  const stopped = await chat({ stop: ['nothing', ' word'] })
  expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'What is the longest' } })
})

isStreamed('responses, streamed %s: echo, reasoning, tool call, tool result, limit', async ([stream]) => {
  const { openai } = officialClients()
  const respond = async (body: object): Promise<OpenAI.Responses.Response> => {
    const request = { input: question, model: 'demo/echo', ...body }
    return stream ? openai.responses.stream(request).finalResponse() : openai.responses.create(request)
  }
  const echo = await respond({ instructions: 'Be brief.', metadata: { a: 'b' } })
  expect(echo).toMatchObject({ status: 'completed', output_text: question, error: null, metadata: { a: 'b' } })
  expect(echo.usage).toMatchObject({ input_tokens: 14, output_tokens: 11, total_tokens: 25 })

  const reasoned = await respond({ model: 'demo/reasoner' })
  expect(reasoned.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
  expect(reasoned.output[0]).toMatchObject({
    summary: [{ type: 'summary_text', text: expect.stringMatching(/^Let me see/) }],
  })
  expect(reasoned.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(20)

  const tools = [{ type: 'function', name: 'get_weather', parameters, strict: false }]
  const asked = await respond({ model: 'demo/tools', tools })
  const call = asked.output[0]
  if (call?.type !== 'function_call') throw new Error('no call')
  expect(call).toMatchObject({ name: 'get_weather', status: 'completed', call_id: expect.any(String) })
  expect(JSON.parse(call.arguments)).toEqual(callArguments)
  const result = { type: 'function_call_output', call_id: call.call_id, output: [{ type: 'input_text', text: 'rain' }] }
  const final = await respond({
    model: 'demo/tools',
    tools,
    input: [{ role: 'user', content: question }, call, result],
  })
  expect(final.output_text).toBe('The tool answered: “rain”')

  const limited = await respond({ max_output_tokens: 3 })
  expect(limited).toMatchObject({ status: 'incomplete', output_text: 'What is the' })
})

isStreamed('messages, streamed %s: echo, thinking, tool use, tool result, limit, stop', async ([stream]) => {
  const { anthropic } = officialClients()
  const send = async (body: object): Promise<Anthropic.Message> => {
    const request = { messages, model: 'demo/echo', max_tokens: 1000, ...body }
    return stream ? anthropic.messages.stream(request).finalMessage() : anthropic.messages.create(request)
  }
  const echo = await send({})
  expect(echo).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: question }] })
  expect(echo.usage).toMatchObject({ input_tokens: 11, output_tokens: 11, cache_read_input_tokens: 0 })

  const reasoned = await send({ model: 'demo/reasoner' })
  expect(reasoned.content).toMatchObject([
    {
      type: 'thinking',
      thinking: expect.stringMatching(/^Let me see/),
      // Marked as no thought of Claude's, so that the conversation can go on with one, who would refuse it.
      signature: expect.stringMatching(/^~tollgate\.reasoning\.[\w-]+$/),
    },
    { type: 'text', text: expect.stringMatching(/^You asked/) },
  ])
  expect(reasoned.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(20)

  const tools = [
    { type: 'bash_20250124', name: 'bash' },
    { name: 'get_weather', input_schema: parameters },
  ]
  const asked = await send({ model: 'demo/tools', tools })
  expect(asked.stop_reason).toBe('tool_use')
  const call = asked.content[0]
  if (call?.type !== 'tool_use') throw new Error('no call')
  expect(call).toMatchObject({ name: 'get_weather', input: callArguments, id: expect.stringMatching(/^[\w-]+$/) })
  const answered = { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'rain' }] }
  const final = await send({
    model: 'demo/tools',
    tools,
    messages: [...messages, { role: 'assistant', content: [call] }, answered],
  })
  expect(final.content).toMatchObject([{ type: 'text', text: 'The tool answered: “rain”' }])

  const limited = await send({ max_tokens: 3 })
  expect(limited).toMatchObject({
    stop_reason: 'max_tokens',
    content: [{ text: 'What is the' }],
    usage: { output_tokens: 3 },
  })
  const stopped = await send({ stop_sequences: [' word'] })
  expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: ' word' })
})

test('demo/tools without a tool that it may call says how to try it', async () => {
  const { openai } = officialClients()
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
  const answer = await openai.chat.completions.create({ model: 'demo/tools', messages, tools, tool_choice: 'none' })
  expect(answer.choices[0]?.message.content).toMatch(/^demo\/tools calls the first function/)
})

test('the tool that tool_choice names is called, whichever is first', async () => {
  const { anthropic } = officialClients()
  const tools = ['first', 'second'].map((name) => ({ name, input_schema: parameters }))
  const choice = { type: 'tool' as const, name: 'second' }
  const request = { model: 'demo/tools', max_tokens: 99, messages, tools, tool_choice: choice }
  expect((await anthropic.messages.create(request)).content).toMatchObject([{ type: 'tool_use', name: 'second' }])
})

test('the input of a conversation counts the same on every wire and in count_tokens', async () => {
  const { openai, anthropic } = officialClients()
  const chat = await openai.chat.completions.create({ model: 'demo/echo', messages })
  const response = await openai.responses.create({ model: 'demo/echo', input: messages })
  const count = await anthropic.messages.countTokens({ model: 'demo/echo', messages })
  expect([chat.usage?.prompt_tokens, response.usage?.input_tokens]).toEqual([count.input_tokens, count.input_tokens])
})

test('embeddings of texts that share words are near one another, in floats and in base64', async () => {
  const { openai } = officialClients()
  const input = ['the red house', 'a red house', 'seven quiet seas']
  const request = { model: 'demo/echo', input, dimensions: 512 }
  const coded = await openai.embeddings.create(request)
  const plain = await openai.embeddings.create({ ...request, encoding_format: 'float' })
  expect(coded.usage).toEqual({ prompt_tokens: 9, total_tokens: 9 })
  const vectors = plain.data.map(({ embedding }) => embedding)
  expect(coded.data.map(({ embedding }) => [...embedding])).toEqual(vectors)
  const near = (left: number, right: number): number =>
    (vectors[left] ?? []).reduce((sum, part, at) => sum + part * (vectors[right]?.[at] ?? 0), 0)
  expect(near(0, 0)).toBeCloseTo(1)
  expect(near(0, 1)).toBeGreaterThan(0.6)
  expect(near(0, 2)).toBeLessThan(0.4)
})
