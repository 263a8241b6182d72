/** One server-sent event, read as far as the gateway needs it. */
export interface ServerEvent {
  /** The value of its `event:` line. */
  readonly name: string | null
  /** Its `data:` lines, joined by line feeds; empty when it has none (comments, blank lines). */
  readonly data: Buffer
}

/**
 * Reads the event whose lines are `bytes`. Lines end in LF or CR LF; a lone CR ends a line in the standard and is not
 * seen from any upstream, so it is not looked for.
 */
export function readServerEvent(bytes: Buffer): ServerEvent {
  let name: string | null = null
  const data: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const end = feed < 0 ? bytes.length : feed
    const line = bytes.subarray(start, bytes[end - 1] === RETURN ? end - 1 : end)
    if (hasField(line, 'data')) data.push(fieldValue(line, 4))
    else if (hasField(line, 'event')) name = fieldValue(line, 5).toString()
    start = end + 1
  }
  const only = data.length === 1 ? data[0] : undefined
  return { name, data: only ?? joinLines(data) }
}

/** The data as JSON; undefined when it is none. */
export function jsonOf(event: ServerEvent): unknown {
  try {
    return JSON.parse(event.data.toString()) as unknown
  } catch {
    return undefined
  }
}

/**
 * The offset behind the event that begins at `from`: behind its blank line, or the end of the text.
 * `text` is the bytes as Latin-1, so that offsets in it are byte offsets.
 */
export function endOfEvent(text: string, from: number): number {
  BLANK_LINE.lastIndex = from
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : text.length
}

const LINE_FEED = 0x0a
const RETURN = 0x0d
const COLON = 0x3a
const SPACE = 0x20
const BLANK_LINE = /\n\r?\n/g

function hasField(line: Buffer, field: string): boolean {
  return line[field.length] === COLON && line.toString('latin1', 0, field.length) === field
}

function fieldValue(line: Buffer, fieldLength: number): Buffer {
  return line.subarray(line[fieldLength + 1] === SPACE ? fieldLength + 2 : fieldLength + 1)
}

function joinLines(lines: Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])))
}
