import type { FactValues, FaultFacts } from '../core/fact-values.ts'
import type { Explanation } from './explanation.ts'

/** What is wrong with what was presented as a key. */
export const KEY_MISTAKES_IN_ENGLISH: Readonly<
  Record<FactValues['mistake'], (facts: FaultFacts) => Explanation | null>
> = {
  empty: () => ({ cause: 'The API key is empty.', remedy: 'Set the variable or field that should hold it.' }),
  variable: () => ({
    cause: 'The name of a variable was sent instead of an API key: it was not expanded.',
    remedy: 'Set the variable, and check which syntax this program uses.',
  }),
  placeholder: () => ({
    cause: 'A placeholder was sent instead of an API key: the variable or field for the key was not filled in.',
    remedy: 'Enter the key there.',
  }),
  shortened: () => ({
    cause: 'This is the shortened form of an API key that lists show.',
    remedy: 'Use the whole secret, as shown when the key was created.',
  }),
  bearer_twice: () => ({
    cause: 'The word "Bearer" was sent twice: this program adds it automatically.',
    remedy: 'Enter the API key alone.',
  }),
  header: () => ({
    cause: 'A whole header was entered as the API key.',
    remedy: 'Enter the key alone, without the header name before it.',
  }),
  assignment: () => ({
    cause: 'A whole line with a variable was entered as the API key.',
    remedy: 'Enter only what follows the "=".',
  }),
  quoted: ({ end }) => ({ cause: `The API key${ending(end)} has quotation marks around it.`, remedy: 'Remove them.' }),
  white_space: ({ where, line_break: isLineBreak }) => ({
    cause: `The API key has ${isLineBreak === true ? 'a line break' : 'white space'} ${where === 'inside' ? 'inside' : 'before or after it'}.`,
    remedy: 'Copy it again as one line, without anything around it.',
  }),
  characters: ({ characters = [] }) =>
    characters.length === 0
      ? null
      : {
          cause: `The API key contains ${characters.slice(0, 3).join(', ')}${characters.length > 3 ? ' and others' : ''}, which keys of this gateway never contain.`,
          remedy: 'Copy it again, using letters, digits, "-" and "_" only.',
        },
  missing: ({ missing, where, end }) => {
    if (missing === undefined) return null
    return where === 'start'
      ? {
          cause: `The API key${ending(end)} lacks its first ${count(missing, 'character')}: it begins with "sk-tg-".`,
          remedy: 'Copy it again from its beginning.',
        }
      : {
          cause: `The API key${ending(end)} is incomplete: ${count(missing, 'character')} missing.`,
          remedy: 'Copy it again to its end.',
        }
  },
  case: ({ end }) => ({
    cause: `Upper and lower case of the API key${ending(end)} were changed.`,
    remedy: 'Copy it again.',
  }),
  twice: ({ end }) => ({ cause: `The API key${ending(end)} was pasted twice.`, remedy: 'Enter it once.' }),
  extra: ({ extra, end }) =>
    extra === undefined
      ? null
      : {
          cause: `The API key${ending(end)} has ${count(extra, 'character')} too many.`,
          remedy: 'Copy it again, only to its end.',
        },
  checksum: ({ end }) => ({
    cause: `The API key${ending(end)} is damaged: it has the right length, but its checksum does not match.`,
    remedy: 'Copy it again.',
  }),
  too_long: ({ length }) =>
    length === undefined
      ? null
      : {
          cause: `What was sent as the API key has ${length} characters, and no key of this gateway is nearly as long.`,
          remedy: 'Enter the key alone, as shown when it was created.',
        },
}

/** Explains a key that has ended, or a secret that was replaced. */
export function expired(
  { end, at, replaced, new_end: newEnd }: FaultFacts,
  time: (text: string) => string,
): Explanation | null {
  if (replaced === true) {
    return {
      cause: `The secret${ending(end)} was replaced by a new one of the same API key, and stopped working${at === undefined ? '' : ` at ${time(at)}`}.`,
      remedy: `Use the new secret${newEnd === undefined ? '' : `, which ends in ${newEnd}`}.`,
    }
  }
  if (at === undefined) return null
  return {
    cause: `The API key${ending(end)} expired at ${time(at)}.`,
    remedy: 'Extend its expiry, or create a new key.',
  }
}

/** Names the key by the end of its secret. */
export function ending(end: string | undefined): string {
  return end === undefined ? '' : ` ending in ${end}`
}

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`
}
