import { expect, test } from 'vitest'
import { adaptTools, PartRestorer } from './adapted-tools.ts'
import type { NeutralRequest, Tool, ToolChoice } from './neutral-request.ts'
import { Notes } from './notes.ts'
import { RequestSettings } from './request-settings.ts'

const CAN = { customTools: false, toolName: /^[a-zA-Z0-9_-]{1,64}$/ }

function request(tools: readonly Tool[], toolChoice: ToolChoice | null = null): NeutralRequest {
  return { turns: [], tools, toolChoice, settings: new RequestSettings() }
}
function functionTool(name: string): Tool {
  return { kind: 'function', name, description: null, schema: null, isStrict: null, at: 'tools[0]' }
}
const SEARCH: Tool = { kind: 'hosted', name: 'web_search', at: 'tools[1]' }
const PATCH: Tool = {
  kind: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  grammar: { syntax: 'lark', definition: 'start: "x"' },
  at: 'tools[2]',
}

test('a name that the wire does not take is replaced everywhere, always the same, and put back', () => {
  const name = `mcp__${'long'.repeat(20)}__do it`
  const call = { kind: 'tool_call', id: 'c1', name, input: '{}', isCustom: false, at: '' } as const
  const asked = request([functionTool(name)], { kind: 'one', name, at: 'tool_choice' })
  const notes = new Notes({})
  const adapted = adaptTools({ ...asked, turns: [{ role: 'assistant', parts: [call], at: '' }] }, CAN, notes)
  const [tool] = adapted.request.tools
  expect(tool?.name).toMatch(CAN.toolName)
  expect(adapted.request.toolChoice).toMatchObject({ kind: 'one', name: tool?.name })
  expect(adapted.request.turns[0]?.parts[0]).toMatchObject({ name: tool?.name })
  expect(adapted.names.of(tool?.name ?? '')).toEqual({ name, isCustom: false })
  expect(adaptTools(asked, CAN, notes).request.tools[0]?.name).toBe(tool?.name)
})

test('two long names that begin alike stay two', () => {
  const tools = ['a', 'b'].map((end) => functionTool('x'.repeat(70) + end))
  const names = adaptTools(request(tools), CAN, new Notes({})).request.tools.map((tool) => tool.name)
  expect(new Set(names).size).toBe(2)
})

test('a custom tool becomes a function with its text as the one argument, and its calls come back as text', () => {
  const { request: adapted, names } = adaptTools(request([PATCH]), CAN, new Notes({}))
  expect(adapted.tools[0]).toMatchObject({ kind: 'function', name: 'apply_patch', schema: { required: ['input'] } })
  expect(JSON.stringify(adapted.tools[0])).toContain('lark')
  const answer = names.restored({
    choices: [
      {
        blocks: [{ kind: 'tool_call', id: 'c', name: 'apply_patch', input: '{"input":"a\\"b"}', isCustom: false }],
        stop: { reason: 'tool_calls', sequence: null },
      },
    ],
  })
  expect(answer.choices[0]?.blocks[0]).toMatchObject({ input: 'a"b', isCustom: true })

  const restorer = new PartRestorer(names)
  const of = { kind: 'tool_call', id: 'c', name: 'apply_patch', isCustom: false } as const
  expect(restorer.restore({ kind: 'begin', block: 3, choice: 0, of })).toMatchObject([{ of: { isCustom: true } }])
  expect(restorer.restore({ kind: 'delta', block: 3, text: '{"inp' })).toEqual([])
  expect(restorer.restore({ kind: 'delta', block: 3, text: 'ut":"a\\"b"}' })).toEqual([])
  expect(restorer.restore({ kind: 'end', block: 3 })).toEqual([
    { kind: 'delta', block: 3, text: 'a"b' },
    { kind: 'end', block: 3 },
  ])
})

test('a tool that its provider runs is left out beside others, and named', () => {
  const notes = new Notes({})
  const adapted = adaptTools(request([functionTool('read'), SEARCH]), CAN, notes)
  expect(adapted.request.tools.map((tool) => tool.name)).toEqual(['read'])
  expect(notes.dropped).toEqual(['tools[].web_search'])
})

test.for([
  ['alone', request([SEARCH])],
  ['forced', request([functionTool('read'), SEARCH], { kind: 'one', name: 'web_search', at: 'tool_choice' })],
] as const)('such a tool that is %s is refused by name', ([, asked]) => {
  const refused = () => adaptTools(asked, CAN, new Notes({}))
  expect(refused).toThrow(expect.objectContaining({ code: 'request_invalid', details: { param: 'tools[1]' } }))
})
