import { describe, expect, test } from 'vitest'
import { CHAT_WIRES, type ChatWire } from '../../src/core/wire.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import {
  CALLS_OF_STREAM,
  CALLS_OF_WHOLE,
  HELLO,
  squeezed,
  STREAMED_ANSWER,
  streamed,
  translate,
  WHOLE_ANSWER,
} from './calls-by-hand.ts'
import { ANY_MODEL, WIRES } from './translation-by-hand.ts'

/** JSON that says something else once JavaScript has read and written it. */
const INPUTS: readonly { from: string; what: string; input: string }[] = [
  { from: 'earendil-works/pi#8943', what: 'an integer of 19 digits', input: '{"id":2512292042121000001}' },
  { from: 'oceanbase/powercontext#91', what: 'one of 18', input: '{"memory_id":653247040368672768,"q":"a"}' },
  { from: 'rhysd/fixjson#19', what: 'one in a list', input: '{"ids":[3791411052119578828,-9007199254740993]}' },
  { from: 'openai/codex#33452', what: 'a whole number with a point', input: '{"session_id":96230.0,"n":-0.0,"m":-0}' },
  { from: 'lidge-jun/opencodex#1611', what: 'one with more zeros', input: '{"yield_time_ms":120000.00,"r":0.50}' },
  {
    from: 'duolahypercho/codex-router#178',
    what: 'exponents',
    input: '{"a":2.0e4,"b":1E5,"c":1e-7,"d":1e400,"e":5e-324}',
  },
  {
    from: 'com-lihaoyi/upickle#522',
    what: 'more digits than a double has',
    input: '{"a":738529527931269425,"pi":3.14159265358979323846264338327950288}',
  },
  {
    from: 'josdejong/jsoneditor#1205',
    what: 'numbers as keys, out of order',
    input: '{"a":1,"80":{"10":1,"2":2},"d":1}',
  },
  {
    from: 'josdejong/jsoneditor#1351',
    what: 'numbers as keys in a list',
    input: '{"list":[{"10":"x","2":"y"},{"2":1}]}',
  },
  { from: 'josdejong/lossless-json#244', what: 'a key twice', input: '{"path":"a","path":"b","x":{"k":1,"k":1}}' },
  { from: 'dlang/dlang.org#3992', what: 'a key twice, once escaped', input: '{"key":1,"x":{},"key":[2]}' },
  {
    from: 'elizaOS/eliza#30599',
    what: 'a key named __proto__',
    input: '{"path":"/etc/passwd","__proto__":{"approved":true},"n":1.0}',
  },
  {
    from: 'anthropics/claude-code#6199',
    what: 'half a pair of surrogates',
    input: '{"text":"\\ud83d half","\\udc00":1.0}',
  },
  { from: 'agent0ai/agent-zero#1773', what: 'a pair as escapes', input: '{"text":"\\ud83c\\udf78","n":1.0}' },
  {
    from: 'sourcemeta/jsonschema#235',
    what: 'white space and lines',
    input: '{\n  "id": -9223372036854775808,\r\n\t"b": [ 1.0 , 2 ]\n}',
  },
  {
    from: 'nothing unusual',
    what: 'what JavaScript has as it came',
    input: '{"a":[1,-2.5,0.001,true,null,"1.0 1e5 \\"k\\":12345678901234567890"],"b":{}}',
  },
]

/** Escapes of characters may be written out; all else is the same. */
function plain(json: string): string {
  return squeezed(json).replace(/\\u([0-9a-f]{4})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\ud800-\udfff]/.test(character) ? escape.toLowerCase() : character
  })
}

/** The input as the bytes have it: as an object, or as the text of one. */
function holds(bytes: Buffer, input: string): boolean {
  const body = plain(bytes.toString())
  const paired = plain(input.replace('\\ud83c\\udf78', '🍸'))
  return [plain(input), paired].some((each) => body.includes(each) || strings(bytes.toString()).includes(each))
}

/** All strings in a JSON text, or in the events of a stream, that are JSON themselves. */
function strings(json: string): string[] {
  return (json.match(/"(?:[^"\\]|\\.)*"/g) ?? []).flatMap((literal) => {
    const text = JSON.parse(literal) as string
    return text.trimStart().startsWith('{') ? [plain(text)] : []
  })
}

const PAIRS = WIRES.flatMap((upstream) =>
  CHAT_WIRES.filter((client) => client !== upstream).map((client) => ({ client, upstream })),
)

describe.each(PAIRS)('arguments in answers, from $upstream to $client', ({ client, upstream }) => {
  test.each(INPUTS)('$what: $input ($from)', async ({ input }) => {
    const calls = [
      { id: 'call_a', name: 'f', input },
      { id: 'call_b', name: 'g', input: '{}' },
    ]
    const whole = translate(client, HELLO[client], upstream).answer(
      Buffer.from(WHOLE_ANSWER[upstream](calls)),
      NO_TOKENS,
    )
    expect(holds(whole, input)).toBe(true)
    expect(await CALLS_OF_WHOLE[client](whole)).toMatchObject([{ name: 'f' }, { name: 'g', input: '{}' }])
    const stream = streamed(translate(client, HELLO[client], upstream), STREAMED_ANSWER[upstream](calls))
    const received = await CALLS_OF_STREAM[client](stream)
    expect(received).toMatchObject([{ name: 'f' }, { name: 'g' }])
    expect(holds(stream, input) || plain(received[0]?.input ?? '') === plain(input)).toBe(true)
  })
})

