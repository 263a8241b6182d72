import { describe, expect, test } from 'vitest'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { CHAT_WIRES, type ChatWire, type HubWire } from '../../src/core/wire.ts'
import { fieldsOf, type JsonObject } from '../../src/protocols/json/json-object.ts'
import { type CallIdForm, upstreamCallId } from '../../src/protocols/hub/tool-call-id.ts'
import {
  CALLS_OF_STREAM,
  CALLS_OF_WHOLE,
  HELLO,
  type ReceivedCall,
  STREAMED_ANSWER,
  streamed,
  translate,
  type UpstreamCall,
  WHOLE_ANSWER,
} from './calls-by-hand.ts'
import { WIRES } from './translation-by-hand.ts'

const PAIRS = WIRES.flatMap((upstream) =>
  CHAT_WIRES.filter((client) => client !== upstream).map((client) => ({ client, upstream })),
)

/** Ids of the answers of one conversation, as the upstream gives them; null: it gives none. */
const CONVERSATIONS: readonly { from: string; what: string; answers: readonly (readonly (string | null)[])[] }[] = [
  { from: 'can1357/oh-my-pi#2055', what: 'one id for two calls', answers: [['call_0', 'call_0']] },
  {
    from: 'NVIDIA-NeMo/Switchyard#502',
    what: 'the same id in every answer',
    answers: [['call_0'], ['call_0'], ['call_0']],
  },
  {
    from: 'fw-ai/fireconnect#16',
    what: 'a count for each answer',
    answers: [['list_dir:0'], ['list_dir:0', 'read_file:1']],
  },
  {
    from: 'open-webui/open-webui#28305',
    what: 'the same six in every answer',
    answers: [0, 1].map(() => [0, 1, 2, 3, 4, 5].map((i) => `search_web:${i}`)),
  },
  {
    from: 'vybestack/llxprt-code#713',
    what: 'a form that the model knows',
    answers: [['functions.get_weather:0'], ['functions.get_weather:1', 'functions.get_weather:2']],
  },
  {
    from: 'TanStack/ai#199',
    what: 'the name of the function',
    answers: [['get_weather', 'get_weather', 'get_weather'], ['get_weather']],
  },
  {
    from: 'maximhq/bifrost#5097',
    what: 'characters that others refuse',
    answers: [['functions.Bash:0', 'a b', 'é/ü']],
  },
  { from: 'HKUDS/nanobot#4356', what: 'bars and dots', answers: [['fc_1|call.2'], ['fc_1|call.2']] },
  {
    from: 'HKUDS/nanobot#1293',
    what: 'longer than 40',
    answers: [
      [`chatcmpl-tool-${'a'.repeat(32)}`],
      [`chatcmpl-tool-${'b'.repeat(32)}`, `chatcmpl-tool-${'b'.repeat(32)}`],
    ],
  },
  { from: 'decolua/9router#393', what: 'longer than 64', answers: [['x'.repeat(65), 'x'.repeat(65), 'y'.repeat(300)]] },
  { from: 'esengine/DeepSeek-Reasonix#8164', what: 'none', answers: [[null, null], [null]] },
  { from: 'jackmpcollins/magentic#276', what: 'nine letters', answers: [['aB3xK9mP2'], ['aB3xK9mP3', 'aB3xK9mP4']] },
  {
    from: 'anthropics/claude-code#20693',
    what: 'Anthropic’s own',
    answers: [['toolu_01A09q90qw90lq917835lq9', 'toolu_01B09q90qw90lq917835lq9']],
  },
  {
    from: 'stanfordnlp/dspy#9825',
    what: 'what looks like one of ours',
    answers: [
      ['tg1-call_0', 'call_0', 'call_0'],
      ['tg_YQ', 'tg-x'],
    ],
  },
]

const text = JSON.stringify

interface Step {
  readonly calls: readonly ReceivedCall[]
  /** Results in the order in which the client sends them. */
  readonly results: readonly ReceivedCall[]
}

