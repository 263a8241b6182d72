import { parseArgs } from 'node:util'
import { nearestName } from '../../core/near-names.ts'
import { COMMANDS } from './commands.ts'
import type { Invocation, Command } from './command.ts'
import { UsageError } from './cli-host.ts'

export interface FoundCommand {
  readonly command: Command
  /** What follows the command's words. */
  readonly rest: readonly string[]
}

/** The command that the arguments begin with; none means `start`. Throws UsageError with the nearest name. */
export function findCommand(args: readonly string[]): FoundCommand {
  const first = args[0]
  const words = first === undefined || first.startsWith('-') ? ['start', ...args] : args
  for (const count of [2, 1]) {
    const command = COMMANDS.find((each) => each.words === words.slice(0, count).join(' '))
    if (command !== undefined) return { command, rest: words.slice(count) }
  }
  const family = COMMANDS.filter((command) => command.words.startsWith(`${words[0]} `))
  const second = words[1]
  if (family.length > 0 && (second === undefined || second.startsWith('-'))) {
    const verbs = family.map((command) => command.words.split(' ')[1]).join(', ')
    throw new UsageError(`"${words[0]}" needs to be followed by one of ${verbs}.`)
  }
  const wrong = family.length > 0 ? words.slice(0, 2).join(' ') : (words[0] ?? '')
  const near = nearestName(
    wrong,
    COMMANDS.map((command) => command.words),
  )
  const remedy = near === null ? 'see "tollgate help" for those there are.' : `did you mean "tollgate ${near}"?`
  throw new UsageError(`"${wrong}" is not a command: ${remedy}`)
}

/** Reads flags and operands. Throws UsageError with one sentence. */
export function readCall(command: Command, args: readonly string[]): Invocation {
  const flags = command.flags ?? {}
  refuseUnknownFlags(command, args)
  const { values, positionals } = parse(command, args)
  const texts = (flag: string) => [values[flag] ?? []].flat().filter((value) => typeof value === 'string')
  for (const [name, { isRequired, value }] of Object.entries(flags)) {
    const given = texts(name)
    if (isRequired === true && given.length === 0) {
      throw new UsageError(`"tollgate ${command.words}" needs --${name} ${value}.`)
    }
    if (flags[name]?.isList !== true && given.length > 1)
      throw new UsageError(`--${name} was given twice: give it once.`)
  }
  if (positionals.length > 0 && command.operand === undefined) {
    throw new UsageError(`"${positionals[0]}" means nothing to "tollgate ${command.words}": leave it out.`)
  }
  return {
    operands: positionals,
    text: (flag) => texts(flag)[0] ?? null,
    required: (flag) => texts(flag)[0] ?? '',
    list: (flag) => {
      const given = texts(flag)
      return given.length === 0 ? null : given.flatMap((text) => text.split(',')).map((item) => item.trim())
    },
    has: (flag) => values[flag] === true,
  }
}

function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.flags ?? {}).map(([name, flag]) => [
      name,
      flag.value === undefined ? { type: 'boolean' as const } : { type: 'string' as const, multiple: true },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: operandsApart(command, args),
      options,
      allowPositionals: true,
      strict: true,
    })
    return { values, positionals: positionals.map((operand) => operand.replace(APART, '')) }
  } catch (error) {
    throw new UsageError(unquoted(error instanceof Error ? error.message : String(error), command))
  }
}

const APART = '\u0000'

/** Marks operands such as `-5` as what they are: Node takes whatever begins with "-" for a flag. */
function operandsApart({ operand, flags = {} }: Command, args: readonly string[]): string[] {
  if (operand === undefined) return [...args]
  const awaitsValue = (arg = '') => arg.startsWith('--') && flags[arg.slice(2)]?.value !== undefined
  return args.map((arg, i) => (/^-\d/.test(arg) && !awaitsValue(args[i - 1]) ? APART + arg : arg))
}

/** Node's own sentence names the flag; what it suggests may not fit here. */
function unquoted(message: string, command: Command): string {
  const name = /--([a-z-]+)/.exec(message)?.[1] ?? ''
  const flag = command.flags?.[name]
  if (flag?.value !== undefined)
    return `--${name} needs a value: --${name} ${flag.value}, or --${name}=… for one that begins with "-".`
  return flag === undefined ? message : `--${name} takes no value.`
}

function refuseUnknownFlags(command: Command, args: readonly string[]): void {
  const known = Object.keys(command.flags ?? {})
  const end = args.indexOf('--')
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = /^--?([^=\d][^=]*)/.exec(arg)?.[1]
    if (name === undefined || (arg.startsWith('--') && known.includes(name))) continue
    const near = nearestName(name, known) ?? known.find((flag) => flag.startsWith(name))
    const remedy =
      near == null ? `see "tollgate help ${command.words}" for those there are.` : `did you mean --${near}?`
    throw new UsageError(`"tollgate ${command.words}" has no flag ${arg.split('=')[0]}: ${remedy}`)
  }
}
