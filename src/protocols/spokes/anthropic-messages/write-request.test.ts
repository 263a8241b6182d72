import { describe, expect, test } from 'vitest'
import { factsOf } from '../../../models/table.ts'
import { fitToModel } from '../../hub/fit-to-model.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantPart,
  NeutralRequest,
  ReasoningBlock,
  SystemTurn,
  Tool,
  Turn,
  UserPart,
} from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { RequestSettings, type ClientSettings, SettingsToWrite } from '../../hub/request-settings.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { anthropicMessagesSpoke } from '../anthropic-messages.ts'

interface Given extends Partial<Omit<NeutralRequest, 'settings'>> {
  readonly settings?: Partial<ClientSettings>
  readonly call?: Partial<UpstreamCall>
}

const AT = { at: 'x' }
const ASKED = user({ kind: 'text', text: 'hi', ...AT })
const RESULT: UserPart = {
  kind: 'tool_result',
  callId: 'c',
  parts: [{ kind: 'text', text: 'ok', ...AT }],
  isError: false,
  ...AT,
}
const CALL: AssistantPart = { kind: 'tool_call', id: 'c', name: 'f', input: '{"x":1}', isCustom: false, ...AT }
const TOOL: Tool = { kind: 'function', name: 'f', description: null, schema: null, isStrict: null, ...AT }
const REQUIRED = { kind: 'required', at: 'tool_choice' } as const

function user(...parts: readonly UserPart[]): Turn {
  return { role: 'user', parts, ...AT }
}

function assistant(...parts: readonly AssistantPart[]): Turn {
  return { role: 'assistant', parts, ...AT }
}

function system(text: string): SystemTurn {
  return { role: 'developer', parts: [{ kind: 'text', text, ...AT }], ...AT }
}

function thought(vendor: 'anthropic' | 'openai', at = 'thought'): AssistantPart {
  const block: ReasoningBlock = { kind: 'reasoning', text: 'hm', opaque: { vendor, data: 'EqQB' } }
  return { ...block, at }
}

function write({ settings = {}, call = {}, ...given }: Given): { body: JsonObject; dropped: readonly string[] } {
  const said = new RequestSettings()
  for (const [name, value] of Object.entries(settings)) said.say(name as keyof ClientSettings, value, name)
  const notes = new Notes({})
  const request = { turns: [ASKED], tools: [], toolChoice: null, ...given, settings: said }
  const toWrite = new SettingsToWrite(said, notes)
  const model = call.model ?? 'claude-sonnet-4-5'
  const facts = factsOf({ name: model }, 'anthropic-messages')
  const upstream = { model, facts, isStream: false, modelMaxOutputTokens: null, settings: toWrite, notes }
  const body = JSON.parse(
    JSON.stringify(anthropicMessagesSpoke.writeRequest(fitToModel(request, facts, notes), { ...upstream, ...call })),
  ) as JsonObject
  toWrite.end()
  return { body, dropped: notes.dropped }
}

function messagesOf(...turns: readonly Turn[]): unknown {
  return write({ turns }).body['messages']
}

test('a conversation with tools, as a client of another wire asks for it', () => {
  const { body, dropped } = write({
    turns: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be kind.', ...AT, cache: { ttl: null } }], ...AT },
      ASKED,
      assistant(thought('anthropic'), { kind: 'text', text: 'I look.', ...AT }, CALL),
      user({ kind: 'text', text: 'see', ...AT }),
      user({ ...RESULT, isError: true, cache: { ttl: '1h' } }),
    ],
    tools: [{ ...TOOL, description: 'does', schema: { properties: {} }, isStrict: true }],
    toolChoice: { kind: 'auto', at: 'tool_choice' },
    settings: { maxOutputTokens: 500, parallelToolCalls: false, user: 'u1', serviceClass: 'default', stop: ['END'] },
    call: { isStream: true },
  })
  expect(body).toEqual({
    model: 'claude-sonnet-4-5',
    max_tokens: 500,
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'EqQB' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c', name: 'f', input: { x: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: 'ok',
            is_error: true,
            cache_control: { type: 'ephemeral', ttl: '1h' },
          },
          { type: 'text', text: 'see' },
        ],
      },
    ],
    tools: [
      {
        name: 'f',
        description: 'does',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        strict: true,
      },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    stop_sequences: ['END'],
    metadata: { user_id: 'u1' },
    service_tier: 'standard_only',
    stream: true,
  })
  expect(dropped).toEqual([])
})