const text = JSON.stringify

/** A conversation with a call and its result, and a tool with a schema. `schema` and `result` are JSON texts. */
const HISTORY: Readonly<Record<ChatWire, (parts: { input: string; schema: string }) => string>> = {
  'openai-chat': ({ input, schema }) =>
    `{"model":"m","temperature":1.0,"seed":7,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"f","arguments":${text(input)}}}]},{"role":"tool","tool_call_id":"call_a","content":"ok"}],"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`,
  'openai-responses': ({ input, schema }) =>
    `{"model":"m","top_p":1.0,"input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"call_a","name":"f","arguments":${text(input)}},{"type":"function_call_output","call_id":"call_a","output":"ok"}],"tools":[{"type":"function","name":"f","parameters":${schema}}]}`,
  'anthropic-messages': ({ input, schema }) =>
    `{"model":"m","max_tokens":100,"temperature":1.0,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"call_a","name":"f","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_a","content":"ok"}]}],"tools":[{"name":"f","input_schema":${schema}}]}`,
  gemini: ({ input, schema }) =>
    `{"generationConfig":{"temperature":0.50},"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":${input}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${schema}}]}]}`,
}

const SCHEMAS: readonly { from: string; what: string; schema: string }[] = [
  {
    from: 'xddq/schema2typebox#56',
    what: 'bounds of 64 bits',
    schema: '{"type":"object","properties":{"n":{"type":"integer","maximum":18446744073709551615,"minimum":0}}}',
  },
  {
    from: 'GREsau/schemars#163',
    what: 'bounds of 128 bits',
    schema: '{"type":"object","properties":{"n":{"maximum":340282366920938463463374607431768211455}}}',
  },
  {
    from: 'networknt/json-schema-validator#132',
    what: 'the least integer of 64 bits, as an enumeration, a constant and a default',
    schema:
      '{"type":"object","properties":{"n":{"enum":[-9223372036854775808,1.0,1e3],"default":1.0},"m":{"const":9223372036854775807}}}',
  },
  {
    from: 'Open-Federation/json-schema-editor-visual#80',
    what: 'properties that are numbers, out of order',
    schema: '{"type":"object","properties":{"field_1":{"type":"string"},"10":{"type":"string"},"2":{"minimum":0.0}}}',
  },
  {
    from: 'lxsmnsyc/seroval#81',
    what: 'a property named __proto__',
    schema: '{"type":"object","properties":{"__proto__":{"multipleOf":0.10},"a":{"type":"string"}}}',
  },
]

describe.each(PAIRS)('requests from $client to $upstream', ({ client, upstream }) => {
  test.each(INPUTS)('arguments of the past: $what: $input ($from)', ({ input }) => {
    const { body } = translate(client, HISTORY[client]({ input, schema: '{"type":"object"}' }), upstream)
    expect(holds(body, input)).toBe(true)
    expect(() => JSON.parse(body.toString())).not.toThrow()
    expect(body.toString()).not.toContain('�')
  })

  test.each(SCHEMAS)('schemas: $what ($from)', ({ schema }) => {
    const { body } = translate(client, HISTORY[client]({ input: '{}', schema }), upstream)
    expect(squeezed(body.toString())).toContain(schema)
  })
})

describe.each(['openai-chat', 'openai-responses', 'anthropic-messages'] as const)('to %s', (upstream) => {
  test.each(INPUTS)('results that are objects of Gemini’s: $what: $input ($from)', ({ input }) => {
    const body = HISTORY.gemini({ input: '{}', schema: '{"type":"object"}' }).replace('{"output":"ok"}', () => input)
    const asked = translate('gemini', body, upstream)
    expect(holds(asked.body, input)).toBe(true)
  })

  test.each(SCHEMAS)('schemas of answers: $what ($from)', ({ schema }) => {
    const format = `{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`
    const client = upstream === 'openai-chat' ? 'gemini' : 'openai-chat'
    const body =
      client === 'gemini'
        ? HELLO.gemini.replace(
            '{',
            () => `{"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":${schema}},`,
          )
        : HELLO['openai-chat'].replace('{', () => `{"response_format":${format},`)
    // Of a model that takes schemas as they are; others get bounds and open objects in another way.
    expect(squeezed(translate(client, body, upstream, ANY_MODEL).body.toString())).toContain(schema)
  })
})

test('Google’s own schemas keep their numbers (camaraproject/Commonalities#667)', () => {
  const schema = '{"type":"OBJECT","properties":{"n":{"type":"INTEGER","maximum":9223372036854775807,"minimum":1.0}}}'
  const body = HELLO.gemini.replace(
    '{',
    () => `{"tools":[{"function_declarations":[{"name":"f","parameters":${schema}}]}],`,
  )
  const written = translate('gemini', body, 'openai-chat').body.toString()
  expect(squeezed(written)).toContain('"maximum":9223372036854775807,"minimum":1.0')
})

