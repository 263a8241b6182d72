import type { ApiKeyView } from '../../../../src/contract/keys.ts'

/** What a text that was pasted as the secret of a key turns out to be. */
export type SecretFit =
  | 'empty'
  | 'fits'
  | 'fits_old'
  | 'blank_inside'
  | 'shortened'
  | 'start_missing'
  | 'incomplete'
  | 'other_key'

type KeyMarks = Pick<ApiKeyView, 'secret_start' | 'secret_end'> & {
  readonly overlap: { readonly secret_end: string } | null
}

const GENERATED_LENGTH = 52
const SHORTEST_CUSTOM = 20

/** Tells by the characters that are kept for display, so that a mistake is found before it stands in a file. */
export function secretFit(pasted: string, key: KeyMarks): SecretFit {
  const text = bare(pasted)
  if (text === '') return 'empty'
  if (/\s/.test(text)) return 'blank_inside'
  if (/[…*•]|\.\.\./.test(text)) return 'shortened'
  const isGenerated = key.secret_start.startsWith('sk-tg-')
  if (isGenerated && text.startsWith(key.secret_start) && text.length < GENERATED_LENGTH) return 'incomplete'
  if (isGenerated && !text.startsWith(key.secret_start) && isEndOf(text, key)) return 'start_missing'
  if (text.length < SHORTEST_CUSTOM) return 'incomplete'
  if (key.overlap !== null && text.endsWith(key.overlap.secret_end) && !text.endsWith(key.secret_end)) return 'fits_old'
  return text.startsWith(key.secret_start) && text.endsWith(key.secret_end) ? 'fits' : 'other_key'
}

/** The secret that texts and links are filled in with, or null while what was pasted is none. */
export function usableSecret(pasted: string, key: KeyMarks): string | null {
  return secretFit(pasted, key) === 'fits' ? bare(pasted) : null
}

/** The text without what is copied along from headers and files: `Bearer` before it, quotation marks around it. */
function bare(pasted: string): string {
  const text = pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '')
  return /^(["'`])(.*)\1[,;]?$/s.exec(text)?.[2]?.trim() ?? text
}

/** Whether a generated secret lacks its first characters, of which a whole one has more. */
function isEndOf(text: string, { secret_end: end }: KeyMarks): boolean {
  return text.endsWith(end) && text.length < GENERATED_LENGTH && !text.startsWith('sk-tg-')
}
