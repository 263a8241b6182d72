import { isJson } from '../stream/event-fields.ts'
import { converseEventOf, joinedBase64 } from '../reading/converse-events.ts'
import type { ServerEvent } from '../reading/server-event.ts'
import type { AnswerForms } from './answer-forms.ts'
import { eventOf, isGiven, rawEntries, rawList, rawObject, textOf } from './raw-json.ts'

/** Converse: events of content blocks, and a message with its usage beside it. */
export const converseForms: AnswerForms = {
  isWholeEvent: (event) => /"output":\s*\{\s*"message"/.test(event) && /"stopReason"/.test(event),
  toEvents,
  toWhole,
}

/** EventEntries of a whole answer that belong to the event for the end of its message; all others but the output go with the usage. */
const WITH_STOP: ReadonlySet<string> = new Set(['stopReason', 'additionalModelResponseFields'])

type EventEntries = readonly (readonly [string, string])[]

function toEvents(body: Buffer): Buffer {
  const fields = rawEntries(body)
  const message = rawEntries(rawEntries(fields.get('output')).get('message'))
  const blocks = rawList(message.get('content'))
  const isCall = blocks.some((block) => rawEntries(block).has('toolUse'))
  const reason = fields.get('stopReason')
  const stop: EventEntries = [
    ...[...fields].filter(([name]) => WITH_STOP.has(name)),
    ['stopReason', isGiven(reason) ? reason : isCall ? '"tool_use"' : '"end_turn"'],
  ]
  const rest = [...fields].filter(([name]) => name !== 'output' && !WITH_STOP.has(name))
  const role = message.get('role')
  return Buffer.concat([
    written('messageStart', [['role', isGiven(role) ? role : '"assistant"']]),
    ...blocks.flatMap(blockEvents),
    written('messageStop', [...new Map(stop)]),
    written('metadata', isGiven(fields.get('usage')) ? rest : [...rest, ['usage', '{}']]),
  ])
}

function blockEvents(block: Buffer, index: number): Buffer[] {
  const at = ['contentBlockIndex', String(index)] as const
  const deltas: Buffer[] = []
  const add = (fields: EventEntries): void => {
    deltas.push(written('contentBlockDelta', [at, ['delta', rawObject(fields)]]))
  }
  const entries = rawEntries(block)
  const start = startOf(entries)
  for (const [kind, raw] of entries) {
    if (kind === 'toolUse') add([['toolUse', rawObject([['input', inputAsText(rawEntries(raw).get('input'))]])]])
    else if (kind === 'reasoningContent') for (const delta of reasoningDeltas(raw)) add([[kind, rawObject([delta])]])
    else if (kind === 'citationsContent') for (const delta of citedDeltas(raw)) add([delta])
    else add([[kind, raw]])
  }
  return [
    ...(start === null ? [] : [written('contentBlockStart', [at, start])]),
    ...deltas,
    written('contentBlockStop', [at]),
  ]
}

/** Only calls begin with an event of their own. */
function startOf(block: ReadonlyMap<string, string>): readonly [string, string] | null {
  const call = block.get('toolUse')
  if (call === undefined) return null
  const { input: _input, ...rest } = Object.fromEntries(rawEntries(call))
  return ['start', rawObject([['toolUse', rawObject(Object.entries(rest))]])]
}

/** The input of a call as the text that it is streamed as. */
function inputAsText(input: string | undefined): string {
  return JSON.stringify(isGiven(input) ? input : '{}')
}

function reasoningDeltas(raw: string): EventEntries {
  const fields = rawEntries(raw)
  const said = [...rawEntries(fields.get('reasoningText'))]
  const redacted = [...fields].filter(([name]) => name !== 'reasoningText')
  return [...said, ...redacted]
}

function citedDeltas(raw: string): EventEntries {
  const fields = rawEntries(raw)
  const texts = rawList(fields.get('content')).flatMap((each) => [...rawEntries(each)])
  const citations = rawList(fields.get('citations')).map((each) => ['citation', each.toString()] as const)
  return [...texts, ...citations]
}

function written(name: string, fields: EventEntries): Buffer {
  return eventOf(rawObject(fields), name)
}

/** A content block as far as it has come. */
interface CollectedContent {
  /** What a call began with. */
  call: Map<string, string> | null
  input: string
  text: string | null
  thought: string | null
  signature: string
  redacted: string[]
  readonly citations: string[]
  /** Content of other kinds, as it came. */
  readonly others: [string, string][]
}

function toWhole(events: readonly ServerEvent[]): Buffer | null {
  const blocks = new Map<number, CollectedContent>()
  const rest = new Map<string, string>()
  let role = '"assistant"'
  for (const { name, data } of events) {
    const fields = rawEntries(data)
    const index = Number(fields.get('contentBlockIndex') ?? 0)
    switch (converseEventOf(name, (field) => fields.has(field))) {
      case 'messageStart':
        role = fields.get('role') ?? role
        break
      case 'contentBlockStart':
        takeStart(blockAt(blocks, index), rawEntries(fields.get('start')))
        break
      case 'contentBlockDelta':
        takeDelta(blockAt(blocks, index), rawEntries(fields.get('delta')))
        break
      case 'messageStop':
      case 'metadata':
        takeRest(rest, fields)
        break
      case 'contentBlockStop':
      case 'exception':
      case null:
    }
  }
  const inOrder = [...blocks].sort(([one], [other]) => one - other)
  const content = inOrder.map(([, block]) => wholeBlock(block))
  if (content.includes(null)) return null
  const message = rawObject([
    ['role', role],
    ['content', `[${content.join(',')}]`],
  ])
  return Buffer.from(rawObject([['output', rawObject([['message', message]])], ...rest]))
}

/** What the last events say beside the message; what is null takes nothing away. */
function takeRest(rest: Map<string, string>, fields: ReadonlyMap<string, string>): void {
  for (const [field, raw] of fields) if (isGiven(raw) || !rest.has(field)) rest.set(field, raw)
}

function blockAt(blocks: Map<number, CollectedContent>, index: number): CollectedContent {
  const known = blocks.get(index)
  if (known !== undefined) return known
  const block: CollectedContent = {
    call: null,
    input: '',
    text: null,
    thought: null,
    signature: '',
    redacted: [],
    citations: [],
    others: [],
  }
  blocks.set(index, block)
  return block
}

function takeStart(block: CollectedContent, start: ReadonlyMap<string, string>): void {
  for (const [kind, raw] of start) {
    if (kind === 'toolUse') block.call = rawEntries(raw)
    else block.others.push([kind, raw])
  }
}

function takeDelta(block: CollectedContent, delta: ReadonlyMap<string, string>): void {
  for (const [kind, raw] of delta) {
    if (kind === 'text') block.text = (block.text ?? '') + textOf(raw)
    else if (kind === 'toolUse') block.input += textOf(rawEntries(raw).get('input'))
    else if (kind === 'reasoningContent') takeReasoning(block, rawEntries(raw))
    else if (kind === 'citation') block.citations.push(raw)
    else block.others.push([kind, raw])
  }
}

function takeReasoning(block: CollectedContent, fields: ReadonlyMap<string, string>): void {
  const text = fields.get('text')
  if (text !== undefined) block.thought = (block.thought ?? '') + textOf(text)
  block.signature += textOf(fields.get('signature'))
  const redacted = textOf(fields.get('redactedContent') ?? fields.get('data'))
  if (redacted !== '') block.redacted.push(redacted)
}

/** Null where the input of a call is not whole. */
function wholeBlock(block: CollectedContent): string | null {
  const { call, input, text, thought, signature, redacted, citations, others } = block
  if (call !== null) {
    if (input !== '' && !isJson(input)) return null
    return rawObject([['toolUse', rawObject(new Map([...call, ['input', input === '' ? '{}' : input]]))]])
  }
  if (thought !== null || signature !== '') {
    const signed: EventEntries = signature === '' ? [] : [['signature', JSON.stringify(signature)]]
    const said = rawObject([['text', JSON.stringify(thought ?? '')], ...signed])
    return rawObject([['reasoningContent', rawObject([['reasoningText', said]])]])
  }
  if (redacted.length > 0) {
    return rawObject([['reasoningContent', rawObject([['redactedContent', JSON.stringify(joinedBase64(redacted))]])]])
  }
  if (citations.length > 0) {
    const said = `[${rawObject([['text', JSON.stringify(text ?? '')]])}]`
    return rawObject([
      [
        'citationsContent',
        rawObject([
          ['content', said],
          ['citations', `[${citations.join(',')}]`],
        ]),
      ],
    ])
  }
  return rawObject(text === null ? others : [['text', JSON.stringify(text)], ...others])
}
