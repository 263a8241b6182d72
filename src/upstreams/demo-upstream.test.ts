import { describe, expect, test } from 'vitest'
import { eventsOf, jsonOf, newReport, reportingHandler, sequenceOf, startDemo } from '../../test/support/demo-drive.ts'

const hello = [{ role: 'user', content: 'Say hello to the whole wide world, please.' }]
const streamed = { model: 'demo/echo', messages: hello, stream: true }
const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
}

const toolCall = (kind: string): string[] => [
  'response.output_item.added',
  `response.${kind}.delta…`,
  `response.${kind}.done`,
  'response.output_item.done',
]

const openai = (message: RegExp, rest: object): object => {
  return {
    error: {
      message: expect.stringMatching(message),
      type: 'invalid_request_error',
      param: null,
      code: null,
      ...rest,
    },
  }
}

const askLimited = (model: string, limit: number): unknown => {
  const parameters = tool.function.parameters
  const tools = [{ name: 'get_weather', input_schema: parameters }]
  return jsonOf(startDemo().ask('/messages', { model, messages: hello, tools, max_tokens: limit }))
}

describe('one exchange', () => {
  test('nothing is called before send has returned, and then head, data and end in this order', () => {
    const demo = startDemo()
    const report = newReport()
    demo.send('/chat/completions', { model: 'demo/echo', messages: hello }, reportingHandler(report))
    expect(report.calls).toEqual([])
    demo.timers.runAll()
    expect(report.calls).toEqual(['head', 'data', 'end'])
    expect(report.headers).toEqual({ 'content-type': 'application/json' })
  })

  test('a stream pauses before each of its chunks, so that a person sees it come', () => {
    const demo = startDemo()
    const report = demo.ask('/chat/completions', streamed)
    expect(report.chunks.length).toBeGreaterThan(8)
    expect(demo.timers.passedMs).toBe(report.chunks.length * 15)
  })

  test('a pause at any call stops everything, leaves no timer, and changes nothing of what comes after it', () => {
    const whole = startDemo().ask('/chat/completions', streamed)
    for (let stop = 1; stop < whole.calls.length; stop++) {
      const demo = startDemo()
      const report = newReport()
      const exchange = demo.send(
        '/chat/completions',
        streamed,
        reportingHandler(report, (count) => {
          if (count === stop && stop % 2 === 1) exchange.pause()
        }),
      )
      for (let step = 0; step < stop; step++) demo.timers.runOne()
      exchange.pause()
      demo.timers.runAll()
      expect(report.calls.length).toBe(stop)
      expect(demo.timers.pending).toBe(0)
      exchange.resume()
      exchange.resume()
      expect(demo.timers.pending).toBe(1)
      demo.timers.runAll()
      expect(report).toEqual(whole)
    }
  })

  test('an abort at any call, or between two, calls nothing more and leaves no timer', () => {
    const total = startDemo().ask('/chat/completions', streamed).calls.length
    for (let stop = 0; stop < total; stop++) {
      const demo = startDemo()
      const report = newReport()
      const exchange = demo.send(
        '/chat/completions',
        streamed,
        reportingHandler(report, (count) => {
          if (count === stop && stop % 2 === 1) exchange.abort()
        }),
      )
      for (let step = 0; step < stop; step++) demo.timers.runOne()
      exchange.abort()
      exchange.resume()
      expect(demo.timers.pending).toBe(0)
      expect(report.calls.length).toBe(stop)
    }
  })

  test('closing the upstream fails what is running as a broken connection does, paused or not', async () => {
    const demo = startDemo()
    const reports = [newReport(), newReport(), newReport()]
    const [running, paused, aborted] = reports.map((report) =>
      demo.send('/chat/completions', streamed, reportingHandler(report)),
    )
    for (let step = 0; step < 12; step++) demo.timers.runOne()
    expect(running).toBeDefined()
    paused?.pause()
    aborted?.abort()
    await demo.close()
    expect(demo.timers.pending).toBe(0)
    expect(reports.map((report) => report.calls.at(-1))).toEqual(['failure', 'failure', 'data'])
    expect(reports.map((report) => report.fault?.code)).toEqual([
      'upstream_unavailable',
      'upstream_unavailable',
      undefined,
    ])
  })

  test('ids follow the number of the request, and the same request has the same answer', () => {
    const demo = startDemo()
    const [first, second] = [1, 2].map(() =>
      jsonOf(demo.ask('/messages', { ...streamed, stream: false, max_tokens: 9 })),
    )
    expect([first?.['id'], second?.['id']]).toEqual(['msg_demo000001', 'msg_demo000002'])
    expect({ ...second, id: first?.['id'] }).toEqual(first)
  })
})

