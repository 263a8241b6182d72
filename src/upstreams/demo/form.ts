import type { JsonFields } from './json.ts'
import { Refusal } from './refusal.ts'

/**
 * The fields of a form as one object: texts as they are, of a file `{ bytes }`, and of several with one name the last.
 * Throws Refusal.
 */
export function readForm(body: Buffer, contentType: string): JsonFields {
  const boundary = /boundary="?([^";,\s]+)/i.exec(contentType)?.[1]
  if (boundary === undefined) throw new Refusal('The content type names no boundary.')
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1, -1)
  return Object.fromEntries(parts.slice(0, PARTS_LIMIT).map(readPart))
}

const PARTS_LIMIT = 100

function readPart(part: string): [string, unknown] {
  const end = part.indexOf('\r\n\r\n')
  const head = end < 0 ? part : part.slice(0, end)
  const value = end < 0 ? '' : part.slice(end + 4)
  const name = /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? ''
  if (/filename\*?=/i.test(head)) return [name, { bytes: value.length }]
  return [name, Buffer.from(value, 'latin1').toString('utf8')]
}
