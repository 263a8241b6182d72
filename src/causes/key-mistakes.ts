import type { FactValues } from '../core/fact-values.ts'
import type { FactsOf } from '../core/fault-facts.ts'
import { isWholeSecret, SECRET_LENGTH, SECRET_PREFIX } from './secret-checksum.ts'

/** What went wrong when a secret was copied, pasted or configured; null when nothing shows. */
export function mistakeIn(presented: string): KeyFacts | null {
  const text = asTyped(presented)
  for (const look of MISTAKES) {
    const mistake = look(text)
    if (mistake !== null) return mistake
  }
  return null
}

/** There are at most the last four characters of the secret in it. */
export type KeyFacts = FactsOf<'key_malformed'> & Pick<FactValues, 'mistake'>

/** HTTP headers arrive as Latin-1; what a person typed was UTF-8. */
function asTyped(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return text
  }
}

/** The first that finds something is what gets said, so those that explain most stand first. */
const MISTAKES: readonly ((text: string) => KeyFacts | null)[] = [
  nothingThere,
  placeholder,
  wrapping,
  whiteSpace,
  illegalCharacters,
  lostBeginning,
  wrongCase,
  wrongLength,
  wrongChecksum,
]

function nothingThere(text: string): KeyFacts | null {
  return text.trim() === '' ? { mistake: 'empty' } : null
}

/** `$KEY`, `${KEY}`, `%KEY%`, `$env:KEY`, `{env:KEY}`, `{{ KEY }}`, `<key>`, `[key]`, `process.env.KEY`. */
const UNRESOLVED =
  /^(?:\$\{?\w+\}?|\$env:\w+|%\w+%|\{[^{}]*\}|\{\{[^{}]*\}\}|\$\{\{[^{}]*\}\}|<[^<>]*>|\[[^[\]]*\]|(?:process\.env|import\.meta\.env|os\.environ)\b.*)$/i
/** Names of variables and the words of examples: letters only, so that no custom key with digits is taken for one. */
const EXAMPLE =
  /^(?:sk[-_])?(?:tg[-_])?(?:[a-z_-]*api[-_]?key(?:[-_]here)?|(?:your|insert|enter|paste|replace|put)[-_][a-z_-]*|x{3,})$/i
const STAND_IN =
  /^(?:undefined|null|none|nil|nan|true|false|empty|dummy|changeme|change-me|not-needed|no-key|sk-no-key-required|token|secret|password|key)$/i
const SHORTENED = /^[\w-]*(?:\.{2,}|\u2026|\*{2,}|\u2022{2,})[\w-]*$/

function placeholder(text: string): KeyFacts | null {
  const bare = withoutEnds(text.trim(), (character) => '"\'`'.includes(character))
  if (UNRESOLVED.test(bare)) return { mistake: 'variable' }
  if (EXAMPLE.test(bare) || STAND_IN.test(bare)) return { mistake: 'placeholder' }
  return SHORTENED.test(bare) ? { mistake: 'shortened' } : null
}

/** A loop: a pattern that ends in `+$` goes back over every run of such characters that stands before the end. */
function withoutEnds(text: string, isLeftOut: (character: string) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && isLeftOut(text.charAt(start))) start += 1
  while (start < end && isLeftOut(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const QUOTES = '"\'`\u2018\u2019\u201c\u201d\u00ab\u00bb'

function wrapping(text: string): KeyFacts | null {
  const bare = text.trim()
  if (/^bearer\b/i.test(bare)) return { mistake: 'bearer_twice' }
  if (/^(?:authorization|x-api-key|x-goog-api-key|api-key)\s*:/i.test(bare)) return { mistake: 'header' }
  if (/^(?:export\s+|set\s+|\$env:)?[A-Za-z_]\w*\s*=(?!=)\s*\S{8}/.test(bare)) return { mistake: 'assignment' }
  if (QUOTES.includes(bare.charAt(0)) || QUOTES.includes(bare.charAt(bare.length - 1))) {
    return { mistake: 'quoted', ...ending(withoutEnds(bare, (character) => /\W/.test(character))) }
  }
  return null
}

function whiteSpace(text: string): KeyFacts | null {
  const found = /\s|\\[nrt]|%0[ad]|%20/i.exec(text)
  if (found === null) return null
  const isInside = text.trim() === text && found.index > 0 && found.index + found[0].length < text.length
  return {
    mistake: 'white_space',
    line_break: /[\r\n\u2028\u2029]|\\[nr]|%0[ad]/i.test(found[0]),
    where: isInside ? 'inside' : 'around',
  }
}

/** One more than are shown tells that there are others. */
const KEPT_CHARACTERS = 4

function illegalCharacters(text: string): KeyFacts | null {
  const illegal = [...new Set(text.match(/[^A-Za-z0-9_-]/gu))]
  if (illegal.length === 0) return null
  return { mistake: 'characters', characters: illegal.slice(0, KEPT_CHARACTERS).map(nameOfCharacter) }
}

const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200d': 'zero width joiner',
  '\u2010': 'typographic hyphen',
  '\u2011': 'non-breaking hyphen',
  '\u2012': 'figure dash',
  '\u2013': 'en dash',
  '\u2014': 'em dash',
  '\u2026': 'ellipsis',
}

function nameOfCharacter(character: string): string {
  if (/^[\x21-\x7e]$/.test(character)) return `"${character}"`
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const name = CHARACTER_NAMES[character]
  return name === undefined ? `U+${code}` : `U+${code} (${name})`
}

function lostBeginning(text: string): KeyFacts | null {
  const lost = SECRET_LENGTH - text.length
  if (lost < 1 || lost > SECRET_PREFIX.length) return null
  if (!isWholeSecret(SECRET_PREFIX.slice(0, lost) + text)) return null
  return { mistake: 'missing', missing: lost, where: 'start', ...ending(text) }
}

function wrongCase(text: string): KeyFacts | null {
  const isWrong = text.slice(0, SECRET_PREFIX.length).toLowerCase() === SECRET_PREFIX && !text.startsWith(SECRET_PREFIX)
  return isWrong ? { mistake: 'case', ...ending(text) } : null
}

function wrongLength(text: string): KeyFacts | null {
  if (!text.startsWith(SECRET_PREFIX) && !SECRET_PREFIX.startsWith(text)) return null
  const missing = SECRET_LENGTH - text.length
  if (missing > 0) return { mistake: 'missing', missing, where: 'end', ...ending(text) }
  if (missing === 0) return null
  if (text.slice(SECRET_LENGTH) === text.slice(0, SECRET_LENGTH)) return { mistake: 'twice', ...ending(text) }
  return { mistake: 'extra', extra: -missing, ...ending(text) }
}

function wrongChecksum(text: string): KeyFacts | null {
  return text.startsWith(SECRET_PREFIX) ? { mistake: 'checksum', ...ending(text) } : null
}

function ending(text: string): { readonly end?: string } {
  return text.length < 12 ? {} : { end: text.slice(-4) }
}
