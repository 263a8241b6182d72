import { isJson } from './event-fields.ts'

/** The first event is short everywhere: nothing is looked for behind so many bytes. */
export const LOOKED_AT_BYTES = 16 * 1024
const LINE_FEED = 0x0a
const BLANK_LINE = Buffer.from('\n')
const DATA = 'data:'

/** Whether two events stand in these bytes without the blank line between them, as some upstreams send them: each line is JSON. */
export function hasEventsInLines(bytes: Buffer): boolean {
  const first = bytes.toString('latin1', 0, LOOKED_AT_BYTES)
  if (!first.includes('\ndata:')) return false
  const found = /^data: ?([{[].*[}\]]) *\r?\n(?:event:.*\r?\n)?data:/m.exec(first)
  return isJson(found?.[1] ?? '')
}

/** Puts a blank line behind each line of data, where the upstream leaves it out. */
export class DataLines {
  /** The first characters of the line that has begun. */
  #start = ''

  take(chunk: Buffer): Buffer {
    const pieces: Buffer[] = []
    for (let from = 0; from < chunk.length;) {
      const feed = chunk.indexOf(LINE_FEED, from)
      const end = feed < 0 ? chunk.length : feed + 1
      this.#start += chunk.toString('latin1', from, Math.min(end, from + DATA.length - this.#start.length))
      pieces.push(chunk.subarray(from, end))
      from = end
      if (feed < 0) break
      if (this.#start === DATA) pieces.push(BLANK_LINE)
      this.#start = ''
    }
    return Buffer.concat(pieces)
  }
}