/** The conversation so far, as a client of the wire sends it. */
const HISTORY: Readonly<Record<ChatWire, (steps: readonly Step[]) => string>> = {
  'openai-chat': (steps) => {
    const messages = steps.flatMap(({ calls, results }) => [
      `{"role":"assistant","content":null,"tool_calls":[${calls.map(({ id, name }) => `{"id":${text(id)},"type":"function","function":{"name":"${name}","arguments":"{}"}}`).join(',')}]}`,
      ...results.map(({ id, name }) => `{"role":"tool","tool_call_id":${text(id)},"content":"result of ${name}"}`),
    ])
    return `{"model":"m","messages":[{"role":"user","content":"Hi"},${messages.join(',')}]}`
  },
  'openai-responses': (steps) => {
    const items = steps.flatMap(({ calls, results }) => [
      ...calls.map(
        ({ id, name }) => `{"type":"function_call","call_id":${text(id)},"name":"${name}","arguments":"{}"}`,
      ),
      ...results.map(
        ({ id, name }) => `{"type":"function_call_output","call_id":${text(id)},"output":"result of ${name}"}`,
      ),
    ])
    return `{"model":"m","input":[{"role":"user","content":"Hi"},${items.join(',')}]}`
  },
  'anthropic-messages': (steps) => {
    const messages = steps.flatMap(({ calls, results }) => [
      `{"role":"assistant","content":[${calls.map(({ id, name }) => `{"type":"tool_use","id":${text(id)},"name":"${name}","input":{}}`).join(',')}]}`,
      `{"role":"user","content":[${results.map(({ id, name }) => `{"type":"tool_result","tool_use_id":${text(id)},"content":"result of ${name}"}`).join(',')}]}`,
    ])
    return `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hi"},${messages.join(',')}]}`
  },
  gemini: (steps) => {
    const contents = steps.flatMap(({ calls, results }) => [
      `{"role":"model","parts":[${calls.map(({ id, name }) => `{"functionCall":{"id":${text(id)},"name":"${name}","args":{}}}`).join(',')}]}`,
      `{"role":"user","parts":[${results.map(({ id, name }) => `{"functionResponse":{"id":${text(id)},"name":"${name}","response":{"output":"result of ${name}"}}}`).join(',')}]}`,
    ])
    return `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},${contents.join(',')}]}`
  },
}

interface Sent {
  readonly calls: readonly { readonly id: unknown; readonly name: unknown }[]
  /** Results with the ids of their calls, and what they say. */
  readonly results: readonly { readonly id: unknown; readonly text: unknown }[]
}

/** The objects in a field that is a list of them. */
function listIn(value: unknown, field: string): readonly JsonObject[] {
  const list = fieldsOf(value)[field]
  return Array.isArray(list) ? list.map((each) => fieldsOf(each)) : []
}

const ofType = (list: readonly JsonObject[], type: string): readonly JsonObject[] =>
  list.filter((each) => each['type'] === type)

/** What an upstream of the wire got, in its order. */
const SENT: Readonly<Record<HubWire, (body: JsonObject) => Sent>> = {
  'openai-chat': (body) => {
    const messages = listIn(body, 'messages')
    const calls = messages.flatMap((message) => listIn(message, 'tool_calls'))
    const results = messages.filter(({ role }) => role === 'tool')
    return {
      calls: calls.map((call) => ({ id: call['id'], name: fieldsOf(call['function'])['name'] })),
      results: results.map((message) => ({ id: message['tool_call_id'], text: message['content'] })),
    }
  },
  'openai-responses': (body) => ({
    calls: ofType(listIn(body, 'input'), 'function_call').map(({ call_id: id, name }) => ({ id, name })),
    results: ofType(listIn(body, 'input'), 'function_call_output').map((item) => {
      return { id: item['call_id'], text: item['output'] }
    }),
  }),
  'anthropic-messages': (body) => {
    const blocks = listIn(body, 'messages').flatMap((message) => listIn(message, 'content'))
    return {
      calls: ofType(blocks, 'tool_use').map(({ id, name }) => ({ id, name })),
      results: ofType(blocks, 'tool_result').map((block) => ({ id: block['tool_use_id'], text: block['content'] })),
    }
  },
  gemini: (body) => {
    const parts = listIn(body, 'contents').flatMap((content) => listIn(content, 'parts'))
    const inParts = (field: string): readonly JsonObject[] =>
      parts.filter((part) => part[field] !== undefined).map((part) => fieldsOf(part[field]))
    return {
      calls: inParts('functionCall').map(({ id, name }) => ({ id, name })),
      results: inParts('functionResponse').map(({ id, response }) => ({ id, text: fieldsOf(response)['output'] })),
    }
  },
  'bedrock-converse': (body) => {
    const blocks = listIn(body, 'messages').flatMap((message) => listIn(message, 'content'))
    const within = (field: string): readonly JsonObject[] =>
      blocks.filter((block) => block[field] !== undefined).map((block) => fieldsOf(block[field]))
    return {
      calls: within('toolUse').map(({ toolUseId: id, name }) => ({ id, name })),
      results: within('toolResult').map((result) => ({
        id: result['toolUseId'],
        text: listIn(result, 'content')[0]?.['text'],
      })),
    }
  },
}

