import type { ByteRange } from './protocol.ts'
import { CONVERSATION_BEGINNINGS, CONVERSATION_LISTS, CONVERSATION_NAMES } from './reading/request-head.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { JsonWalk, type NotedField } from './json/json-walk.ts'
import { fieldsOf, parseOrUndefined } from './json/json-object.ts'

const NAME_BYTES = 4_096
/** How much counts of each beginning: agents have thousands of bytes of instructions that all of their conversations share. */
const BEGINNING_BYTES = 256
const LIST_BYTES = 512
/** How much counts of the end of the user's first message, where the question stands behind reminders. */
const QUESTION_BYTES = 512

/** What the requests of one conversation have in common, and few others: the name that its client gave it, else how it begins. */
export type Conversation = { readonly name: string } | { readonly beginnings: readonly ByteRange[] }

/**
 * The conversation of a request, by where its fields stand, which the walk over the body has found (`RequestHead.conversation`).
 * null: it has neither a name nor a beginning.
 */
export function conversationIn(body: Buffer, fields: ReadonlyMap<string, NotedField>): Conversation | null {
  for (const field of CONVERSATION_NAMES) {
    const named = nameIn(body, fields.get(field))
    if (named !== null) return { name: `${field}: ${named}` }
  }
  const beginnings: ByteRange[] = []
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
function nameIn(body: Buffer, range: ByteRange | undefined): string | null {
  if (range === undefined || range.end - range.start > NAME_BYTES) return null
  const value = parseOrUndefined(body.toString('utf8', range.start, range.end))
  const fields = fieldsOf(value)
  const named = typeof value === 'string' ? value : (fields['user_id'] ?? fields['id'])
  return typeof named === 'string' && named !== '' ? named : null
}

function startOf({ start, end }: ByteRange, most: number): ByteRange {
  return { start, end: Math.min(end, start + most) }
}

/**
 * What a list of messages begins with, and the end of the first one of its user: what comes behind it is another in every
 * turn. Only the beginning where there is no such message among the first 16.
 */
function untilFirstUser(body: Buffer, list: NotedField): readonly ByteRange[] {
  const beginning = startOf(list, LIST_BYTES)
  for (const message of list.inside) {
    if (!isOfUser(body, message)) continue
    const { end } = message
    if (end <= beginning.end) return [{ start: list.start, end }]
    return [beginning, { start: Math.max(beginning.end, end - QUESTION_BYTES), end }]
  }
  return [beginning]
}

/** Whether its role is `user`. Nearly all clients write the role first, without white space. */
function isOfUser(body: Buffer, message: ByteRange): boolean {
  if (isAt(body, message.start, '{"role":"')) return isAt(body, message.start + 9, 'user"')
  try {
    const walk = new JsonWalk(body.subarray(message.start, message.end), { wanted: ROLE })
    walk.advance(ROLE_WITHIN_BYTES)
    const role = walk.found.fields.get('role')
    return role !== undefined && isAt(body, message.start + role.start, '"user"')
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return false
    throw flaw
  }
}

const ROLE = new Set(['role'])
/** Some clients write it behind the content, which is passed over in one go where it is a text or a picture. */
const ROLE_WITHIN_BYTES = 64 * 1024

function isAt(body: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (body[at + i] !== text.charCodeAt(i)) return false
  return true
}
