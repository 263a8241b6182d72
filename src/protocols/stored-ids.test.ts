import { describe, expect, test } from 'vitest'
import { gemini } from './gemini.ts'
import { openaiResponses } from './openai-responses.ts'
import { OUTSIDE_NAMES, OUTSIDE_TYPES } from './reading/outside-names.ts'
import { type StoredIds, storedIdsIn } from './stored-ids.ts'

function found(body: string): StoredIds & { kept: boolean } {
  // Bodies with the messages of another wire alone are refused.
  const own = body.replace(/\}$/, ',"input":"x"}')
  const { outside } = openaiResponses.readRequest(Buffer.from(own))
  return { kept: outside.kept, ...storedIdsIn(Buffer.from(own), outside) }
}

function escaped(text: string): string {
  return text.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const WRITINGS = [
  (text: string) => text,
  escaped,
  (text: string) => text.slice(0, -1) + escaped(text.slice(-1)),
  (text: string) => text.toUpperCase(),
]

const KEPT = Object.entries(OUTSIDE_NAMES).filter(([, rule]) => rule.kept === true)

test.each(KEPT)('what %s names is found to be kept, however the name is written', (name, rule) => {
  for (const write of WRITINGS) {
    const value = rule.value === 'object' ? '{"id":"skill_1"}' : '"skill_1"'
    const field = `"${write(name)}":${value}`
    const below = rule.below ?? 'input'
    const body = below === '' ? `{"model":"m",${field}}` : `{"model":"m","${below}":[{"role":"user",${field}}]}`
    const { kept, answers, other } = found(body)
    expect([kept, answers.length + (other === null ? 0 : 1)], body).toEqual([true, 1])
  }
})

const REFERRING = Object.entries(OUTSIDE_TYPES).filter(([, adds]) => adds === 'refers')

test.each(REFERRING)('the type %s is one of what is kept', (type) => {
  expect(found(`{"model":"m","input":[{"type":"${type}","id":"x_1","file_id":"y"}]}`).kept).toBe(true)
})

describe('ids of answers and their items', () => {
  test.for([
    ['{"model":"m","previous_response_id":"resp_1"}', ['resp_1']],
    ['{"model":"m","previous\\u005fresponse_id":"resp\\u005f1"}', ['resp_1']],
    ['{"model":"m","Previous_Reſponse_ID":"resp_1"}', ['resp_1']],
    ['{"model":"m","previous_response_id":"resp_1","PREVIOUS_RESPONSE_ID":"resp_2"}', ['resp_1', 'resp_2']],
    ['{"model":"m","previous_response_id":"resp_1","previous_response_id":"resp_2"}', ['resp_1', 'resp_2']],
    ['{"model":"m","previous_response_id":["resp_1"]}', ['']],
    [
      '{"model":"m","input":[{"type":"item_reference","id":"msg_1"},{"id":"rs_1"},{"type":null,"id":"x"}]}',
      ['x', 'rs_1', 'msg_1'],
    ],
    ['{"model":"m","input":[{"TYPE":"item_reference","Id":"msg_1"}]}', ['msg_1']],
    ['{"model":"m","input":[{"type":"item_reference"}]}', ['']],
  ] as const)('of %s', ([body, answers]) => {
    expect(found(body)).toMatchObject({ kept: true, answers: expect.arrayContaining([...answers]), other: null })
    expect(found(body).answers).toHaveLength(answers.length)
  })
})

test.for([
  ['{"model":"m","input":[{"type":"message","id":"msg_1","role":"assistant","content":"x"}]}'],
  ['{"model":"m","input":[{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"}]}'],
  ['{"model":"m","input":[{"type":"reasoning","id":"rs_1","encrypted_content":"x","summary":[]}]}'],
  ['{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"https://e.com/a.png"}]}]}'],
  ['{"model":"m","tools":[{"type":"code_interpreter","container":{"type":"auto"}}]}'],
  ['{"model":"m","container":{"skills":[{"type":"anthropic","skill_id":"xlsx","version":"latest"}]}}'],
  ['{"model":"m","tools":[{"name":"f","parameters":{"properties":{"file_id":"x"}}}],"metadata":{"file_id":"x"}}'],
  ['{"model":"m","messages":[{"content":[{"type":"tool_use","input":{"file_id":"x"}}]}]}'],
  ['{"model":"m","conversation":null,"file_ids":[],"container":""}'],
])('%s names nothing that is kept', ([body = '']) => {
  expect(found(body)).toMatchObject({ answers: [], other: null, otherIds: [] })
})

test.for([
  ['https://www.youtube.com/watch?v=1', null],
  ['https://generativelanguage.googleapis.com/v1beta/files/abc', 'fileUri'],
  ['gs://bucket/film.mp4', 'fileUri'],
  ['files/abc', 'fileUri'],
] as const)('a file of Gemini at %s is kept: %s', ([uri, other]) => {
  const body = Buffer.from(`{"contents":[{"parts":[{"fileData":{"fileUri":"${uri}"}}]}]}`)
  const { outside } = gemini.readRequest(body, { fromPath: { model: 'm', isStream: false } })
  expect(outside.kept).toBe(true)
  expect(storedIdsIn(body, outside).other).toBe(other)
})

test('of what is neither an answer nor an item of one, the ids are read: alone, in lists and in objects', () => {
  const body = {
    container: { id: 'ctr_1' },
    cachedContent: 'cachedContents/1',
    input: [{ file_ids: ['f_1', 2, 'f_2'] }],
  }
  const { otherIds } = found(JSON.stringify({ model: 'm', ...body, conversation: { id: 'conv_1' } }))
  expect([...otherIds].sort()).toEqual(['cachedContents/1', 'conv_1', 'ctr_1', 'f_1', 'f_2'])
})