function sentTo(upstream: HubWire, body: Buffer): Sent {
  return SENT[upstream](fieldsOf(JSON.parse(body.toString())))
}

/** Ids that go back as they came: others have more characters than the client may get, or the wire takes. */
const MOST: Readonly<Record<HubWire, RegExp>> = {
  'openai-chat': /^[!-~]{1,40}$/,
  'openai-responses': /^[!-~]{1,64}$/,
  'anthropic-messages': /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[^]+$/,
  'bedrock-converse': /^[a-zA-Z0-9_-]{1,64}$/,
}
/** Wires whose providers want every id once in a conversation. */
const WANTS_EACH_ONCE: ReadonlySet<HubWire> = new Set(['anthropic-messages', 'bedrock-converse'])
const CLIENT_LIMITS: Readonly<Record<ChatWire, number>> = {
  'openai-chat': 40,
  'openai-responses': 64,
  'anthropic-messages': 64,
  gemini: 64,
}

async function play(
  { client, upstream }: { client: ChatWire; upstream: HubWire },
  answers: readonly (readonly (string | null)[])[],
  isStream: boolean,
): Promise<{ steps: readonly Step[]; sent: Sent }> {
  const steps: Step[] = []
  let count = 0
  for (const ids of answers) {
    const given: UpstreamCall[] = ids.map((id) => ({ id: id ?? '', name: `f${count++}`, input: '{}' }))
    const asked = translate(client, steps.length === 0 ? HELLO[client] : HISTORY[client](steps), upstream)
    const calls = isStream
      ? await CALLS_OF_STREAM[client](streamed(asked, STREAMED_ANSWER[upstream](given)))
      : await CALLS_OF_WHOLE[client](asked.answer(Buffer.from(WHOLE_ANSWER[upstream](given)), NO_TOKENS))
    // Tools that run side by side end in any order.
    steps.push({ calls, results: calls.toReversed() })
  }
  const { body } = translate(client, HISTORY[client](steps), upstream)
  return { steps, sent: sentTo(upstream, body) }
}

