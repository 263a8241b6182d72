import type { Place } from './protocol.ts'
import { CONVERSATION_BEGINNINGS, CONVERSATION_LISTS, CONVERSATION_NAMES } from './reading/conversation-fields.ts'
import { isEscaped, nextQuote } from './reading/json-scan.ts'
import { fieldsOf } from './reading/usage-report.ts'

const NAME_BYTES = 4_096
/** Of each beginning: agents have thousands of bytes of instructions that all of their conversations share. */
const BEGINNING_BYTES = 256
const LIST_BYTES = 512
/** How far the first message of the user is looked for: agents put tens of thousands of bytes of instructions before it. */
const SOUGHT_BYTES = 69_632
/** Of that message: how far its end is looked for, and what counts of its end, where the question stands behind reminders. */
const MESSAGE_BYTES = 16_384
const QUESTION_BYTES = 512

/** What the requests of one conversation have in common, and few others: the name that its client gave it, else how it begins. */
export type Conversation = { readonly name: string } | { readonly beginnings: readonly Place[] }

/**
 * The conversation of a request, by where its fields stand, which the walk over the body has found (`RequestHead.conversation`).
 * null: it has neither a name nor a beginning.
 */
export function conversationIn(body: Buffer, fields: ReadonlyMap<string, Place>): Conversation | null {
  for (const field of CONVERSATION_NAMES) {
    const named = nameIn(body, fields.get(field))
    if (named !== null) return { name: `${field}: ${named}` }
  }
  const beginnings: Place[] = []
  for (const field of CONVERSATION_BEGINNINGS) {
    const found = fields.get(field)
    if (found !== undefined) beginnings.push(startOf(found, BEGINNING_BYTES))
  }
  for (const field of CONVERSATION_LISTS) {
    const found = fields.get(field)
    if (found !== undefined) beginnings.push(...untilFirstUser(body, found))
  }
  return beginnings.length === 0 ? null : { beginnings }
}

/** A string; or an object's `user_id` or `id`. */
function nameIn(body: Buffer, range: Place | undefined): string | null {
  if (range === undefined || range.end - range.start > NAME_BYTES) return null
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8', range.start, range.end))
  } catch {
    return null
  }
  const fields = fieldsOf(value)
  const named = typeof value === 'string' ? value : (fields['user_id'] ?? fields['id'])
  return typeof named === 'string' && named !== '' ? named : null
}

function startOf({ start, end }: Place, most: number): Place {
  return { start, end: Math.min(end, start + most) }
}

/**
 * What a list of messages begins with, and the end of the first one of its user: what comes behind it is another in every
 * turn. Only the beginning where there is no such message.
 */
function untilFirstUser(body: Buffer, list: Place): readonly Place[] {
  const beginning = startOf(list, LIST_BYTES)
  const role =
    userRoleIn(body, beginning) ??
    userRoleAfter(body, { start: Math.max(list.start, beginning.end - ROLE_BYTES), end: list.end })
  if (role === null) return [beginning]
  const message = body.subarray(0, Math.min(list.end, role + MESSAGE_BYTES))
  const end = endOfPlainMessage(message, role) ?? endOfMessage(message, role)
  if (end <= beginning.end) return [{ start: list.start, end }]
  return [beginning, { start: Math.max(beginning.end, end - QUESTION_BYTES), end }]
}

/** Where the string ends that says that a message is of the user; null: it is not there. */
function userRoleIn(body: Buffer, { start, end }: Place): number | null {
  const list = body.subarray(start, end)
  const words = new DataView(list.buffer, list.byteOffset, list.length)
  let depth = 0
  let isRole = false
  for (let at = 0; at < list.length; at++) {
    const byte = list[at]
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
    if (byte !== QUOTE) continue
    const close = closingQuote(list, words, at)
    if (close < 0) break
    if (depth === MESSAGE_DEPTH) {
      if (isRole && isText(list, { start: at, end: close }, 'user')) return start + close + 1
      isRole = isText(list, { start: at, end: close }, 'role')
    }
    at = close
  }
  return null
}

/**
 * The same by a search for how clients write it, which passes ten times as many bytes a microsecond. Within a text its quotes
 * would be escaped.
 */
function userRoleAfter(body: Buffer, { start, end }: Place): number | null {
  const sought = body.subarray(start, Math.min(end, start + SOUGHT_BYTES))
  for (const text of USER_ROLES) {
    const at = sought.indexOf(text)
    if (at >= 0) return start + at + text.length
  }
  return null
}

/** A client writes all of a body in one of these ways. */
const USER_ROLES = [Buffer.from('"role":"user"'), Buffer.from('"role": "user"')]
/** Of the longer one: the end of what was walked over may have cut it in two. */
const ROLE_BYTES = 14

/** Of the objects in the list. */
const MESSAGE_DEPTH = 2

/**
 * Where a message ends that is written as most are: its role, a text without `},` in it, and behind it another one or the
 * end of the list. null: it may be written otherwise. No text has the quote of a `"}` or a `{"` unescaped.
 */
function endOfPlainMessage(list: Buffer, role: number): number | null {
  if (!isAt(list, role, ',"content":"') && !isAt(list, role, ', "content": "')) return null
  const end = list.indexOf(OBJECT_END_AND_MORE, role)
  if (end >= 0) {
    const isFollowed = isAt(list, end - 1, '"},{"role":') || isAt(list, end - 1, '"}, {"role":')
    return isFollowed ? end : null
  }
  const last = list.length - 2
  return isAt(list, last - 1, '"}]') && list[last - 2] !== BACKSLASH ? last : null
}

const OBJECT_END_AND_MORE = Buffer.from('},')

function isAt(list: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (list[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Where the object ends in which `from` stands; the end of what is looked at where that is not before it. */
function endOfMessage(list: Buffer, from: number): number {
  const words = new DataView(list.buffer, list.byteOffset, list.length)
  let depth = 1
  for (let at = from; at < list.length; at++) {
    const byte = list[at]
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
    if (depth === 0) return at
    if (byte !== QUOTE) continue
    const close = closingQuote(list, words, at)
    if (close < 0) break
    at = close
  }
  return list.length
}

/** Whether that is the string between the quotes at `start` and `end`. */
function isText(list: Buffer, { start, end }: Place, text: 'role' | 'user'): boolean {
  return end - start === text.length + 1 && isAt(list, start + 1, text)
}

/** -1: not in what is looked at. Where one quote is escaped, as in source code, the next ones are near: then byte by byte is faster. */
function closingQuote(list: Buffer, words: DataView, open: number): number {
  let at = nextQuote(list, words, open + 1)
  while (at > 0 && list[at - 1] === BACKSLASH && isEscaped(list, at)) {
    at += 1
    for (let near = at + NEAR_BYTES; at < near; at++) {
      const byte = list[at]
      if (byte === QUOTE) return at
      if (byte !== BACKSLASH) continue
      at += 1
      near = at + NEAR_BYTES
    }
    at = nextQuote(list, words, at)
  }
  return at
}

const NEAR_BYTES = 32
const QUOTE = 0x22
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const BACKSLASH = 0x5c
const CLOSE_BRACE = 0x7d