describe('the sequence of events', () => {
  test.for([
    ['demo/echo', {}, ['chunk…', '[DONE]']],
    ['demo/reasoner', {}, ['chunk…', '[DONE]']],
    ['demo/tools', { tools: [tool] }, ['chunk…', '[DONE]']],
  ] as const)('of %s on chat completions', ([model, more, sequence]) => {
    const report = startDemo().ask('/v1/chat/completions?beta=true', { ...streamed, model, ...more })
    expect(report.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(sequenceOf(report)).toEqual(sequence)
  })

  const textBlock = ['content_block_start', 'content_block_delta…', 'content_block_stop']
  test.for([
    ['demo/echo', {}, textBlock],
    ['demo/reasoner', {}, [...textBlock, ...textBlock]],
    ['demo/reasoner', { thinking: { type: 'disabled' } }, textBlock],
    ['demo/tools', { tools: [{ name: 'get_weather', input_schema: tool.function.parameters }] }, textBlock],
  ] as const)('of %s with %j on messages', ([model, more, blocks]) => {
    const report = startDemo().ask('/v1/messages', { ...streamed, model, max_tokens: 1000, ...more })
    expect(sequenceOf(report)).toEqual(['message_start', ...blocks, 'message_delta', 'message_stop'])
  })

  test('tells the input at the start of messages, so that half an answer has it in the books too', () => {
    const report = startDemo().ask('/messages', { ...streamed, max_tokens: 9 })
    const usage = { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 0 }
    expect(eventsOf(report)[0]?.data).toMatchObject({ message: { usage } })
  })

  const text = [
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta…',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
  ]
  const reasoning = [
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta…',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
  ]
  const named = { name: 'get_weather', parameters: tool.function.parameters }
  const functionTool = { type: 'function', ...named }
  test.for([
    ['demo/echo', {}, text],
    ['demo/reasoner', {}, [...reasoning, ...text]],
    ['demo/tools', { tools: [functionTool] }, toolCall('function_call_arguments')],
    [
      'demo/tools',
      { tools: [{ type: 'namespace', name: 'x', tools: [functionTool] }] },
      toolCall('function_call_arguments'),
    ],
    [
      'demo/tools',
      { tools: [{ type: 'custom', name: 'free' }] },
      ['response.output_item.added', ...toolCall('custom_tool_call_input').slice(1)].map((name) =>
        name.replace('…', ''),
      ),
    ],
  ] as const)('of %s with %j on responses, numbered without a gap', ([model, more, items]) => {
    const report = startDemo().ask('/v1/responses', {
      model,
      input: 'Say hello to the wide world.',
      stream: true,
      ...more,
    })
    expect(sequenceOf(report)).toEqual(['response.created', 'response.in_progress', ...items, 'response.completed'])
    const numbers = eventsOf(report).map(({ data }) => (data as { sequence_number: number }).sequence_number)
    expect(numbers).toEqual(numbers.map((_, at) => at))
  })

  test('of a response that reaches its limit ends with response.incomplete', () => {
    const report = startDemo().ask('/responses', {
      model: 'demo/echo',
      input: 'one two three',
      stream: true,
      max_output_tokens: 2,
    })
    expect(sequenceOf(report).at(-1)).toBe('response.incomplete')
    const { data } = eventsOf(report).at(-1) ?? {}
    expect(data).toMatchObject({
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete', content: [{ text: 'one two' }] }],
        usage: { output_tokens: 2 },
      },
    })
  })

  test('has the reasoning before the text on chat completions, as the answer that is not streamed has both', () => {
    const request = { ...streamed, model: 'demo/reasoner' }
    const chunks = eventsOf(startDemo().ask('/chat/completions', request)).slice(0, -1)
    const deltas = chunks.map(
      ({ data }) => (data as { choices: { delta: Record<string, string> }[] }).choices[0]?.delta,
    )
    const fields = deltas.map((delta) => Object.keys(delta ?? {}).join())
    const runs = fields.filter((field, at) => field !== fields[at - 1])
    expect(runs).toEqual(['role,content,reasoning_content', 'reasoning_content', 'content', ''])
    const joined = (field: string): string => deltas.map((delta) => delta?.[field] ?? '').join('')
    expect(joined('reasoning_content')).toMatch(/8 words, .* “please\.”/)
    const whole = jsonOf(startDemo().ask('/chat/completions', { ...request, stream: false }))
    const message = { reasoning_content: joined('reasoning_content'), content: joined('content') }
    expect(whole).toMatchObject({ choices: [{ message, finish_reason: 'stop' }] })
  })

  test('of a function in a namespace carries the name of that', () => {
    const tools = [{ type: 'namespace', name: 'weather', tools: [functionTool] }]
    const answer = jsonOf(startDemo().ask('/responses', { model: 'demo/tools', input: 'x', tools }))
    expect(answer['output']).toMatchObject([{ type: 'function_call', name: 'get_weather', namespace: 'weather' }])
  })

  test('has usage on chat completions only when it is asked for, then in a last chunk without choices', () => {
    expect(startDemo().ask('/chat/completions', streamed).chunks.join('')).not.toContain('usage')
    const report = startDemo().ask('/chat/completions', { ...streamed, stream_options: { include_usage: true } })
    const chunks = eventsOf(report).map(({ data }) => data as { choices: unknown[]; usage?: object })
    expect(chunks.slice(0, -2).every(({ usage }) => usage === undefined)).toBe(true)
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 10 } })
  })
})

