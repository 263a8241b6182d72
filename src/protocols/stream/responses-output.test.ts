import { expect, test } from 'vitest'
import { ProducedText } from './produced-text.ts'
import type { Numbered } from './responses-closing.ts'
import { ResponsesOutput } from './responses-output.ts'

/** Plays events as the stream's reader does, and closes what is open behind the last. */
function closed(...events: readonly object[]): { events: unknown[]; output: unknown[]; numbers: unknown[] } {
  const text = new ProducedText({ fields: ['delta'] })
  const output = new ResponsesOutput()
  for (const event of events) {
    const { type } = event as { type: string }
    const data = JSON.stringify(event)
    if (!type.endsWith('.delta') || output.isMixed) output.take(type, Buffer.from(data), text)
    text.add(Buffer.from(`data: ${data}\n\n`).toString('latin1'))
  }
  const numbered: Numbered = { events: [], next: 7 }
  const closedOutput = output.close(text, numbered)
  const written = numbered.events.map(
    (event) => JSON.parse(String(/^data: (.*)$/m.exec(String(event))?.[1])) as { readonly sequence_number: number },
  )
  return {
    events: written.map((event) => ({ ...event, sequence_number: undefined })),
    output: JSON.parse(closedOutput) as unknown[],
    numbers: [...written.map((event) => event.sequence_number), numbered.next],
  }
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '' }
const OPENED = { type: 'response.output_item.added', output_index: 0, item: MESSAGE }
const PART_OPENED = {
  type: 'response.content_part.added',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  part: { type: 'output_text', text: '', annotations: [] },
}
const AT = { item_id: 'msg_1', output_index: 0, content_index: 0 }

function delta(text: string, at: object = AT): object {
  return { type: 'response.output_text.delta', ...at, delta: text }
}

test('a message is closed in OpenAI’s order: its text, its part, itself', () => {
  const end = closed(OPENED, PART_OPENED, delta('Hé'), delta(' "du"'))
  const part = { type: 'output_text', text: 'Hé "du"', annotations: [] }
  const item = { ...MESSAGE, status: 'incomplete', content: [part] }
  expect(end.events).toEqual([
    { type: 'response.output_text.done', ...AT, text: 'Hé "du"', logprobs: [] },
    { type: 'response.content_part.done', ...AT, part },
    { type: 'response.output_item.done', output_index: 0, item },
  ])
  expect(end.output).toEqual([item])
  expect(end.numbers).toEqual([7, 8, 9, 10])
})

test('what was said to be done is not said again, and stands as it was said', () => {
  const end = closed(OPENED, PART_OPENED, delta('H'), { type: 'response.output_text.done', ...AT, text: 'Hi!' })
  expect(end.events).toMatchObject([
    { type: 'response.content_part.done', part: { text: 'Hi!' } },
    { type: 'response.output_item.done', item: { content: [{ text: 'Hi!' }] } },
  ])
})

test('a part that is done is not closed again, nor are arguments', () => {
  const part = { type: 'output_text', text: 'Hi', annotations: [] }
  const partDone = { ...PART_OPENED, type: 'response.content_part.done', part }
  const said = { type: 'response.output_text.done', ...AT, text: 'Hi' }
  const called = { type: 'response.output_item.added', output_index: 1, item: CALL }
  const argued = { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: '{}' }
  const end = closed(OPENED, PART_OPENED, delta('Hi'), said, partDone, called, argued)
  expect(end.events).toMatchObject([
    { type: 'response.output_item.done', item: { content: [part] } },
    { type: 'response.output_item.done', item: { arguments: '{}' } },
  ])
})

test('citations stay with the text they belong to', () => {
  const annotation = { type: 'url_citation', url: 'https://example.test', start_index: 0, end_index: 2, title: 'x' }
  const cited = { type: 'response.output_text.annotation.added', ...AT, annotation_index: 0, annotation }
  expect(closed(OPENED, PART_OPENED, delta('Hi'), cited).output).toMatchObject([
    { content: [{ text: 'Hi', annotations: [annotation] }] },
  ])
})

