import type { Fault } from '../../core/faults.ts'
import type { ByteRange } from '../protocol.ts'
import { invalid } from './request-head.ts'

/** One part of a `multipart/form-data` body (RFC 7578). */
export interface FormPart {
  readonly name: string
  /** Whether it was sent as a file, with a name of its own. */
  readonly isFile: boolean
  /** The bytes of the field, between the blank line and the next boundary. */
  readonly place: ByteRange
}

/** The boundary in a content type; null where it is not a form. Throws the fault `request_invalid` for a form without one. */
export function boundaryOf(contentType: string | undefined): string | null {
  if (contentType === undefined || !/^\s*multipart\//i.test(contentType)) return null
  const found = [...contentType.matchAll(/;\s*boundary\s*=\s*(?:"([^"\\]*)"|([^\s;,"]*))/gi)]
  const boundary = found[0]?.[1] ?? found[0]?.[2] ?? ''
  const isForm = /^\s*multipart\/form-data\s*;/i.test(contentType)
  // A second one might be what the upstream reads by.
  const isPlain = found.length === 1 && contentType.match(/boundary/gi)?.length === 1
  if (isForm && isPlain && BOUNDARY.test(boundary)) return boundary
  throw invalid('The content type of a form must be multipart/form-data with one boundary.', 'content-type')
}

/**
 * Finds the parts of a form. It takes no other form than clients write, so that no upstream can read another from the same
 * bytes: what it reads the model from must be what is called and paid for. Throws the fault `request_invalid`.
 */
export function formParts(body: Buffer, boundary: string): readonly FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const first = delimiter.subarray(2)
  if (body.indexOf(first) !== 0) throw invalid('The form must begin with the boundary that its content type names.')
  const parts: FormPart[] = []
  let at = first.length
  while (!isAt(body, at, '--')) {
    if (!isAt(body, at, '\r\n')) throw invalid('The form has a boundary that goes on where its line should end.')
    if (parts.length === PARTS_LIMIT) throw invalid(`The form has more than ${PARTS_LIMIT} parts.`)
    const headersEnd = body.indexOf('\r\n\r\n', at)
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2)
    if (end < 0) throw invalid('The form ends within a part. Send it whole, with its closing boundary.')
    // What is beyond would be read upstream and not here.
    if (headersEnd - at > HEADERS_LIMIT_BYTES) throw unreadablePart()
    const headers = body.toString('latin1', at + 2, headersEnd)
    parts.push({ ...disposition(headers), place: { start: Math.min(headersEnd + 4, end), end } })
    at = end + delimiter.length
  }
  return parts
}

/** The text of a part, without the blanks around it; undefined where it is long, or no UTF-8. */
export function textOf(body: Buffer, { start, end }: ByteRange): string | undefined {
  if (end - start > TEXT_LIMIT_BYTES) return undefined
  const text = body.toString('utf8', start, end)
  return text.includes('\uFFFD') ? undefined : text
}

const PARTS_LIMIT = 200
const HEADERS_LIMIT_BYTES = 4_096
const TEXT_LIMIT_BYTES = 4_096
/** RFC 2046 5.1.1. */
const BOUNDARY = /^[\w'()+,./:=?-]{1,70}$/

const HEADER = /^[!#$%&'*+.^`|~\w-]+:/

/** `form-data; name="model"; filename="a.mp3"`, each once, in any order. */
const DISPOSITION =
  /^form-data((?:[ \t]*;[ \t]*[\w*-]+[ \t]*=[ \t]*(?:"(?:[^"\\\r\n]|\\[^\r\n])*"|[^\s;"\\]+))*)[ \t]*;?$/i
const PARAMETER = /;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\\r\n]|\\[^\r\n])*)"|([^\s;"\\]+))/g

function disposition(headers: string): Pick<FormPart, 'name' | 'isFile'> {
  const lines = headers.split('\r\n')
  const named = lines.filter((line) => /^content-disposition:/i.test(line))
  const value = (named[0] ?? '').slice('content-disposition:'.length).trim()
  // Lines that go on another, and lone line ends, at which others would begin a line.
  const isFolded = lines.some((line) => !HEADER.test(line) || /[\r\n\0]/.test(line))
  // An encoding of the part would make its bytes mean something else.
  const isEncoded = lines.some((line) => /^content-transfer-encoding:(?![ \t]*(?:binary|8bit|7bit)[ \t]*$)/i.test(line))
  const found = DISPOSITION.exec(value)
  if (named.length !== 1 || found === null || isFolded || isEncoded) throw unreadablePart()
  const parameters = [...(found[1] ?? '').matchAll(PARAMETER)].map(
    ([, key = '', quoted, bare]) => [key.toLowerCase(), quoted ?? bare ?? ''] as const,
  )
  const names = parameters.filter(([key]) => key === 'name' || key === 'name*' || key.startsWith('name*'))
  const [, name = ''] = names[0] ?? []
  if (names.length !== 1 || names[0]?.[0] !== 'name' || name.includes('\\') || name === '') throw unreadablePart()
  return { name, isFile: parameters.some(([key]) => key.startsWith('filename')) }
}

function isAt(body: Buffer, at: number, text: string): boolean {
  return body.toString('latin1', at, at + text.length) === text
}

function unreadablePart(): Fault {
  return invalid(
    'The form has a part whose headers cannot be read. Each part takes one header `Content-Disposition: form-data; name="…"`.',
  )
}
