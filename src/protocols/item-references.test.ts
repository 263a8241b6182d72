import { describe, expect, test } from 'vitest'
import { STORED_IDS_LIMIT } from '../core/limits.ts'
import { openaiResponses } from './openai-responses.ts'
import { storedIdsIn } from './stored-ids.ts'

function named(input: string, more = ''): readonly string[] {
  const body = Buffer.from(`{"model":"m",${more}"input":${input}}`)
  const { outside } = openaiResponses.readRequest(body)
  const { answers } = storedIdsIn(body, outside)
  expect(outside.kept).toBe(answers.length > 0)
  return answers
}

/** Items that stand for what was made before, since nothing of it is in them. */
const REFERENCES = [
  { item: '{"type":"image_generation_call","id":"x_1"}', from: 'openai/openai-openapi#575' },
  { item: '{"type":"image_generation_call","id":"x_1","result":null,"status":"completed"}', from: null },
  {
    item: '{"type":"reasoning","id":"x_1","encrypted_content":null,"summary":[]}',
    from: 'vercel/ai#7543',
  },
  {
    item: '{"type":"reasoning","id":"x_1","summary":[{"type":"summary_text","text":"t"}]}',
    from: 'earendil-works/pi#3369',
  },
  { item: '{"type":"message","id":"x_1","role":"assistant","status":"completed"}', from: null },
  { item: '{"type":"message","id":"x_1","role":"assistant","content":[]}', from: null },
  { item: '{"type":"function_call","id":"x_1","call_id":"c","name":"f"}', from: null },
  { item: '{"type":"web_search_call","id":"x_1","status":"completed"}', from: null },
  { item: '{"type":"file_search_call","id":"x_1","queries":[],"results":null}', from: null },
  { item: '{"type":"code_interpreter_call","id":"x_1","code":null}', from: null },
  { item: '{"type":"computer_call","id":"x_1","call_id":"c"}', from: null },
  { item: '{"type":"local_shell_call","id":"x_1","call_id":"c"}', from: null },
  { item: '{"type":"mcp_call","id":"x_1","name":"f","server_label":"s"}', from: null },
  { item: '{"type":"mcp_list_tools","id":"x_1","server_label":"s"}', from: null },
  { item: '{"type":"custom_tool_call","id":"x_1","call_id":"c","name":"f"}', from: null },
  { item: '{"type":"compaction","id":"x_1"}', from: null },
  { item: '{"type":"something_new","id":"x_1"}', from: null },
  // A field of another type does not make it whole.
  { item: '{"type":"image_generation_call","id":"x_1","content":"x","name":"n"}', from: null },
  { item: '{"type":"constructor","id":"x_1"}', from: null },
]

const escaped = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
const inNames = (item: string, write: (name: string) => string): string =>
  item.replace(/"([a-z_]+)":/g, (_, name: string) => `"${write(name)}":`)

describe('an item with an id and nothing of what it is made of is a reference', () => {
  test.for(REFERENCES)('$item', ({ item }) => {
    expect(named(`[${item}]`)).toEqual(['x_1'])
    expect(named(`[{"role":"user","content":"hi"}, ${item} ,{"role":"user","content":"go on"}]`)).toEqual(['x_1'])
  })

  test.for(REFERENCES)('however its names are written: $item', ({ item }) => {
    for (const write of [
      escaped,
      (name: string) => name.toUpperCase(),
      (name: string) => name[0]?.toUpperCase() + name.slice(1),
    ]) {
      expect(named(`[${inNames(item, write)}]`)).toEqual(['x_1'])
    }
    expect(named(`[${item.replace(/"type":"([a-z_]+)"/, (_, type: string) => `"type":"${escaped(type)}"`)}]`)).toEqual([
      'x_1',
    ])
  })
})

