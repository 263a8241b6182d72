import OpenAI from 'openai'
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

/**
 * Requests as Cursor sends them to chat completions: in the form of responses, with the answer read as a chat completion. Seen
 * in gabrii/Cursor-Azure-GPT-5#69, Soju06/codex-lb#833, nsxdavid/anthropic-max-router#2 and BerriAI/litellm#18200.
 */

let gateway: GatewayUnderTest
let client: OpenAI

const PROTOCOLS = ['openai', 'openai-chat', 'anthropic'] as const
const nameOn = (protocol: string): string => `fake/echo?tag=${protocol}`

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  for (const protocol of PROTOCOLS) await gateway.model(nameOn(protocol), { protocols: [protocol] })
  const { secret } = await gateway.key(await gateway.account())
  client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
})

afterAll(() => gateway.close())

const FIELDS = {
  user: 'someone',
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'medium', summary: 'auto' },
  text: { verbosity: 'low' },
  prompt_cache_retention: '24h',
  metadata: { cursorConversationId: 'c1' },
  max_output_tokens: 500,
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'input_text', text: 'say it back' }] },
  ],
}

const TOOL = {
  type: 'function',
  name: 'look_up',
  description: 'Looks a word up.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  strict: false,
}

async function ask(model: string, fields: object, stream: boolean): Promise<OpenAI.ChatCompletion> {
  const body = { model, ...FIELDS, ...fields } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  if (!stream) return client.chat.completions.create(body)
  const events = await client.chat.completions.create({ ...body, stream, stream_options: { include_usage: true } })
  return ChatCompletionStream.fromReadableStream(events.toReadableStream()).finalChatCompletion()
}

describe.for(PROTOCOLS)('on an upstream of the protocol %s', (protocol) => {
  test.for([[false], [true]] as const)('the answer is a chat completion, streamed %s', async ([stream]) => {
    const { choices, usage, object } = await ask(nameOn(protocol), {}, stream)
    expect(object).toBe('chat.completion')
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } })
    expect(choices[0]?.message.content).toContain('say it back')
    expect(usage?.prompt_tokens).toBeGreaterThan(0)
    expect(usage?.completion_tokens).toBeGreaterThan(0)
  })

  test.for([[false], [true]] as const)('tools of the other form are called, streamed %s', async ([stream]) => {
    const { choices } = await ask(nameOn(protocol), { tools: [TOOL], tool_choice: 'required' }, stream)
    const [call] = choices[0]?.message.tool_calls ?? []
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    expect(call?.type === 'function' ? call.function.name : '').toBe('look_up')
  })

  test('calls and results of the past are carried', async () => {
    const input = [
      ...FIELDS.input,
      { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{"word":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'found' },
      { role: 'user', content: 'and again' },
    ]
    const { choices } = await ask(nameOn(protocol), { input, tools: [TOOL] }, false)
    expect(choices).toHaveLength(1)
  })
})

test('it is paid for as any other', async () => {
  const asked = client.chat.completions.create({ model: nameOn('openai'), ...FIELDS } as never)
  const { response } = await asked.withResponse()
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(Number(response.headers.get('x-tollgate-cost'))).toBeGreaterThan(0)
})

test('what this form cannot have here is refused by name', async () => {
  const asked = ask(nameOn('openai'), { previous_response_id: 'resp_1' }, false)
  await expect(asked).rejects.toThrow(/`previous_response_id` cannot be translated/)
})
