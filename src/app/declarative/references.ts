import type { Environment } from '../installation/environment.ts'
import { givenSecret } from '../installation/secret-files.ts'

/**
 * `${VAR}` in a YAML text. Braces mean something else inside YAML's own flow style, so before the text is parsed every
 * reference is written with characters of the same number that mean nothing to YAML; positions stay what they are.
 * `$${VAR}` stands for the text `${VAR}` itself. The text must not contain a reserved character (`hasReserved`).
 */
export function markReferences(text: string): string {
  return text.replace(/(\$?)\$\{([^{}\r\n"']*)\}/g, (_, escape: string, name: string) =>
    escape === '' ? OPEN + OPEN + name + CLOSE : ESCAPE + ESCAPE + ESCAPE + name + CLOSE,
  )
}

/** The marked text as the person wrote it. */
export function restoreReferences(marked: string): string {
  return marked.replaceAll(ESCAPE.repeat(3), '$${').replaceAll(OPEN.repeat(2), '${').replaceAll(CLOSE, '}')
}

/** Whether the text has characters that marking needs for itself. */
export function hasReserved(text: string): boolean {
  return [OPEN, CLOSE, ESCAPE].some((reserved) => text.includes(reserved))
}

export type FilledReferences =
  | { readonly kind: 'filled'; readonly text: string }
  | { readonly kind: 'refused'; readonly sentence: string }

/**
 * Fills the references of a marked text in; where `NAME` is not set, from the file that `NAME_FILE` names. Refuses a variable
 * that is not set, and a name that cannot be one.
 */
export function filledIn(marked: string, environment: Environment): FilledReferences {
  if (marked.includes('${')) return { kind: 'refused', sentence: '"${" has no "}" on its line' }
  let sentence: string | null = null
  const text = marked.replace(REFERENCE, (_, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return '${' + literal + '}'
    const value = valueOf(name ?? '', environment)
    if (value.kind === 'refused') sentence ??= value.sentence
    return value.kind === 'filled' ? value.text : ''
  })
  return sentence === null ? { kind: 'filled', text } : { kind: 'refused', sentence }
}

const OPEN = '\uf8d1'
const CLOSE = '\uf8d2'
const ESCAPE = '\uf8d0'
const REFERENCE = new RegExp(`${ESCAPE}{3}([^${CLOSE}]*)${CLOSE}|${OPEN}{2}([^${CLOSE}]*)${CLOSE}`, 'g')

/** What stands for a name. What is in a file (`NAME_FILE`) is a secret, and so is everything that may be. */
function valueOf(name: string, environment: Environment): FilledReferences {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return refused(
      `\${${name}} names no environment variable: write \${NAME}, with letters, digits and "_" only, or $\${ for the characters themselves`,
    )
  }
  const given = givenSecret(environment, name)
  if (given.kind === 'refused') return refused(given.sentence.replace(/\.$/, ''))
  const text = given.kind === 'given' ? given.text : environment[name]
  return text === undefined
    ? refused(
        `the environment variable ${name} is not set: set it, or write $\${${name}} for the characters themselves`,
      )
    : { kind: 'filled', text }
}

function refused(sentence: string): FilledReferences {
  return { kind: 'refused', sentence }
}
