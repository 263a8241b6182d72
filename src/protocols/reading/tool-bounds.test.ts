import { expect, test } from 'vitest'
import { HELD_CALLS } from '../../core/limits.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'

function boundsOf(wire: Wire) {
  const { toolBounds } = protocolOf(wire)
  if (toolBounds === undefined) throw new Error(`${wire} bounds no calls`)
  return toolBounds
}

const SEARCH = '"type":"web_search_20250305","name":"web_search"'
const messages = (tools: string): string => `{"model":"m", "tools" : ${tools}, "messages":[]}`

test.for([
  [`[{${SEARCH}}]`, [null]],
  [`[{${SEARCH},"max_uses":7}]`, [7]],
  [`[{"max_uses" : 7 ,${SEARCH}}]`, [7]],
  [`[{${SEARCH},"max_uses":null}]`, [null]],
  [`[{${SEARCH},"max_uses":"7"}]`, [null]],
  [`[{${SEARCH},"max_uses":-1}]`, [null]],
  [`[{${SEARCH},"max_uses":0}]`, [0]],
  [`[{${SEARCH},"m\\u0061x_uses":7}]`, [7]],
  [`[{${SEARCH},"user_location":{"max_uses":3}}]`, [null]],
  [`[{${SEARCH},"max_uses":2},{"type":"web_fetch_20250910","name":"web_fetch"}]`, [2, null]],
  ['[{"type":"code_execution_20250825","name":"code_execution"}]', []],
  ['[{"name":"web_search","input_schema":{"type":"web_search_20250305"}}]', []],
] as const)('messages: the bounds of %s are %j', ([tools, named]) => {
  expect(
    boundsOf('anthropic-messages')
      .read(Buffer.from(messages(tools)))
      .map((bound) => bound.named),
  ).toEqual(named)
})

test.for([
  [`[{${SEARCH}}]`, 3, `[{"max_uses":3,${SEARCH}}]`],
  [`[{${SEARCH}}]`, 1_000, `[{"max_uses":${HELD_CALLS},${SEARCH}}]`],
  [`[{${SEARCH},"max_uses":7}]`, 3, `[{${SEARCH},"max_uses":3}]`],
  [`[{${SEARCH},"max_uses":7}]`, 9, `[{${SEARCH},"max_uses":7}]`],
  [`[{${SEARCH},"max_uses":700}]`, 1_000, `[{${SEARCH},"max_uses":700}]`],
  [`[{${SEARCH},"max_uses":"many"}]`, 3, `[{${SEARCH},"max_uses":3}]`],
  [`[ { ${SEARCH} , "max_uses" : null } ]`, 3, `[ { ${SEARCH} , "max_uses" : 3 } ]`],
  ['[{"type":"code_execution_20250825"}]', 3, '[{"type":"code_execution_20250825"}]'],
  [
    `[{"name":"own","input_schema":{}},{${SEARCH}},{"type":"web_fetch_20250910","max_uses":9}]`,
    2,
    `[{"name":"own","input_schema":{}},{"max_uses":2,${SEARCH}},{"type":"web_fetch_20250910","max_uses":2}]`,
  ],
] as const)('messages: %s with %d calls at most goes out as %s', ([tools, calls, sent]) => {
  expect(
    boundsOf('anthropic-messages')
      .limit(Buffer.from(messages(tools)), calls)
      .toString(),
  ).toBe(messages(sent))
})

const TOOLS = '"tools":[{"type":"web_search"},{"type":"file_search"}]'

test.for([
  [`{"model":"m",${TOOLS}}`, null],
  [`{"model":"m",${TOOLS},"max_tool_calls":4}`, 4],
  [`{"model":"m",${TOOLS},"max_tool_calls":null}`, null],
] as const)('responses: one bound for all tools of %s is %j', ([body, named]) => {
  expect(boundsOf('openai-responses').read(Buffer.from(body))).toEqual([
    { tools: ['web_search', 'file_search'], named },
  ])
})

test('responses: without tools that are charged there is nothing to bound', () => {
  expect(boundsOf('openai-responses').read(Buffer.from('{"model":"m","tools":[{"type":"function"}]}'))).toEqual([])
})

test.for([
  [`{"model":"m",${TOOLS}}`, 3, `{"max_tool_calls":3,"model":"m",${TOOLS}}`],
  [`{"model":"m",${TOOLS}}`, 1_000, `{"max_tool_calls":${HELD_CALLS},"model":"m",${TOOLS}}`],
  [`{"model":"m",${TOOLS},"max_tool_calls":9}`, 3, `{"model":"m",${TOOLS},"max_tool_calls":3}`],
  [`{"model":"m",${TOOLS},"max_tool_calls":2}`, 3, `{"model":"m",${TOOLS},"max_tool_calls":2}`],
  [`{"model":"m",${TOOLS},"max_tool_calls":null}`, 3, `{"model":"m",${TOOLS},"max_tool_calls":3}`],
] as const)('responses: %s with %d calls at most goes out as %s', ([body, calls, sent]) => {
  expect(boundsOf('openai-responses').limit(Buffer.from(body), calls).toString()).toBe(sent)
})

test('the bound may stand there once, and in its own letters', () => {
  for (const fields of ['"max_tool_calls":1,"max_tool_calls":50', '"max_tool_calls":1,"Max_Tool_Calls":50']) {
    const body = Buffer.from(`{"model":"m","input":"x",${TOOLS},${fields}}`)
    expect(() => protocolOf('openai-responses').readRequest(body)).toThrow(/max_tool_calls|Max_Tool_Calls/)
  }
})

test('a request that names tools in more places than any has is refused', () => {
  const tools = Array.from({ length: 65 }, () => `{${SEARCH}}`).join()
  expect(() => boundsOf('anthropic-messages').read(Buffer.from(messages(`[${tools}]`)))).toThrow(/more than 64/)
})