describe('the output limit', () => {
  test('counts reasoning too, and may end inside it', () => {
    expect(askLimited('demo/reasoner', 4)).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'thinking', thinking: 'Let me see.' }],
      usage: { output_tokens: 4, output_tokens_details: { thinking_tokens: 4 } },
    })
  })

  test('that ends just where the text does cuts nothing', () => {
    expect(askLimited('demo/echo', 10)).toMatchObject({ stop_reason: 'end_turn', usage: { output_tokens: 10 } })
    expect(askLimited('demo/echo', 9)).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 9 } })
  })

  test('leaves out a tool call that does not fit, since half of one is worth nothing', () => {
    expect(askLimited('demo/tools', 3)).toMatchObject({
      stop_reason: 'max_tokens',
      content: [],
      usage: { output_tokens: 0 },
    })
  })

  test('is the one of the newer name where chat completions set two', () => {
    for (const [newer, older] of [
      [1, 4],
      [4, 1],
    ]) {
      const body = { model: 'demo/echo', messages: hello, max_completion_tokens: newer, max_tokens: older }
      expect(jsonOf(startDemo().ask('/chat/completions', body))).toMatchObject({ usage: { completion_tokens: newer } })
    }
  })

  test('is 16,384 tokens where the request sets a higher one or none', () => {
    const body = { model: 'demo/echo', input: 'word '.repeat(20_000), max_output_tokens: 128_000 }
    expect(jsonOf(startDemo().ask('/responses', body))).toMatchObject({ usage: { output_tokens: 16_384 } })
  })
})