describe('input that is text where an object belongs', () => {
  const WITHIN = text('{"n":1.0}')

  test.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'of a past call of a messages client, to %s (nielspeter/claude-code-proxy#13)',
    (upstream) => {
      const { body } = translate(
        'anthropic-messages',
        HISTORY['anthropic-messages']({ input: WITHIN, schema: '{}' }),
        upstream,
      )
      expect(holds(body, '{"n":1.0}')).toBe(true)
    },
  )

  test.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'of a messages upstream, to %s (openclaw/openclaw#40425)',
    async (client) => {
      const calls = [{ id: 'a', name: 'f', input: WITHIN }]
      const whole = translate(client, HELLO[client], 'anthropic-messages').answer(
        Buffer.from(WHOLE_ANSWER['anthropic-messages'](calls)),
        NO_TOKENS,
      )
      expect(holds(whole, '{"n":1.0}')).toBe(true)
    },
  )

  test.each(['anthropic-messages', 'gemini'] as const)(
    'text within text, to %s (quarkiverse/quarkus-langchain4j#2642)',
    async (client) => {
      const calls = [{ id: 'a', name: 'f', input: WITHIN }]
      const whole = translate(client, HELLO[client], 'openai-chat').answer(
        Buffer.from(WHOLE_ANSWER['openai-chat'](calls)),
        NO_TOKENS,
      )
      expect(holds(whole, '{"n":1.0}')).toBe(true)
      expect(await CALLS_OF_WHOLE[client](whole)).toMatchObject([{ input: '{"n":1}' }])
    },
  )

  test('null of a Gemini upstream has no arguments (weave-os/router#198)', async () => {
    const body = WHOLE_ANSWER.gemini([{ id: 'a', name: 'f', input: 'null' }])
    const whole = translate('openai-chat', HELLO['openai-chat'], 'gemini').answer(Buffer.from(body), NO_TOKENS)
    expect(await CALLS_OF_WHOLE['openai-chat'](whole)).toMatchObject([{ input: '{}' }])
  })
})

test('arguments nested more deeply than a stack are carried as they are (elizaOS/eliza#22820)', () => {
  const input = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const { body } = translate('openai-chat', HISTORY['openai-chat']({ input, schema: '{}' }), 'anthropic-messages')
  expect(body.toString()).toContain(input)
})

describe('on paths that pass untouched but for the gateway’s own mark', () => {
  const MARK = '~tollgate.reasoning.' + Buffer.from('{"maker":"openai","data":"x"}').toString('base64url')

  const rewritten = (wire: ChatWire, body: string): string => {
    const bytes = Buffer.from(body)
    const protocol = protocolOf(wire)
    const head = protocol.readRequest(bytes, { fromPath: { model: 'm', isStream: false } })
    return Buffer.concat(protocol.rewriteRequest(bytes, head, { model: 'claude-x', askForUsage: false })).toString()
  }

  test.each(INPUTS)('messages: $what: $input ($from)', ({ input }) => {
    const thought = `{"type":"thinking","thinking":"","signature":"${MARK}"}`
    const body = HISTORY['anthropic-messages']({ input, schema: input }).replace(
      '[{"type":"tool_use"',
      () => `[${thought},{"type":"tool_use"`,
    )
    const sent = rewritten('anthropic-messages', body)
    expect(sent).not.toContain(MARK)
    expect(plain(sent)).toContain(`"input":${plain(input).replace('\\ud83c\\udf78', '🍸')}`)
    expect(sent).toContain('"temperature":1.0')
  })

  test.each(INPUTS)('responses: $what: $input ($from)', ({ input }) => {
    const thought = `{"type":"reasoning","summary":[],"encrypted_content":"${MARK}"}`
    const body = HISTORY['openai-responses']({ input, schema: input }).replace(
      '"input":[',
      () => `"input":[${thought},`,
    )
    const sent = rewritten(
      'openai-responses',
      body.replace(MARK, () => MARK.replace('openai', 'openai')),
    )
    expect(sent).not.toContain(MARK)
    expect(plain(sent)).toContain(`"parameters":${plain(input).replace('\\ud83c\\udf78', '🍸')}`)
    expect(sent).toContain('"top_p":1.0')
  })

  test.each(INPUTS)('generateContent: $what: $input ($from)', ({ input }) => {
    const mark = Buffer.from(MARK).toString('base64')
    const body = HISTORY.gemini({ input, schema: input }).replace(
      '{"functionCall"',
      () => `{"thoughtSignature":"${mark}","functionCall"`,
    )
    const sent = rewritten('gemini', body)
    expect(sent).not.toContain(mark)
    expect(plain(sent)).toContain(`"args":${plain(input).replace('\\ud83c\\udf78', '🍸')}`)
    expect(sent).toContain('"temperature":0.50')
  })
})
