import { isJson, rawFields } from './event-fields.ts'
import { closedItem, isTextOfItem, type Numbered, type OpenItem, type OpenPart } from './responses-closing.ts'
import type { ProducedText } from './produced-text.ts'

/** Raw JSON of items and parts that is remembered; see `ResponsesOutput`. */
const KEPT_LIMIT_BYTES = 1024 * 1024
const OPEN_ITEMS_LIMIT = 64

/**
 * The output of one response as its stream builds it: items that are done, as they were sent, and items that are open,
 * with where their text is written. Only events that open or close something are seen, never deltas, but while several
 * items are open at once: then each delta says where it belongs.
 *
 * What passes the limit is not kept: such items are left out of an early end's `output`, as the client has had them in
 * their own `output_item.done`; an open one is closed with its ids and names, and without what came before its text.
 */
export class ResponsesOutput {
  readonly #done = new Map<number, string>()
  readonly #open = new Map<number, OpenItem>()
  #room = KEPT_LIMIT_BYTES
  #places = 0

  /** Whether deltas have to be seen too. */
  get isMixed(): boolean {
    return this.#open.size > 1
  }

  /** Takes any event of the output but one that ends the response. */
  take(type: string, data: Buffer, text: ProducedText): void {
    const fields = rawFields(data, FIELDS)
    const index = Number(fields.get('output_index') ?? Number.NaN)
    if (!Number.isSafeInteger(index) || index < 0) return
    if (type === 'response.output_item.added') return this.#openItem(index, fields, text)
    const item = this.#open.get(index)
    if (item === undefined) {
      // Done without ever having been opened, as some upstreams send what needs no stream.
      if (type === 'response.output_item.done') this.#keepDone(index, fields.get('item'))
      return
    }
    if (type === 'response.output_item.done') {
      this.#open.delete(index)
      this.#room += item.keptBytes
      this.#keepDone(index, fields.get('item'))
      text.turnTo(placeIn([...this.#open.values()].at(-1)))
    } else if (type.endsWith('_part.added')) this.#openPart(item, fields, text)
    else if (type.endsWith('_part.done')) this.#closePart(item, fields)
    else this.#takeWithin(item, type, { fields, text })
  }

  /** Closes what is open, event by event, and returns the whole output as raw JSON. */
  close(text: ProducedText, numbered: Numbered): string {
    // An item that is not JSON was unreadable when it passed, and would make all of the end so.
    const items = new Map([...this.#done].filter(([, raw]) => isJson(raw)))
    for (const item of this.#open.values()) items.set(item.index, closedItem(item, text, numbered))
    const inOrder = [...items].sort(([one], [other]) => one - other).map(([, item]) => item)
    return `[${inOrder.join(',')}]`
  }

  #openItem(index: number, fields: RawFields, text: ProducedText): void {
    const sent = fields.get('item')
    if (sent === undefined || this.#open.size >= OPEN_ITEMS_LIMIT) return
    const raw = sent.length <= this.#room ? sent : shortened(sent)
    this.#room -= raw.length
    const place = this.#nextPlace()
    this.#open.set(index, { index, raw, place, said: null, parts: [], keptBytes: raw.length })
    text.turnTo(place)
  }

  #openPart(item: OpenItem, fields: RawFields, text: ProducedText): void {
    const raw = fields.get('part')
    if (raw === undefined || !this.#charge(item, raw.length + PART_BYTES)) return
    const place = this.#nextPlace()
    const isSummary = fields.has('summary_index')
    item.parts.push({ index: innerIndex(fields), isSummary, raw, place, said: null, isDone: false, annotations: [] })
    text.turnTo(place)
  }

  #closePart(item: OpenItem, fields: RawFields): void {
    const [part, raw] = [partOf(item, fields), fields.get('part')]
    if (part === undefined || raw === undefined) return
    if (this.#charge(item, raw.length)) part.raw = raw
    part.isDone = true
  }

  #takeWithin(item: OpenItem, type: string, context: { fields: RawFields; text: ProducedText }): void {
    const { fields, text } = context
    const part = partOf(item, fields)
    if (type.endsWith('.delta')) return text.turnTo((part?.isDone === false ? part : item).place)
    if (type === 'response.output_text.annotation.added') {
      const annotation = fields.get('annotation')
      if (annotation !== undefined && this.#charge(item, annotation.length)) part?.annotations.push(annotation)
    } else if (type.endsWith('.done')) {
      const said = SAID.map((field) => fields.get(field)).find((raw) => raw !== undefined)
      const owner = part ?? (isTextOfItem(type) ? item : undefined)
      // Kept for what came without deltas; what doesn't fit is read from the deltas.
      if (said !== undefined && owner !== undefined) owner.said = { raw: this.#charge(item, said.length) ? said : null }
    }
  }

  #keepDone(index: number, raw: string | undefined): void {
    if (raw === undefined || raw.length > this.#room) return
    this.#room -= raw.length
    this.#done.set(index, raw)
  }

  #charge(item: OpenItem, bytes: number): boolean {
    if (bytes > this.#room) return false
    this.#room -= bytes
    item.keptBytes += bytes
    return true
  }

  #nextPlace(): number {
    this.#places += 1
    return this.#places
  }
}

/** Where an item goes on: in the part of it that is open. */
function placeIn(item: OpenItem | undefined): number {
  return item?.parts.findLast(({ isDone }) => !isDone)?.place ?? item?.place ?? 0
}

type RawFields = ReadonlyMap<string, string>

/** Where an event's final text stands. */
const SAID = ['text', 'refusal', 'arguments', 'input', 'code']
const FIELDS = new Set(['output_index', 'content_index', 'summary_index', 'item', 'part', 'annotation', ...SAID])
/** What a part takes besides its text. */
const PART_BYTES = 128

function innerIndex(fields: RawFields): number {
  const index = Number(fields.get('summary_index') ?? fields.get('content_index') ?? 0)
  return Number.isSafeInteger(index) ? index : 0
}

function partOf(item: OpenItem, fields: RawFields): OpenPart | undefined {
  const isSummary = fields.has('summary_index')
  if (!isSummary && !fields.has('content_index')) return undefined
  const index = innerIndex(fields)
  return item.parts.find((part) => part.isSummary === isSummary && part.index === index)
}

const IDENTITY = new Set(['id', 'type', 'role', 'status', 'call_id', 'name'])
const IDENTITY_FIELD_BYTES = 1024

/** An item of which only what names it is kept. */
function shortened(item: string): string {
  const kept = [...rawFields(Buffer.from(item), IDENTITY)].filter(([, raw]) => raw.length <= IDENTITY_FIELD_BYTES)
  return `{${kept.map(([field, raw]) => `"${field}":${raw}`).join(',')}}`
}