describe('a wrong request', () => {
  test.for([
    ['/chat/completions', '{"model":', 400, openai(/not a JSON object/, {})],
    ['/chat/completions', { model: 'demo/echo' }, 400, openai(/messages takes a list/, { param: 'messages' })],
    ['/chat/completions', { ...streamed, max_tokens: 0 }, 400, openai(/max_tokens/, { param: 'max_tokens' })],
    ['/chat/completions', { ...streamed, n: 2 }, 400, openai(/n takes 1/, { param: 'n' })],
    [
      '/chat/completions',
      { ...streamed, model: 'gpt-9' },
      404,
      openai(/"gpt-9"/, { param: 'model', code: 'model_not_found' }),
    ],
    ['/responses', { model: 'demo/echo', input: [] }, 400, openai(/input takes a list/, { param: 'input' })],
    [
      '/responses',
      { model: 'demo/echo', input: 'x', previous_response_id: 'resp_1' },
      400,
      openai(/stores none/, { param: 'previous_response_id', code: 'previous_response_not_found' }),
    ],
    ['/embeddings', { model: 'demo/echo', input: [''] }, 400, openai(/none may be empty/, { param: 'input' })],
    ['/models', {}, 404, openai(/no POST \/models/, {})],
  ] as const)('%s %j is answered %d in the shape of OpenAI', ([path, body, status, answer]) => {
    const report = startDemo().ask(path, body)
    expect(report.calls).toEqual(['head', 'data', 'end'])
    expect(report.status).toBe(status)
    expect(jsonOf(report)).toEqual(answer)
  })

  test.for([
    [{ messages: hello, model: 'demo/echo' }, 400, 'invalid_request_error', /max_tokens/],
    [{ messages: [], model: 'demo/echo', max_tokens: 5 }, 400, 'invalid_request_error', /messages/],
    [{ messages: hello, model: 'claude-9', max_tokens: 5 }, 404, 'not_found_error', /claude-9/],
    ['', 400, 'invalid_request_error', /JSON/],
  ] as const)('%j is answered %d in the shape of Anthropic', ([body, status, type, message]) => {
    const report = startDemo().ask('/v1/messages', body)
    expect(report.status).toBe(status)
    const error = { type, message: expect.stringMatching(message) }
    expect(jsonOf(report)).toEqual({ type: 'error', error, request_id: 'req_demo000001' })
  })

  test.for([
    ['is nested without an end', '['.repeat(50_000), /not a JSON object/],
    ['has more values than are parsed here', '['.repeat(100_000), /larger than this model reads/],
    ['is nested very deep', `{"messages":${'['.repeat(5000)}${']'.repeat(5000)}}`, /nested deeper/],
    ['is null', 'null', /not a JSON object/],
  ] as const)('with a body that %s is refused, and costs no other request anything', ([, body, message]) => {
    const report = startDemo().ask('/chat/completions', body)
    expect(report.status).toBe(400)
    expect(jsonOf(report)).toEqual(openai(message, {}))
  })

  test('that no context window holds is refused in the words by which clients know it', () => {
    const messages = [{ role: 'user', content: 'word '.repeat(130_000) }]
    const body = { model: 'demo/echo', messages, max_tokens: 5 }
    expect(jsonOf(startDemo().ask('/chat/completions', body))).toEqual(
      openai(/maximum context length is 128000 tokens.*resulted in 130001/, {
        param: 'messages',
        code: 'context_length_exceeded',
      }),
    )
    expect(jsonOf(startDemo().ask('/messages', body))).toMatchObject({
      error: { message: 'prompt is too long: 130001 tokens > 128000 maximum' },
    })
    expect(jsonOf(startDemo().ask('/messages/count_tokens', body))).toEqual({ input_tokens: 130_001 })
  })
})

describe('what the simulator does not know', () => {
  test('is passed over: a vendor’s fields, tools that run elsewhere, items that were to be stored', () => {
    const vendors = { chat_template_kwargs: { a: 1 }, tools: [{ type: 'web_search' }], tool_choice: 'required' }
    const chat = jsonOf(startDemo().ask('/chat/completions', { model: 'demo/echo', messages: hello, ...vendors }))
    expect(chat).toMatchObject({ choices: [{ message: { content: hello[0]?.content } }] })
    const input = [...hello, { type: 'item_reference', id: 'msg_1' }, { role: 'user', content: 'And again.' }]
    const response = jsonOf(startDemo().ask('/responses', { model: 'demo/echo', input, a_new_field: {} }))
    expect(response).toMatchObject({ output: [{ content: [{ text: 'And again.' }] }] })
  })

  test('is refused by the field where its value has no meaning', () => {
    const messages = [{ role: 'user', content: [{ type: 'hologram' }] }]
    const report = startDemo().ask('/chat/completions', { model: 'demo/echo', messages })
    expect(report.status).toBe(400)
    const param = 'messages[0].content[0].type'
    const message = /^`messages\[0\]\.content\[0\]\.type` is not supported by this model: it has no content of/
    expect(jsonOf(report)).toEqual(openai(message, { param }))
  })
})