describe.each(PAIRS)('ids of calls, from $upstream to $client and back', ({ client, upstream }) => {
  test.each(CONVERSATIONS)('$what ($from)', async ({ answers }) => {
    for (const isStream of [false, true]) {
      const { steps, sent } = await play({ client, upstream }, answers, isStream)
      const ids = steps.flatMap(({ calls }) => calls.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(id).toMatch(new RegExp(`^[a-zA-Z0-9_-]{1,${CLIENT_LIMITS[client]}}$`))
      const given = answers.flat()
      expect(sent.calls.map(({ name }) => name)).toEqual(given.map((_, i) => `f${i}`))
      given.forEach((id, i) => {
        const got = sent.calls[i]?.id
        expect(got).toMatch(MOST[upstream])
        const mayRepeat = !WANTS_EACH_ONCE.has(upstream) || given.indexOf(id) === i
        if (id !== null && MOST[upstream].test(id) && wrappedLength(id) <= CLIENT_LIMITS[client] && mayRepeat)
          expect(got).toBe(id)
      })
      if (WANTS_EACH_ONCE.has(upstream)) expect(new Set(sent.calls.map(({ id }) => id)).size).toBe(given.length)
      expectPaired(sent)
    }
  })
})

/** What it takes to be read again. */
function wrappedLength(id: string): number {
  return 4 + (/^[a-zA-Z0-9_-]+$/.test(id) ? id.length : Buffer.from(id).toString('base64url').length)
}

/** Each result is for its call: by its id, and those of one id in the order of their calls. */
function expectPaired({ calls, results }: Sent): void {
  expect(results).toHaveLength(calls.length)
  const left = [...results]
  for (const { id, name } of calls) {
    const at = left.findIndex((result) => result.id === id)
    expect(left[at]?.text).toBe(`result of ${String(name)}`)
    left.splice(at, 1)
  }
}

describe('a conversation that moves to another upstream', () => {
  const answers = [
    ['functions.get_weather:0', 'call_0'],
    ['call_0', `chatcmpl-tool-${'c'.repeat(32)}`],
  ]

  test.each(CHAT_WIRES.filter((wire) => wire !== 'anthropic-messages'))(
    'to messages, of a client of %s (anomalyco/opencode#1279)',
    async (client) => {
      const upstream = client === 'openai-chat' ? 'gemini' : 'openai-chat'
      const { steps } = await play({ client, upstream }, answers, false)
      const { calls, ...sent } = sentTo(
        'anthropic-messages',
        translate(client, HISTORY[client](steps), 'anthropic-messages').body,
      )
      for (const { id } of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(4)
      expectPaired({ calls, ...sent })
    },
  )

  test.each(['openai-responses', 'gemini'] as const)(
    'from a client whose own ids come again, to %s, each result with its function (decolua/9router#4273)',
    (upstream) => {
      const call = (name: string): ReceivedCall => ({ id: 'call_81', name, input: '{}' })
      const steps = ['read', 'write', 'list'].map((name) => ({ calls: [call(name)], results: [call(name)] }))
      const { body } = translate('openai-chat', HISTORY['openai-chat'](steps), upstream)
      expectPaired(sentTo(upstream, body))
      if (upstream !== 'gemini') return
      const names = [...body.toString().matchAll(/"functionResponse":\{"id":"call_81","name":"(\w+)"/g)]
      expect(names.map(([, name]) => name)).toEqual(['read', 'write', 'list'])
    },
  )

  test('from a client whose own ids come again, to messages, which wants each once (anthropics/claude-code#28515)', () => {
    const call = (name: string): ReceivedCall => ({ id: 'call_81', name, input: '{}' })
    const steps = ['read', 'write', 'list'].map((name) => ({ calls: [call(name)], results: [call(name)] }))
    const sent = sentTo(
      'anthropic-messages',
      translate('openai-chat', HISTORY['openai-chat'](steps), 'anthropic-messages').body,
    )
    expect(new Set(sent.calls.map(({ id }) => id)).size).toBe(3)
    expectPaired(sent)
  })
})

test.each<{ form: CallIdForm; id: string; from: string; pattern: RegExp }>([
  {
    form: 'alphanumeric9',
    id: 'toolu_01A09q90qw90lq917835lq9',
    from: 'openclaw/openclaw#57672',
    pattern: /^[a-zA-Z0-9]{9}$/,
  },
  {
    form: 'alphanumeric9',
    id: 'tg_ZnVuY3Rpb25zLmE6MA',
    from: 'langchain-ai/langchain#24668',
    pattern: /^[a-zA-Z0-9]{9}$/,
  },
  { form: 'alphanumeric9', id: 'JlUnFJ7ea', from: 'vllm-project/vllm#29968', pattern: /^JlUnFJ7ea$/ },
  {
    form: 'shorter',
    id: 'portkey-6aa6db90-1b84-4155-9f32-f658c97d6b1b',
    from: 'Portkey-AI/gateway#1062',
    pattern: /^call_[0-9a-f]{24}$/,
  },
  {
    form: 'shorter',
    id: 'ws_689e2d4880a0819d98acca37694989b00b15d90494fc6b87',
    from: 'vercel/ai#8132',
    pattern: /^call_[0-9a-f]{24}$/,
  },
  { form: 'shorter', id: 'tg_ZnVuY3Rpb25zLmE6MA', from: 'ml-explore/mlx-lm#821', pattern: /^functions\.a:0$/ },
  {
    form: 'portable',
    id: 'tg_ZnVuY3Rpb25zLmE6MA',
    from: 'BlockRunAI/ClawRouter#17',
    pattern: /^tg_ZnVuY3Rpb25zLmE6MA$/,
  },
  { form: 'portable', id: '', from: 'anomalyco/opencode#1279', pattern: /^call_[0-9a-f]{24}$/ },
])('an upstream that takes $form gets $id as one ($from)', ({ form, id, pattern }) => {
  expect(upstreamCallId(id, form)).toMatch(pattern)
  expect(upstreamCallId(id, form)).toBe(upstreamCallId(id, form))
})
