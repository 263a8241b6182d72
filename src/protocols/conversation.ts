import { JsonFlaw, type Range, scanObject } from './reading/json-scan.ts'
import { fieldsOf } from './reading/usage-report.ts'

/** What names a conversation, on any chat wire: the cache key of OpenAI's APIs, Claude Code's session, a stored conversation. */
const NAMES = ['prompt_cache_key', 'metadata', 'conversation'] as const
/** How a conversation begins: its later requests begin alike. */
const BEGINNINGS = ['system', 'instructions', 'systemInstruction', 'system_instruction', 'tools'] as const
/** Lists that grow with it; as far as the first message of its user they stay as they are. */
const LISTS = ['messages', 'input', 'contents'] as const
const WANTED = new Set<string>([...NAMES, ...BEGINNINGS, ...LISTS])
const NAME_BYTES = 4_096
/** Of each beginning. */
const BEGINNING_BYTES = 2_048

/**
 * A text that the requests of one conversation have in common, and few others: the name that the client gave it, else how it
 * begins. null: the body has neither. To be asked rarely: it walks over the body.
 */
export function conversationIn(body: Buffer): string | null {
  let fields: ReadonlyMap<string, Range>
  try {
    fields = scanObject(body, { wanted: WANTED }).fields
  } catch (error) {
    if (error instanceof JsonFlaw) return null
    throw error
  }
  for (const name of NAMES) {
    const named = nameIn(body, fields.get(name))
    if (named !== null) return `${name}: ${named}`
  }
  const beginnings = [
    ...BEGINNINGS.map((name) => startOf(body, fields.get(name))),
    ...LISTS.map((name) => untilFirstUser(startOf(body, fields.get(name)))),
  ]
  return beginnings.every((text) => text === '') ? null : beginnings.join('\n')
}

/** A string; or an object's `user_id` or `id`. */
function nameIn(body: Buffer, range: Range | undefined): string | null {
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

function startOf(body: Buffer, range: Range | undefined): string {
  return range === undefined
    ? ''
    : body.toString('latin1', range.start, Math.min(range.end, range.start + BEGINNING_BYTES))
}

/** A list of messages up to the end of the first one of its user; all of it where there is none. */
function untilFirstUser(list: string): string {
  let depth = 0
  let isString = false
  let begin = 1
  for (let at = 0; at < list.length; at++) {
    const character = list[at]
    if (isString) {
      if (character === '\\') at += 1
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      depth -= 1
      if (depth !== 1) continue
      if (BY_USER.test(list.slice(begin, at))) return list.slice(0, at)
      begin = at
    }
  }
  return list
}

const BY_USER = /"role"\s*:\s*"user"/
