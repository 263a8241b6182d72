import type { CapturedRequestView } from '../../../../src/contract/captures.ts'

/** A body to be read: JSON with its lines and indents, everything else as it came. */
export function prettyBody({ encoding, text }: CapturedRequestView['request']['body']): string {
  if (encoding === 'base64') return text
  const first = text.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // It was cut, or is several lines of JSON.
    return text
  }
}
