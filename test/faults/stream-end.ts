import type { MenuWire } from './menu.ts'

/** How a stream came to its end. */
export interface StreamEnding {
  /** Bytes of the text until no more might be written, and the stream was ended. null: it was not. */
  readonly cutShortAfter: number | null
}

/** The event by which a wire says "that was all", and how it says that this is so because of a limit. */
interface Ways {
  isLast(data: string, event: Fields): boolean
  isLimit(event: Fields): boolean
  textOf(event: Fields): unknown
}

type Fields = Readonly<Record<string, unknown>>

const CHAT: Ways = {
  isLast: (data) => data === '[DONE]',
  isLimit: (event) => choiceOf(event)['finish_reason'] === 'length',
  textOf: (event) => fieldsOf(choiceOf(event)['delta'])['content'],
}

const WAYS: Partial<Record<MenuWire, Ways>> = {
  'openai-chat': CHAT,
  'openai-responses': {
    isLast: (_, { type }) => type === 'response.completed' || type === 'response.incomplete',
    isLimit: ({ type }) => type === 'response.incomplete',
    textOf: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : null),
  },
  'anthropic-messages': {
    isLast: (_, { type }) => type === 'message_stop',
    isLimit: ({ delta }) => fieldsOf(delta)['stop_reason'] === 'max_tokens',
    textOf: ({ delta }) => fieldsOf(delta)['text'],
  },
}

/** null where the terminal event is missing, or half of it. */
export function endOfStream(wire: MenuWire, text: string): StreamEnding | null {
  const ways = WAYS[wire] ?? CHAT
  // What stands behind the last blank line is half an event.
  const events = text.split(/\r?\n\r?\n/).slice(0, -1)
  const data = events.map((event) => /^data: ?(.*)$/m.exec(event)?.[1] ?? '')
  // The terminal event is among the last, and most streams are not cut short: so they are not read whole.
  const last = data.slice(-LAST_EVENTS).map((each) => ({ data: each, event: fieldsOf(parsed(each)) }))
  if (!last.some((each) => ways.isLast(each.data, each.event))) return null
  if (!last.some(({ event }) => ways.isLimit(event))) return { cutShortAfter: null }
  const texts = data.map((each) => ways.textOf(fieldsOf(parsed(each))))
  return { cutShortAfter: Buffer.byteLength(texts.filter((each) => typeof each === 'string').join('')) }
}

const LAST_EVENTS = 8

function choiceOf(event: Fields): Fields {
  const { choices } = event
  return fieldsOf(Array.isArray(choices) ? choices[0] : null)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
