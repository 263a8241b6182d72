import type { ApiKeyView } from '../../../../src/contract/keys.ts'

/** What a text that was pasted as the secret of a key turns out to be. */
export type SecretFit = 'empty' | 'fits' | 'fits_old' | 'blank_inside' | 'shortened' | 'incomplete' | 'other_key'

type KeyMarks = Pick<ApiKeyView, 'secret_start' | 'secret_end'> & {
  readonly overlap: { readonly secret_end: string } | null
}

const GENERATED_LENGTH = 52
const SHORTEST_CUSTOM = 20

/** Tells by the characters that are kept for display, so that a mistake is found before it stands in a file. */
export function secretFit(pasted: string, key: KeyMarks): SecretFit {
  const text = pasted.trim()
  if (text === '') return 'empty'
  if (/\s/.test(text)) return 'blank_inside'
  if (/[…*•]|\.\.\./.test(text)) return 'shortened'
  const isGenerated = key.secret_start.startsWith('sk-tg-')
  if (isGenerated && text.startsWith(key.secret_start) && text.length < GENERATED_LENGTH) return 'incomplete'
  if (text.length < SHORTEST_CUSTOM) return 'incomplete'
  if (key.overlap !== null && text.endsWith(key.overlap.secret_end) && !text.endsWith(key.secret_end)) return 'fits_old'
  return text.startsWith(key.secret_start) && text.endsWith(key.secret_end) ? 'fits' : 'other_key'
}

/** The secret that texts and links are filled in with, or null while what was pasted is none. */
export function usableSecret(pasted: string, key: KeyMarks): string | null {
  return secretFit(pasted, key) === 'fits' ? pasted.trim() : null
}
