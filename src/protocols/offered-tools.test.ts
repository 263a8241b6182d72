import { expect, test } from 'vitest'
import type { HostedTool } from '../core/calls.ts'
import { protocolOf } from './protocol-of.ts'
import { withoutOffered } from './offered-tools.ts'

function lean(tools: string, more = '', left: readonly HostedTool[] = ['web_search']) {
  const body = Buffer.from(`{"model":"m" ,"tools" : ${tools},${more}"input":"é"}`)
  const { limits } = protocolOf('openai-responses').readRequest(body)
  const found = withoutOffered(body, new Set(left), limits)
  const written = found?.body.toString() ?? null
  const rest = written === null ? null : /"tools" : (.*?)(?:,"tool_choice":.*?)?,"input":"é"\}$/s.exec(written)?.[1]
  return { rest, dropped: found?.dropped ?? [] }
}

const OWN = '{"type":"function","name":"a]}\\"","parameters":{"enum":[12345678901234567890,1.0]}}'
const SEARCH = '{"type":"web_search","external_web_access":true,"search_content_types":["text","image"]}'

test.for([
  ['a search behind others', `[${OWN}, ${SEARCH}]`, `[${OWN}]`],
  ['a search before others', `[ ${SEARCH} ,\n${OWN} ]`, `[${OWN}]`],
  ['a search between others', `[${OWN},${SEARCH},${OWN}]`, `[${OWN},${OWN}]`],
  ['two of them', `[${SEARCH},${OWN},{"type":"web_search_preview"}]`, `[${OWN}]`],
  ['its type written with escapes', `[${OWN},{"type":"web\\u005fsearch"}]`, `[${OWN}]`],
  ['beside a custom tool', `[{"type":"custom","name":"patch"},${SEARCH}]`, '[{"type":"custom","name":"patch"}]'],
  ['a tool with a fee stays', `[${OWN},{"type":"file_search"},${SEARCH}]`, `[${OWN},{"type":"file_search"}]`],
] as const)('%s is left out, and all else stays as it is written', ([, tools, rest]) => {
  expect(lean(tools).rest).toBe(rest)
})

test('what is left out is named by its type', () => {
  const tools = `[${SEARCH},${OWN},{"type":"web_search_preview_2025"},{"type":"code_interpreter","container":{}}]`
  expect(lean(tools, '', ['web_search', 'code_interpreter']).dropped).toEqual([
    'tools[].web_search',
    'tools[].web_search_preview_2025',
    'tools[].code_interpreter',
  ])
})

test.for([
  ['alone', `[${SEARCH}]`, ''],
  ['beside tools of the provider alone', `[${SEARCH},{"type":"file_search"}]`, ''],
  ['forced', `[${OWN},${SEARCH}]`, '"tool_choice":{"type":"web_search"},'],
  ['one of those that are allowed', `[${OWN},${SEARCH}]`, '"tool_choice":{"type":"allowed_tools","tools":[]},'],
  ['no list', '{"type":"web_search"}', ''],
  ['part of something else', `[${OWN},{"type":"namespace","tools":[${SEARCH},{"type":"file_search"}]}]`, ''],
] as const)('a search that is %s is what the request is about', ([, tools, more]) => {
  expect(lean(tools, more).rest).toBeNull()
})

test.for(['"auto"', '"required"', 'null', '{"type":"function","name":"a"}'])(
  'with the choice %s it is left out',
  (choice) => {
    expect(lean(`[${OWN},${SEARCH}]`, `"tool_choice":${choice},`).rest).toBe(`[${OWN}]`)
  },
)
