import { VARIABLES } from '../installation/environment.ts'
import type { Command } from './command.ts'

/** Everything on one page: commands and environment variables. */
export function overview(commands: readonly Command[]): string {
  const variables = VARIABLES.map(({ name, meaning, ifUnset }): HelpRow => [name, `${meaning} (${ifUnset})`])
  return `Tollgate, a gateway to AI models.

Usage: tollgate [COMMAND] [FLAGS]

Commands:
${table(commands.map(({ words, summary }): HelpRow => [words, summary]))}
  help [COMMAND]  what a command takes
  --version       the version

On the computer of someone who uses a gateway, which needs no installation (COMMAND --help for more):
${table(FOR_USERS)}

Environment variables (default):
${table(variables)}

A secret may stand in a file instead: NAME_FILE is its path, for ${SECRET_NAMES}.
`
}

const SECRET_NAMES = VARIABLES.filter(({ isSecret }) => isSecret)
  .map(({ name }) => name)
  .join(', ')

/** The words that the launcher hands over to the client package (bin/tollgate.js, client/). */
const FOR_USERS: readonly HelpRow[] = [
  ['login URL', 'sign in, by a code that is approved in the console'],
  ['use, unuse', 'set up AI clients, and take back what was written'],
  ['status, token, run', 'what is left; a token for a client that asks a command; start a client'],
  ['logout', 'sign out'],
]

/** What one command takes. */
export function helpFor({ words, summary, operand, flags = {} }: Command): string {
  const rows = Object.entries(flags).map(([name, { value, meaning, isRequired }]): HelpRow => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    isRequired === true ? `${meaning} (required)` : meaning,
  ])
  const usage = ['tollgate', words, operand, rows.length > 0 ? '[FLAGS]' : undefined].filter(
    (part) => part !== undefined,
  )
  return `Usage: ${usage.join(' ')}\n\n${sentence(summary)}\n${rows.length > 0 ? `\nFlags:\n${table(rows)}\n` : ''}`
}

type HelpRow = readonly [string, string]

function table(rows: readonly HelpRow[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