describe('turns', () => {
  const said = (text: string): object => ({ type: 'text', text })

  test('later system text becomes the user’s, marked', () => {
    const answer = assistant({ kind: 'text', text: 'yes', ...AT })
    const { body } = write({ turns: [system('a'), ASKED, system('b'), answer, system('c'), ASKED] })
    expect(body['system']).toEqual([said('a'), said('b')])
    expect(body['messages']).toEqual([
      { role: 'user', content: [said('hi')] },
      { role: 'assistant', content: [said('yes')] },
      { role: 'user', content: [said('<system>\nc\n</system>'), said('hi')] },
    ])
  })

  test('the first is the user’s', () => {
    const first = { role: 'user', content: [said('<system>\nThe conversation begins with the assistant.\n</system>')] }
    const answer = assistant({ kind: 'text', text: 'yes', ...AT })
    expect(messagesOf(answer, ASKED)).toMatchObject([first, { role: 'assistant' }, { role: 'user' }])
    expect(write({ turns: [system('a'), system('b')] }).body).toMatchObject({
      system: [said('a')],
      messages: [{ role: 'user', content: [said('b')] }],
    })
  })

  test('texts of nothing, thoughts of others and thoughts at the end are not sent, and no turn is left empty', () => {
    const none = { kind: 'text', text: ' \n', ...AT } as const
    const turns = [
      ASKED,
      assistant(thought('openai', 'a'), none),
      user(none),
      ASKED,
      assistant(thought('anthropic', 'b')),
      ASKED,
    ]
    const { body, dropped } = write({ turns })
    expect(body['messages']).toEqual([
      { role: 'user', content: [said('hi'), said('hi')] },
      { role: 'user', content: [said('hi')] },
    ])
    expect(dropped).toEqual(['a.reasoning', 'b.reasoning'])
  })

  test('an answer to go on with ends in a letter, and holds no thought when there is to be none', () => {
    const turns = [ASKED, assistant(thought('anthropic'), { kind: 'text', text: 'The answer is ( \n', ...AT })]
    expect(messagesOf(...turns)).toMatchObject([{}, { content: [said('The answer is (')] }])
  })

  test('input other than an object is left out by name', () => {
    const { body, dropped } = write({
      turns: [ASKED, assistant({ ...CALL, input: '{"x":', at: 'call' }), user(RESULT)],
    })
    expect(body['messages']).toMatchObject([{}, { content: [{ type: 'tool_use', input: {} }] }, {}])
    expect(dropped).toEqual(['call'])
  })

  test('pictures and documents', () => {
    const data = (mediaType: string): { kind: 'data'; mediaType: string; base64: string } => {
      return { kind: 'data', mediaType, base64: 'SMOp' }
    }
    const url = { kind: 'url', url: 'https://a.test/b', mediaType: null } as const
    const parts: readonly UserPart[] = [
      { kind: 'image', source: data('image/png'), detail: 'high', at: 'image' },
      { kind: 'image', source: url, detail: null, ...AT },
      { kind: 'file', source: data('application/pdf'), name: 'a.pdf', ...AT },
      { kind: 'file', source: url, name: null, ...AT },
      { kind: 'file', source: data('text/markdown; charset=utf-8'), name: null, ...AT },
    ]
    const { body, dropped } = write({ turns: [user(...parts)] })
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'SMOp' } },
          { type: 'image', source: { type: 'url', url: url.url } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'SMOp' },
            title: 'a.pdf',
          },
          { type: 'document', source: { type: 'url', url: url.url } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hé' } },
        ],
      },
    ])
    expect(dropped).toEqual(['image.detail'])
    const sound: UserPart = { kind: 'audio', source: data('audio/wav'), at: 'sound' }
    const sheet: UserPart = { kind: 'file', source: data('application/zip'), name: null, at: 'sheet' }
    expect(() => messagesOf(user(sound))).toThrow('`sound` cannot be translated')
    expect(() => messagesOf(user(sheet))).toThrow('`sheet` cannot be translated')
  })
})