test('a call’s arguments end where they are, and a finished item stays as it was sent', () => {
  const done = { type: 'response.output_item.done', output_index: 0, item: { ...MESSAGE, status: 'completed' } }
  const called = { type: 'response.output_item.added', output_index: 1, item: CALL }
  const at = { item_id: 'fc_1', output_index: 1 }
  const end = closed(OPENED, done, called, delta('{"word', at))
  const item = { ...CALL, status: 'incomplete', arguments: '{"word' }
  expect(end.events).toEqual([
    { type: 'response.function_call_arguments.done', ...at, name: 'look_up', arguments: '{"word' },
    { type: 'response.output_item.done', output_index: 1, item },
  ])
  expect(end.output).toEqual([done.item, item])
})

test('items are in the order of their numbers, whichever was done first', () => {
  const item = (index: number, id: string): object => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...CALL, id },
  })
  const done = { type: 'response.output_item.done', output_index: 2, item: { ...CALL, id: 'c' } }
  const end = closed(item(0, 'a'), item(2, 'c'), item(1, 'b'), done)
  expect(end.output).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
})

test('text whose part was not announced is a part all the same', () => {
  expect(closed(OPENED, delta('Hi')).output).toMatchObject([{ content: [{ type: 'output_text', text: 'Hi' }] }])
})

test.for([
  { type: 'web_search_call', status: 'in_progress', closed: 'failed' },
  { type: 'reasoning', status: undefined, closed: undefined },
  { type: 'code_interpreter_call', status: 'in_progress', closed: 'incomplete' },
])('a $type is closed as $closed', ({ type, status, closed: expected }) => {
  const end = closed({ type: 'response.output_item.added', output_index: 0, item: { id: 'x', type, status } })
  expect((end.output[0] as { status?: string }).status).toBe(expected)
})

test('an item without an id has no events but its own, as none could name it', () => {
  const nameless = { ...CALL, id: undefined }
  const end = closed({ type: 'response.output_item.added', output_index: 0, item: nameless })
  expect(end.events.map((event) => (event as { type: string }).type)).toEqual(['response.output_item.done'])
})

test('items beyond what is kept are left out, and an open one keeps its name', () => {
  const large = 'x'.repeat(900_000)
  const done = (index: number): object => ({
    type: 'response.output_item.done',
    output_index: index,
    item: { ...CALL, id: `fc_${index}`, arguments: large },
  })
  const opened = { type: 'response.output_item.added', output_index: 2, item: { ...CALL, name: 'patch', extra: large } }
  const end = closed(done(0), done(1), opened, delta('{', { item_id: 'fc_1', output_index: 2 }))
  expect(end.output).toEqual([
    { ...CALL, id: 'fc_0', arguments: large },
    { ...CALL, name: 'patch', status: 'incomplete', arguments: '{' },
  ])
})

test('what an item kept while it was open is free again when it is done', () => {
  const part = (index: number): object => ({
    ...PART_OPENED,
    output_index: index,
    part: { type: 'output_text', text: '', pad: 'x'.repeat(600_000) },
  })
  const events = [0, 1, 2, 3].flatMap((index) => [
    { ...OPENED, output_index: index, item: { ...MESSAGE, id: `msg_${index}` } },
    part(index),
    { type: 'response.output_item.done', output_index: index, item: { ...MESSAGE, id: `msg_${index}` } },
  ])
  const last = { ...OPENED, output_index: 4 }
  expect(closed(...events, last, part(4)).output.at(-1)).toMatchObject({ content: [{ pad: 'x'.repeat(600_000) }] })
})

test('what is not an item, or belongs to none, changes nothing', () => {
  const end = closed(
    { type: 'response.output_item.added', output_index: -1, item: MESSAGE },
    { type: 'response.output_item.added', output_index: 0 },
    { type: 'response.content_part.added', output_index: 5, content_index: 0, part: {} },
    { type: 'response.output_item.done' },
  )
  expect(end).toEqual({ events: [], output: [], numbers: [7] })
})
