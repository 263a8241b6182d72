import { isWholeSecret, SECRET_LENGTH, SECRET_PREFIX } from './secret-checksum.ts'

/**
 * What went wrong when a secret was copied, pasted or configured, as a sentence with the remedy; null when nothing
 * shows. The sentence repeats at most the last four characters.
 */
export function mistakeIn(presented: string): string | null {
  const text = asTyped(presented)
  for (const look of MISTAKES) {
    const mistake = look(text)
    if (mistake !== null) return mistake
  }
  return null
}

/** HTTP headers arrive as Latin-1; what a person typed was UTF-8. */
function asTyped(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/** The first that finds something is what gets said, so those that explain most stand first. */
const MISTAKES: readonly ((text: string) => string | null)[] = [
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

function nothingThere(text: string): string | null {
  return text.trim() === '' ? 'The API key is empty: set the variable or field that should hold it.' : null
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

function placeholder(text: string): string | null {
  const bare = withoutEnds(text.trim(), (character) => '"\'`'.includes(character))
  if (UNRESOLVED.test(bare)) {
    return 'The name of a variable was sent instead of an API key: it was not expanded. Set the variable, and check which syntax this program uses.'
  }
  if (EXAMPLE.test(bare) || STAND_IN.test(bare)) {
    return 'A placeholder was sent instead of an API key: the variable or field for the key was not filled in. Enter the key there.'
  }
  if (SHORTENED.test(bare)) {
    return 'This is the shortened form of an API key that lists show: use the whole secret, as shown when the key was created.'
  }
  return null
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

function wrapping(text: string): string | null {
  const bare = text.trim()
  if (/^bearer\b/i.test(bare)) {
    return 'The word "Bearer" was sent twice: this program adds it automatically, so enter the API key alone.'
  }
  if (/^(?:authorization|x-api-key|x-goog-api-key|api-key)\s*:/i.test(bare)) {
    return 'A whole header was entered as the API key: enter the key alone, without the header name before it.'
  }
  if (/^(?:export\s+|set\s+|\$env:)?[A-Za-z_]\w*\s*=(?!=)\s*\S{8}/.test(bare)) {
    return 'A whole line with a variable was entered as the API key: enter only what follows the "=".'
  }
  if (QUOTES.includes(bare.charAt(0)) || QUOTES.includes(bare.charAt(bare.length - 1))) {
    return `The API key${ending(withoutEnds(bare, (character) => /\W/.test(character)))} has quotation marks around it. Remove them.`
  }
  return null
}

function whiteSpace(text: string): string | null {
  const found = /\s|\\[nrt]|%0[ad]|%20/i.exec(text)
  if (found === null) return null
  const isLineBreak = /[\r\n\u2028\u2029]|\\[nr]|%0[ad]/i.test(found[0])
  const what = isLineBreak ? 'a line break' : 'white space'
  const isInside = text.trim() === text && found.index > 0 && found.index + found[0].length < text.length
  return `The API key has ${what} ${isInside ? 'inside' : 'before or after it'}: copy it again as one line, without anything around it.`
}

const SHOWN_CHARACTERS = 3

function illegalCharacters(text: string): string | null {
  const illegal = [...new Set(text.match(/[^A-Za-z0-9_-]/gu))]
  if (illegal.length === 0) return null
  const shown = illegal.slice(0, SHOWN_CHARACTERS).map(nameOfCharacter).join(', ')
  const more = illegal.length > SHOWN_CHARACTERS ? ' and others' : ''
  return `The API key contains ${shown}${more}, which keys of this gateway never contain: copy it again, using letters, digits, "-" and "_" only.`
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

function lostBeginning(text: string): string | null {
  const lost = SECRET_LENGTH - text.length
  if (lost < 1 || lost > SECRET_PREFIX.length) return null
  if (!isWholeSecret(SECRET_PREFIX.slice(0, lost) + text)) return null
  return `The API key${ending(text)} lacks its first ${count(lost)}: it begins with "${SECRET_PREFIX}".`
}

function wrongCase(text: string): string | null {
  const isWrong = text.slice(0, SECRET_PREFIX.length).toLowerCase() === SECRET_PREFIX && !text.startsWith(SECRET_PREFIX)
  return isWrong ? `Upper and lower case of the API key${ending(text)} were changed: copy it again.` : null
}

function wrongLength(text: string): string | null {
  if (!text.startsWith(SECRET_PREFIX) && !SECRET_PREFIX.startsWith(text)) return null
  const missing = SECRET_LENGTH - text.length
  if (missing > 0) {
    return `The API key${ending(text)} is incomplete: ${count(missing)} missing, so copy it again to its end.`
  }
  if (missing === 0) return null
  if (text.slice(SECRET_LENGTH) === text.slice(0, SECRET_LENGTH)) {
    return `The API key${ending(text)} was pasted twice: enter it once.`
  }
  return `The API key${ending(text)} has ${count(-missing)} too many: copy it again, only to its end.`
}

function wrongChecksum(text: string): string | null {
  if (!text.startsWith(SECRET_PREFIX)) return null
  return `The API key${ending(text)} is damaged: it has the right length, but its checksum does not match, so copy it again.`
}

function ending(text: string): string {
  return text.length < 12 ? '' : ` ending in ${text.slice(-4)}`
}

function count(characters: number): string {
  return characters === 1 ? '1 character' : `${characters} characters`
}