/** What clients send back of an answer that they had whole. */
const WHOLE = [
  '{"type":"message","id":"x_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"t","annotations":[]}]}',
  '{"id":"x_1","role":"assistant","content":"t"}',
  '{"type":"reasoning","id":"x_1","summary":[],"encrypted_content":"gAAAA"}',
  '{"type":"reasoning","id":"x_1","summary":[],"content":[{"type":"reasoning_text","text":"t"}]}',
  '{"type":"function_call","id":"x_1","call_id":"c","name":"f","arguments":"{}"}',
  '{"type":"function_call","id":"x_1","call_id":"c","name":"f","arguments":""}',
  '{"type":"function_call_output","id":"x_1","call_id":"c","output":""}',
  '{"type":"function_call_output","id":"x_1","call_id":"c","output":[{"type":"input_text","text":"t"}]}',
  '{"type":"custom_tool_call","id":"x_1","call_id":"c","name":"f","input":""}',
  '{"type":"custom_tool_call_output","id":"x_1","call_id":"c","output":"done"}',
  '{"type":"image_generation_call","id":"x_1","status":"completed","result":"iVBORw0KGgo="}',
  '{"type":"web_search_call","id":"x_1","status":"completed","action":{"type":"search","query":"q"}}',
  '{"type":"file_search_call","id":"x_1","status":"completed","queries":["q"],"results":null}',
  '{"type":"code_interpreter_call","id":"x_1","code":"1","outputs":null}',
  '{"type":"computer_call","id":"x_1","call_id":"c","action":{"type":"screenshot"},"pending_safety_checks":[],"status":"completed"}',
  '{"type":"computer_call_output","id":"x_1","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,AA"}}',
  '{"type":"local_shell_call","id":"x_1","call_id":"c","action":{"type":"exec","command":["ls"]},"status":"completed"}',
  '{"type":"shell_call","id":"x_1","call_id":"c","action":{"commands":["ls"]}}',
  '{"type":"apply_patch_call","id":"x_1","call_id":"c","operation":{"type":"delete_file","path":"a"},"status":"completed"}',
  '{"type":"apply_patch_call_output","id":"x_1","call_id":"c","status":"completed"}',
  '{"type":"mcp_list_tools","id":"x_1","server_label":"s","tools":[]}',
  '{"type":"mcp_call","id":"x_1","name":"f","server_label":"s","arguments":"{}","output":null}',
  '{"type":"mcp_approval_request","id":"x_1","name":"f","server_label":"s","arguments":"{}"}',
  '{"type":"mcp_approval_response","id":"x_1","approval_request_id":"r","approve":false}',
  '{"type":"compaction","id":"x_1","encrypted_content":"gAAAA"}',
  '{"type":"something_new","id":"x_1","output":"t"}',
  // Without an id it stands for nothing.
  '{"type":"reasoning","summary":[],"encrypted_content":"gAAAA"}',
  '{"type":"reasoning","id":null,"summary":[]}',
  '{"type":"message","id":"","role":"user"}',
]

test.for(WHOLE)('what is sent whole is none: %s', (item) => {
  expect(named(`[${item}]`)).toEqual([])
  expect(named(`[${item},${item}]`)).toEqual([])
})

test('each reference among whole items counts, wherever in them the id stands', () => {
  const items = [
    '{"summary":[],"id":"rs_1","type":"reasoning"}',
    WHOLE[0],
    '{"content":{"id":"no"},"id":"msg_1"}',
    '{"id":"msg_2","type":"message"}',
  ]
  expect(named(`[${items.join(',')}]`)).toEqual(['rs_1', 'msg_2'])
  expect(named('[[{"type":"reasoning","id":"rs_1"}]]')).toEqual(['rs_1'])
  expect(named('[{"type":"reasoning","id":"rs_1","id":"rs_2"}]')).toEqual(['rs_1', 'rs_2'])
})

test('ids in what is the client’s own, in tools and in other lists are none', () => {
  const own = '{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"t","id":"x"}]}'
  expect(named(`[${own}]`, '"tools":[{"type":"mcp","id":"x"}],"metadata":{"id":"x"},')).toEqual([])
})

test('no more of them are noted than a request may name, and one', () => {
  const items = Array.from({ length: STORED_IDS_LIMIT + 500 }, (_, at) => `{"type":"item_reference","id":"msg_${at}"}`)
  const { outside } = openaiResponses.readRequest(Buffer.from(`{"model":"m","input":[${items.join(',')}]}`))
  expect(outside.named).toHaveLength(STORED_IDS_LIMIT + 1)
})
