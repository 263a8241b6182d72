/**
 * Foreign text as it is shown on a terminal or in a line of a report: names of another database, words of a provider. What moves
 * the cursor, begins a line, turns the direction of what follows or is not seen at all is written as JSON escapes it, so that
 * JSON stays what it was.
 */

/** One line, whatever the text has in it. */
export function shownText(text: string): string {
  return text.replace(UNSEEN, escaped)
}

/** A text of several lines, which stay. */
export function shownLines(text: string): string {
  return text.replace(UNSEEN, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

/** Control characters, those of formats (directions, widths of zero, tags), separators of lines, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, at) => {
    return `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
