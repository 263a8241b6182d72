import { readFileSync, statSync } from 'node:fs'

/** Larger than any secret; what is larger was named by mistake. */
const LARGEST_BYTES = 65_536

/** What a variable with a secret says. `refused`: a sentence with the remedy, and with neither the secret nor the path. */
export type GivenSecret =
  | { readonly kind: 'given'; readonly text: string }
  | { readonly kind: 'unset' }
  | { readonly kind: 'refused'; readonly sentence: string }

/** The variable that names the file of a secret, as images of databases have it for the secrets of Docker and Kubernetes. */
export function fileVariableOf(name: string): string {
  return `${name}_FILE`
}

/**
 * A secret from its variable `NAME`, or from the file that `NAME_FILE` names. An empty variable counts as unset; white space
 * around the text of a file is dropped. The path is not repeated: it may be the secret itself, put where a path belongs.
 */
export function givenSecret(environment: Readonly<Record<string, string | undefined>>, name: string): GivenSecret {
  const value = environment[name] ?? ''
  const path = environment[fileVariableOf(name)]?.trim() ?? ''
  if (path === '') return value.trim() === '' ? { kind: 'unset' } : { kind: 'given', text: value }
  if (value.trim() !== '') return refused(`${name} and ${fileVariableOf(name)} are both set: unset one of them.`)
  const names = `${fileVariableOf(name)} names`
  const remedy = `give it the path of a file with the value of ${name}.`
  try {
    const { size, isFile } = about(path)
    if (!isFile) return refused(`${names} something that is not a file: ${remedy}`)
    if (size > LARGEST_BYTES) return refused(`${names} a file of more than ${LARGEST_BYTES} bytes: ${remedy}`)
    const text = readFileSync(path, 'utf8').trim()
    return text === '' ? refused(`${names} a file that is empty: ${remedy}`) : { kind: 'given', text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return refused(`${names} a file that cannot be read (${code}): ${remedy}`)
  }
}

function about(path: string): { readonly size: number; readonly isFile: boolean } {
  const stats = statSync(path)
  return { size: stats.size, isFile: stats.isFile() }
}

function refused(sentence: string): GivenSecret {
  return { kind: 'refused', sentence }
}
