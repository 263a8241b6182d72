import { isJson } from '../stream/event-fields.ts'
import type { ServerEvent } from '../reading/server-event.ts'
import type { AnswerForms } from './answer-forms.ts'
import { eventOf, fieldOfEvent, isGiven, rawEntries, rawList, rawObject, textOf } from './raw-json.ts'

/** Messages: events of content blocks, and a message. */
export const messagesForms: AnswerForms = {
  isWholeEvent: (event) =>
    /"type":\s*"message"/.test(event) && !OF_STREAMS.test(event) && fieldOfEvent(event, 'type') === 'message',
  toEvents,
  toWhole,
}

/** The first events of streams, of which the one before may have been lost: what is in them may name messages as well. */
const OF_STREAMS = /"?message_start"?|"type":\s*"(?:message_delta|content_block_\w+)"/

/** Text of blocks, and the deltas that it is sent in. */
const TEXTS: readonly { readonly field: string; readonly delta: string }[] = [
  { field: 'text', delta: 'text_delta' },
  { field: 'thinking', delta: 'thinking_delta' },
  { field: 'signature', delta: 'signature_delta' },
]

function toEvents(body: Buffer): Buffer {
  const fields = rawEntries(body)
  const { content, stop_reason, stop_sequence = 'null', usage } = Object.fromEntries(fields)
  const counted = isGiven(usage) ? usage : '{}'
  const blocks = rawList(content)
  const isCall = blocks.some((block) => textOf(rawEntries(block).get('type')) === 'tool_use')
  const reason = isGiven(stop_reason) ? stop_reason : isCall ? '"tool_use"' : '"end_turn"'
  const begun = [
    ['content', '[]'],
    ['stop_reason', 'null'],
    ['stop_sequence', 'null'],
    ['usage', counted],
  ] as const
  const delta = rawObject([
    ['stop_reason', reason],
    ['stop_sequence', stop_sequence],
  ])
  return Buffer.concat([
    written('message_start', [['message', rawObject(new Map([...fields, ...begun]))]]),
    ...blocks.flatMap(blockEvents),
    written('message_delta', [
      ['delta', delta],
      ['usage', counted],
    ]),
    written('message_stop', []),
  ])
}

function blockEvents(block: Buffer, index: number): Buffer[] {
  const fields = rawEntries(block)
  const at = ['index', String(index)] as const
  const deltas: Buffer[] = []
  const add = (type: string, field: string, raw: string): void => {
    const delta = rawObject([
      ['type', `"${type}"`],
      [field, raw],
    ])
    deltas.push(written('content_block_delta', [at, ['delta', delta]]))
  }
  const begun = new Map(fields)
  for (const { field, delta } of TEXTS) {
    const raw = fields.get(field)
    if (raw?.startsWith('"') !== true) continue
    begun.set(field, '""')
    if (raw !== '""') add(delta, field, raw)
  }
  const input = fields.get('input')
  if (input?.startsWith('{') === true) {
    begun.set('input', '{}')
    add('input_json_delta', 'partial_json', JSON.stringify(input))
  }
  const citations = textOf(fields.get('type')) === 'text' ? rawList(fields.get('citations')) : []
  if (citations.length > 0) begun.set('citations', '[]')
  for (const citation of citations) add('citations_delta', 'citation', citation.toString())
  return [
    written('content_block_start', [at, ['content_block', rawObject(begun)]]),
    ...deltas,
    written('content_block_stop', [at]),
  ]
}

function written(type: string, fields: readonly (readonly [string, string])[]): Buffer {
  return eventOf(rawObject([['type', `"${type}"`], ...fields]), type)
}

/** A content block as far as it has come. */
interface CollectedBlock {
  readonly fields: Map<string, string>
  readonly said: Map<string, string>
  input: string
  readonly citations: string[]
}

/** What a message has in any case. */
const UNSAID = { type: '"message"', role: '"assistant"', stop_reason: 'null', stop_sequence: 'null' }

function toWhole(events: readonly ServerEvent[]): Buffer | null {
  const message = new Map(Object.entries(UNSAID))
  const blocks = new Map<number, CollectedBlock>()
  for (const { name, data } of events) {
    const fields = rawEntries(data)
    const type = textOf(fields.get('type')) || name
    if (type === 'message_start') for (const entry of rawEntries(fields.get('message'))) message.set(...entry)
    else if (type === 'content_block_start') {
      const block = rawEntries(fields.get('content_block'))
      blocks.set(Number(fields.get('index')), { fields: block, said: new Map(), input: '', citations: [] })
    } else if (type === 'content_block_delta') {
      const block = blocks.get(Number(fields.get('index')))
      if (block !== undefined) takeDelta(block, rawEntries(fields.get('delta')))
    } else if (type === 'message_delta') takeEnd(message, fields)
  }
  const inOrder = [...blocks].sort(([one], [other]) => one - other)
  const content = inOrder.map(([, block]) => wholeBlock(block))
  if (content.includes(null)) return null
  message.set('content', `[${content.join(',')}]`)
  return Buffer.from(rawObject(message))
}

function takeDelta(block: CollectedBlock, delta: ReadonlyMap<string, string>): void {
  for (const { field } of TEXTS) {
    const text = textOf(delta.get(field))
    if (text !== '') block.said.set(field, (block.said.get(field) ?? '') + text)
  }
  block.input += textOf(delta.get('partial_json'))
  const citation = delta.get('citation')
  if (isGiven(citation)) block.citations.push(citation)
}

/** What the last events say of the message as a whole; counts of the first stay where they say none. */
function takeEnd(message: Map<string, string>, fields: ReadonlyMap<string, string>): void {
  const usage = rawEntries(message.get('usage'))
  for (const [key, raw] of rawEntries(fields.get('usage'))) if (isGiven(raw) || !usage.has(key)) usage.set(key, raw)
  message.set('usage', rawObject(usage))
  for (const [key, raw] of rawEntries(fields.get('delta'))) message.set(key, raw)
  for (const [key, raw] of fields) if (!END_FIELDS.has(key)) message.set(key, raw)
}

const END_FIELDS = new Set(['type', 'delta', 'usage'])

/** Null where the input of a call is not whole. */
function wholeBlock({ fields, said, input, citations }: CollectedBlock): string | null {
  for (const [field, text] of said) fields.set(field, JSON.stringify(textOf(fields.get(field)) + text))
  if (input !== '' && !isJson(input)) return null
  if (input !== '') fields.set('input', input)
  if (citations.length > 0) {
    const all = [...rawList(fields.get('citations')).map(String), ...citations]
    fields.set('citations', `[${all.join(',')}]`)
  }
  return rawObject(fields)
}
