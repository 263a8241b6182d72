import { chmodSync, copyFileSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { Failure, type Host } from '../host.ts'
import { dataFolder } from './folder.ts'
import { codeOf } from './whole-file.ts'

/** The file that clients are set up to run: it stays where it is when npm forgets what npx has fetched. */
export function ownCopy(host: Host): string {
  return host.paths.join(dataFolder(host), 'tollgate.cjs')
}

/** Copies the running program into the folder of this user. */
export function keepOwnCopy(host: Host): void {
  const copy = ownCopy(host)
  const beside = `${copy}.${host.draw()}.tmp`
  try {
    mkdirSync(dataFolder(host), { recursive: true, mode: 0o700 })
    if (realpathOr(copy) === realpathOr(host.ownFile)) return
    copyFileSync(host.ownFile, beside)
    chmodSync(beside, 0o600)
    renameSync(beside, copy)
  } catch (error) {
    throw new Failure(`${copy} cannot be written (${codeOf(error)}).`, { cause: error })
  }
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** A command for a shell that prints an access token: Node.js and the program by their absolute places. */
export function tokenCommand(host: Host, address: string, flags: readonly string[] = []): string {
  return tokenWords(host, address, flags)
    .map((word) => quoted(host, word))
    .join(' ')
}

/** The words of the same command, for clients that take them apart. */
export function tokenWords(host: Host, address: string, flags: readonly string[] = []): readonly string[] {
  return [host.node, ownCopy(host), 'token', '--gateway', address, ...flags]
}

/** A word for the shell of this system. Throws for what no quotation marks keep together. */
export function quoted({ system }: Pick<Host, 'system'>, word: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(word))
    throw new Failure('A path with a control character cannot stand in a command.')
  if (/^[\w.:/@%+=,~-]+$/.test(word) && !word.startsWith('~') && !(system === 'windows' && word.includes('%')))
    return word
  if (system !== 'windows') return `'${word.replaceAll("'", `'\\''`)}'`
  if (/["%]/.test(word)) throw new Failure(`The path ${word} has a character that no command of Windows keeps.`)
  return `"${word}"`
}