describe('tool choices', () => {
  const tools = [TOOL, { ...TOOL, name: 'g' }]
  test.for([
    [{ kind: 'none', ...AT }, { type: 'none' }, ['f', 'g']],
    [REQUIRED, { type: 'any' }, ['f', 'g']],
    [{ kind: 'one', name: 'g', ...AT }, { type: 'tool', name: 'g' }, ['f', 'g']],
    [{ kind: 'some', names: ['g'], isRequired: true, ...AT }, { type: 'tool', name: 'g' }, ['f', 'g']],
    [{ kind: 'some', names: ['g', 'f'], isRequired: true, ...AT }, { type: 'any' }, ['f', 'g']],
    [{ kind: 'some', names: ['g'], isRequired: false, ...AT }, { type: 'auto' }, ['g']],
    [null, undefined, ['f', 'g']],
  ] as const)('%j', ([toolChoice, choice, names]) => {
    const { body } = write({ tools, toolChoice })
    expect(body['tool_choice']).toEqual(choice)
    expect((body['tools'] as readonly { name: string }[]).map(({ name }) => name)).toEqual(names)
  })

  test('without tools there is none', () => {
    expect(write({ toolChoice: REQUIRED, settings: { parallelToolCalls: false } }).body).not.toHaveProperty(
      'tool_choice',
    )
  })
})

describe('reasoning', () => {
  const wish = { effort: null, budgetTokens: null, isShown: null } as const
  const effort = (of: 'none' | 'minimal' | 'high' | 'xhigh'): object => ({ ...wish, effort: of })
  const budget = (budgetTokens: number): object => ({ ...wish, budgetTokens })
  const enabled = (budget_tokens: number, max_tokens: number): object => {
    return { thinking: { type: 'enabled', budget_tokens }, max_tokens }
  }
  const adaptive = { type: 'adaptive' }

  test.for([
    ['claude-opus-4-5-20251101', effort('high'), null, enabled(16_000, 32_000)],
    ['claude-opus-4-20250514', budget(5_000), 6_000, enabled(5_000, 6_000)],
    ['claude-3-7-sonnet-latest', effort('minimal'), 4_000, enabled(1_024, 4_000)],
    ['claude-haiku-4-5', effort('high'), 4_000, enabled(2_000, 4_000)],
    ['claude-haiku-4-5', effort('high'), 1_000, { max_tokens: 1_000 }],
    ['claude-3-5-haiku-20241022', effort('high'), 4_000, { max_tokens: 4_000 }],
    ['claude-sonnet-4-5', effort('none'), null, { thinking: { type: 'disabled' }, max_tokens: 8_192 }],
    ['claude-3-opus-20240229', effort('none'), null, { max_tokens: 4_096 }],
    ['kimi-k2.6', effort('none'), null, { max_tokens: 8_192, thinking: { type: 'disabled' } }],
    ['glm-5', effort('high'), 9_000, enabled(4_500, 9_000)],
    [
      'anthropic/claude-opus-4.6',
      effort('xhigh'),
      null,
      { thinking: adaptive, output_config: { effort: 'high' }, max_tokens: 32_000 },
    ],
    ['claude-opus-4-8', effort('xhigh'), 9, { thinking: adaptive, output_config: { effort: 'xhigh' }, max_tokens: 9 }],
    ['claude-sonnet-5', wish, 9, { thinking: adaptive, max_tokens: 9 }],
    [
      'claude-sonnet-5',
      { ...wish, isShown: true },
      9,
      { thinking: { ...adaptive, display: 'summarized' }, max_tokens: 9 },
    ],
    ['claude-opus-4-7', effort('none'), 9, { max_tokens: 9 }],
    ['claude-opus-5', effort('none'), 9, { thinking: { type: 'disabled' }, max_tokens: 9 }],
    ['claude-sonnet-5-5', effort('none'), 9, { thinking: { type: 'between_tools' }, max_tokens: 9 }],
    [
      'anthropic.claude-fable-5-1',
      effort('none'),
      9,
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 9 },
    ],
    [
      'claude-mythos-preview',
      effort('xhigh'),
      9,
      { thinking: adaptive, output_config: { effort: 'high' }, max_tokens: 9 },
    ],
  ] as const)('%s, %j within %s', ([model, reasoning, maxOutputTokens, expected]) => {
    const settings = { reasoning, ...(maxOutputTokens === null ? {} : { maxOutputTokens }) } as Partial<ClientSettings>
    const { body, dropped } = write({ settings, call: { model } })
    const { model: _, messages: __, ...rest } = body
    expect(rest).toEqual(expected)
    const isLost = JSON.stringify(reasoning) !== JSON.stringify(effort('none')) && !('thinking' in expected)
    expect(dropped).toEqual(isLost || model.includes('fable') ? ['reasoning'] : [])
  })

  const high = { reasoning: effort('high') } as Partial<ClientSettings>

  test('a limit beyond what the model can write is that of the model', () => {
    const call = { modelMaxOutputTokens: 64_000 }
    expect(write({ settings: { maxOutputTokens: 262_144 }, call }).body).toMatchObject({ max_tokens: 64_000 })
    expect(write({ settings: high, call }).body).toMatchObject(enabled(16_384, 64_000))
  })

  test('no thinking where a call is forced', () => {
    const forced = { tools: [TOOL], toolChoice: REQUIRED, settings: high }
    expect(write(forced).body).not.toHaveProperty('thinking')
    expect(write(forced).dropped).toEqual(['reasoning'])
    const { body, dropped } = write({ ...forced, call: { model: 'claude-opus-4-6' } })
    expect(body).not.toHaveProperty('thinking')
    expect(body).toMatchObject({ output_config: { effort: 'high' } })
    expect(dropped).toEqual(['reasoning'])
  })

  test('no thinking by a budget where the thought before the calls did not come back', () => {
    const thinks = (...turns: readonly Turn[]): boolean => 'thinking' in write({ turns, settings: high }).body
    const bare = [ASKED, assistant(thought('openai'), CALL), user(RESULT)]
    const whole = [ASKED, assistant(thought('anthropic'), CALL), user(RESULT)]
    const further = [assistant(CALL), user(RESULT)]
    expect(thinks(...bare)).toBe(false)
    expect(thinks(...bare, ...further)).toBe(false)
    expect(thinks(...bare, system('now'))).toBe(false)
    expect(thinks(...whole)).toBe(true)
    expect(thinks(...whole, ...further)).toBe(true)
    expect(thinks(...bare, assistant({ kind: 'text', text: 'so', ...AT }), ASKED)).toBe(true)
    expect('thinking' in write({ turns: bare, settings: high, call: { model: 'claude-opus-5' } }).body).toBe(true)
  })
})

