import { expect, test } from 'vitest'
import type { OutsideInput } from '../protocol.ts'
import { OUTSIDE_NAMES, OUTSIDE_TYPES } from './outside-names.ts'
import { gemini } from '../gemini.ts'
import { openaiResponses } from '../openai-responses.ts'

/** What the gateway finds in a body; of this wire, though one list serves all. */
function outsideOf(body: string): Omit<OutsideInput, 'kept'> {
  // Bodies with the messages of another wire alone are refused.
  const own = body.replace(/\}$/, ',"input":"x"}')
  const { refers, loops, media } = openaiResponses.readRequest(Buffer.from(own)).outside
  // A long body is walked over in another way.
  const long = openaiResponses.readRequest(Buffer.from(BLANKS + own)).outside
  expect({ refers: long.refers, loops: long.loops, media: long.media }).toEqual({ refers, loops, media })
  return { refers, loops, media }
}

const BLANKS = ' '.repeat(4_096)
const NOTHING = { refers: false, loops: false, media: false }

function escaped(text: string): string {
  return text.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The ways in which one string can be written in JSON. */
const WRITINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'each letter escaped': escaped,
  'the last letter escaped': (text) => text.slice(0, -1) + escaped(text.slice(-1)),
  'capital digits of escapes': (text) => escaped(text).replace(/[a-f](?=[\da-f]*)/g, (digit) => digit.toUpperCase()),
}

/** A value that makes a name count. */
const VALUES = {
  set: '"x_1"',
  object: '{"id":"x_1"}',
  address: '"https://e.com/a"',
  'web address': '"https://e.com/a"',
}

const NAMES = Object.entries(OUTSIDE_NAMES).flatMap(([name, rule]) =>
  rule.value === 'type' ? [] : [{ name, ...rule, content: VALUES[rule.value] }],
)

test.each(NAMES)('the name $name counts however it is written, where it stands', ({ name, adds, below, content }) => {
  for (const write of Object.values(WRITINGS)) {
    const field = `"${write(name)}" : ${content}`
    const places = [
      `{"model":"m",${field}}`,
      `{"model":"m","input":[{"type":"message","content":[{${field}}]}]}`,
      `{"model":"m","${write(below ?? 'input')}":[{${field}}]}`,
    ]
    const counted = places.filter((body) => outsideOf(body)[adds])
    const wanted = below === undefined ? places : below === '' ? [places[0]] : [places[2]]
    expect(counted).toEqual(wanted)
  }
})

test.each(Object.entries(OUTSIDE_TYPES))('the type %s counts however it and its name are written', (type, adds) => {
  for (const write of Object.values(WRITINGS)) {
    for (const value of [write(type), write(type + '_20991231')]) {
      const body = `{"model":"m","tools":[{"${write('type')}":\n"${value}","name":"x"}]}`
      expect(outsideOf(body)).toEqual({ ...NOTHING, [adds]: true })
    }
  }
})

test.each([
  ['previous_response_id', '{"model":"m","previous_response_id":"resp_1"}'],
  ['the case of another parser', '{"model":"m","Previous_Reſponse_ID":"resp_1"}'],
  ['item_reference', '{"model":"m","input":[{"type":"item_reference","id":"msg_1"}]}'],
  ['an item without a type', '{"model":"m","input":[{"id":"msg_1"}]}'],
  ['an item with no type', '{"model":"m","input":[ {"type":null,"i\\u0064":"msg_1"} ]}'],
  ['the id last', '{"model":"m","input":[{"role":"user","content":"x"},{"x":{"content":1},"id":"msg_1"}]}'],
  ['a picture by its URL', '{"model":"m","messages":[{"content":[{"image_url":{"url":"https://e.com/a.png"}}]}]}'],
  ['a URL with escapes', '{"model":"m","messages":[{"content":[{"image_url":{"url":"http:\\/\\/e.com"}}]}]}'],
  ['an earlier answer in sound', '{"model":"m","messages":[{"role":"assistant","audio":{"id":"audio_1"}}]}'],
  ['a path with an escape', '{"model":"m","messages":[{"conten\\u0074":[{"source":{"url":"https://e.com"}}]}]}'],
])('%s refers to what is elsewhere', (_, body) => {
  expect(outsideOf(body)).toEqual({ ...NOTHING, refers: true })
})

test.each(['fileSearch', 'file_search', 'googleSearch', 'urlContext', 'codeExecution', 'googleMaps'])(
  'the tool %s of Gemini loops, plain and escaped',
  (name) => {
    for (const write of Object.values(WRITINGS)) {
      const body = Buffer.from(`{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"${write(name)}":{}}]}`)
      const { outside } = gemini.readRequest(body, { fromPath: { model: 'm', isStream: false } })
      expect(outside).toMatchObject({ ...NOTHING, loops: true })
    }
  },
)

test.each([
  ['a picture in the body', '{"image_url":{"url":"data:image/png;base64,AAAA"}}'],
  ['a picture in the body, with escapes', '{"image_url":{"url":"d\\u0061ta:image\\/png;base64,AAAA"}}'],
  ['a document', '{"source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}}'],
  ['sound', '{"input_audio":{"data":"AAAA","format":"wav"}}'],
])('%s has no bound in its bytes, and refers to nothing', (_, part) => {
  expect(outsideOf(`{"model":"m","messages":[{"content":[${part}]}]}`)).toEqual({ ...NOTHING, media: true })
})

test.each([
  ['names in a text', '{"role":"user","content":"\\"previous_response_id\\": \\"file_id\\", web_search"}'],
  ['names as values', '{"role":"user","content":"file_id"}'],
  ['arguments of a call', '{"content":[{"type":"tool_use","input":{"url":"https://e.com","file_id":"x"}}]}'],
  ['citations', '{"content":[{"type":"output_text","annotations":[{"url":"https://e.com"}]}]}'],
  ['fields without a value', '{"file_id":null,"container":"","file_ids":[ ],"enable_search":false}'],
  ['a message with its id', '{"id":"msg_1","role":"assistant","content":"x"}'],
  ['a call with its id', '{"arguments":"{}","id":"fc_1","type":"function_call","name":"f"}'],
])('%s add nothing', (_, item) => {
  expect(outsideOf(`{"model":"m","input":[${item}],"messages":[${item}]}`)).toEqual(NOTHING)
})

test('the schemas of tools add nothing', () => {
  const schema = '{"properties":{"url":{"type":"string"},"file_id":"x","container":{"type":"web_search"}}}'
  const tools = ['parameters', 'input_schema', 'parametersJsonSchema'].map((name) => `{"name":"f","${name}":${schema}}`)
  const body = `{"model":"m","tools":[${tools.join()}],"text":{"format":{"schema":${schema}}},"metadata":{"file_id":"x"}}`
  expect(outsideOf(body)).toEqual(NOTHING)
})
