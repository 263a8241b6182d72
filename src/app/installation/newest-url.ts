import type { Environment, Settings } from './environment.ts'
import { fileVariableOf, givenSecret } from './secret-files.ts'
import { SERVER_VARIABLES } from './server-variables.ts'

/** The URLs that have a login in them. */
export type LoginUrl = 'databaseUrl' | 'redisUrl'

export interface NewestUrlOptions {
  /** The URL that was read at the start. */
  readonly given: string
  readonly environment: Environment
  /** Hears once of each thing that is wrong with what the file says now; the login from before goes on to be used. */
  onTrouble(error: Error): void
}

/**
 * Returns how to read a URL anew, for each connection that is made: an admin who changes a password writes the new one into the file
 * that `NAME_FILE` names, and connections from then on use it. The file is read at that moment, on every thread alike, so that
 * no signal has to reach them. It may change the login alone: another server or database takes a restart of all nodes.
 */
export function newestUrl(of: LoginUrl, { given, environment, onTrouble }: NewestUrlOptions): () => string {
  const { name } = SERVER_VARIABLES[of]
  if (!isInFile(of, environment)) return () => given
  let good = given
  let said = ''
  const complain = (sentence: string): string => {
    if (sentence !== said) onTrouble(new Error(sentence))
    said = sentence
    return good
  }
  return () => {
    const now = givenSecret(environment, name)
    if (now.kind === 'refused') return complain(now.sentence)
    const text = now.kind === 'given' ? now.text : ''
    const url = SERVER_VARIABLES[of].value.read(text)
    if (url === undefined)
      return complain(`${fileVariableOf(name)} names a file that must hold ${SERVER_VARIABLES[of].takes}.`)
    if (withoutLogin(url) !== withoutLogin(given)) {
      return complain(`${fileVariableOf(name)} names another server or database than at the start: restart every node.`)
    }
    said = ''
    good = url
    return good
  }
}

/** Whether the URL is in a file, which may be written anew. */
export function isInFile(of: LoginUrl, environment: Environment): boolean {
  return (environment[fileVariableOf(SERVER_VARIABLES[of].name)] ?? '').trim() !== ''
}

function withoutLogin(url: string): string {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare.href
}

/** The newest URL as an option of a store; nothing where the database is the embedded one. */
export function newestDatabaseUrl(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  environment: Environment,
  onTrouble: (error: Error) => void = () => {},
): { newestDatabaseUrl?: () => string } {
  if (databaseUrl === null) return {}
  return { newestDatabaseUrl: newestUrl('databaseUrl', { given: databaseUrl, environment, onTrouble }) }
}