describe('settings', () => {
  const sampling = { temperature: 1.4, topP: 0.9, topK: 5 }
  const thinking = { effort: 'high', budgetTokens: null, isShown: null } as const

  test.for([
    ['claude-sonnet-4', {}, { temperature: 1, top_p: 0.9, top_k: 5 }, ['temperature']],
    ['claude-sonnet-4-5', {}, { temperature: 1, top_k: 5 }, ['temperature', 'topP']],
    ['claude-opus-4-7', {}, {}, ['temperature', 'topP', 'topK']],
    ['claude-sonnet-4', { reasoning: thinking }, {}, ['temperature', 'topP', 'topK']],
    ['claude-opus-4-7', { temperature: 1, topP: 1, topK: 5 }, {}, ['topK']],
  ] as const)('sampling of %s with %j', ([model, more, expected, dropped]) => {
    const written = write({ settings: { ...sampling, ...more }, call: { model } })
    const { temperature, top_p, top_k } = written.body
    expect({ temperature, top_p, top_k }).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
      ...expected,
    })
    expect(written.dropped).toEqual(dropped)
  })

  test('output by a schema', () => {
    const schema = { type: 'object' }
    const format = { kind: 'schema', name: 'n', description: 'd', schema, isStrict: true } as const
    const { body, dropped } = write({ settings: { format } })
    const closed = { ...schema, additionalProperties: false }
    expect(body['output_config']).toEqual({ format: { type: 'json_schema', schema: closed } })
    expect(dropped).toEqual(['format.description'])
  })

  test.for([
    ['format', { format: { kind: 'json' } }],
    ['choices', { choices: 2 }],
    ['logprobs', { logprobs: 3 }],
    ['frequencyPenalty', { frequencyPenalty: 0.5 }],
  ] as const)('%s is refused', ([name, settings]) => {
    expect(() => write({ settings })).toThrow(`\`${name}\` cannot be translated`)
  })

  test('hints are left out by name', () => {
    const settings = { user: 'u'.repeat(300), serviceClass: 'flex', seed: 1, cacheKey: 'k', metadata: { a: 'b' } }
    const { body, dropped } = write({ settings })
    expect(body).not.toHaveProperty('metadata')
    expect(dropped.toSorted()).toEqual(['cacheKey', 'metadata', 'seed', 'serviceClass', 'user'])
  })
})
