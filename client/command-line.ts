import { parseArgs, type ParseArgsConfig } from 'node:util'
import { Unreachable } from './gateway/ask.ts'
import { httpsProxyRemark } from './gateway/https-proxy.ts'
import { readAddress } from './gateway/address.ts'
import { shown } from './gateway/shown.ts'
import { Failure, type Host, UsageFailure } from './host.ts'

interface Command {
  readonly call: string
  readonly does: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** `words` are what is not an option; `rest` what stands behind `--`. */
  readonly run: (host: Host, given: Given) => Promise<number>
}

interface Given {
  readonly words: readonly string[]
  readonly rest: readonly string[]
  /** The address behind --gateway, read; null where there is none. */
  readonly gateway: string | null
  readonly has: (name: string) => boolean
  readonly valueOf: (name: string) => string | null
}

const GATEWAY = { gateway: { type: 'string' } } as const
const flag = { type: 'boolean' } as const
const value = { type: 'string' } as const

const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    call: 'login ADDRESS [--no-browser] [--name NAME]',
    does: 'sign this computer in at a gateway',
    options: { 'no-browser': flag, name: value },
    run: async (host, { words: [typed, ...more], has, valueOf }) => {
      if (typed === undefined || more.length > 0)
        throw new UsageFailure('Name the address of the gateway: tollgate login https://…')
      const { login } = await import('./commands/login.ts')
      return login(host, { typed, hasBrowser: !has('no-browser'), deviceName: valueOf('name') })
    },
  },
  token: {
    call: 'token [--each-request]',
    does: 'print an access token, for clients that run a command',
    options: { ...GATEWAY, 'each-request': flag },
    run: async (host, { gateway, has }) => {
      const { token } = await import('./commands/token.ts')
      return token(host, { gateway, asker: has('each-request') ? 'client_each_request' : 'client' })
    },
  },
  status: {
    call: 'status [--json|--line]',
    does: 'show balance, limits, last requests and clients',
    options: { ...GATEWAY, json: flag, line: flag },
    run: async (host, { gateway, has }) => {
      const { status } = await import('./commands/status.ts')
      return status(host, { gateway, form: has('line') ? 'line' : has('json') ? 'json' : 'text' })
    },
  },
  use: {
    call: 'use [CLIENT …] [--model NAME] [--yes]',
    does: 'set up the clients that are named, or those found here; also --no-test, --status-line, --token-command',
    options: { ...GATEWAY, model: value, yes: flag, 'no-test': flag, 'status-line': flag, 'token-command': flag },
    run: async (host, { gateway, words, has, valueOf }) => {
      const { use } = await import('./commands/use.ts')
      const wants = { tokenCommand: has('token-command'), statusLine: has('status-line') }
      return use(host, {
        gateway,
        clients: words,
        model: valueOf('model'),
        isAgreed: has('yes'),
        isTried: !has('no-test'),
        wants,
      })
    },
  },
  unuse: {
    call: 'unuse [CLIENT …] [--yes]',
    does: 'take back what "use" wrote',
    options: { yes: flag },
    run: async (host, { words, has }) => {
      const { unuse } = await import('./commands/unuse.ts')
      return unuse(host, { clients: words, isAgreed: has('yes') })
    },
  },
  run: {
    call: 'run CLIENT [--model NAME] -- …',
    does: 'start a client with a token in its environment, and in no file',
    options: { ...GATEWAY, model: value },
    run: async (host, { gateway, words, rest, valueOf }) => {
      const { run } = await import('./commands/run.ts')
      return run(host, { gateway, words, args: rest, model: valueOf('model') })
    },
  },
  logout: {
    call: 'logout [--all]',
    does: 'end the sign-in, there and here',
    options: { ...GATEWAY, all: flag },
    run: async (host, { gateway, has }) => {
      const { logout } = await import('./commands/logout.ts')
      return logout(host, { gateway, isAll: has('all') })
    },
  },
}

/** Runs what the arguments ask for. Resolves with the exit code: 0 done, 1 not done, 2 not understood. */
export async function runCommandLine(host: Host, [name = 'help', ...args]: readonly string[]): Promise<number> {
  try {
    if (/^(?:--version|-v|version)$/.test(name)) return say(host, host.version)
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined || args.some((arg) => arg === '--help' || arg === '-h')) {
      if (command === undefined && !/^(?:--help|-h|help)$/.test(name))
        throw new UsageFailure(`There is no command "${shown(name, 60)}".\n\n${help()}`)
      return say(host, command === undefined ? help() : `tollgate ${command.call}\n  ${command.does}`)
    }
    return await command.run(host, given(command, args))
  } catch (error) {
    if (error instanceof UsageFailure) host.remark(`${error.message}\n`)
    else host.remark(`${error instanceof Failure ? sentenceOf(host, error) : reported(error)}\n`)
    return error instanceof UsageFailure ? 2 : 1
  }
}

function sentenceOf(host: Host, error: Failure): string {
  const isNotReached = error instanceof Unreachable && error.stage !== 'answer'
  return isNotReached ? error.message + httpsProxyRemark(host, error.url) : error.message
}

function given({ options }: Command, args: readonly string[]): Given {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  const { values, positionals } = parsed({ args: [...own], options, allowPositionals: true, strict: true })
  const valueOf = (name: string): string | null => {
    const found = values[name]
    return typeof found === 'string' ? found : null
  }
  const gateway = valueOf('gateway')
  return {
    words: positionals,
    rest: end === -1 ? [] : args.slice(end + 1),
    gateway: gateway === null ? null : readAddress(gateway),
    has: (name) => values[name] === true,
    valueOf,
  }
}

function parsed(config: ParseArgsConfig): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageFailure(shown(error instanceof Error ? error.message : String(error)), { cause: error })
  }
}

function help(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ call }) => call.length))
  return [
    'tollgate COMMAND [--gateway ADDRESS]',
    ...Object.values(COMMANDS).map(({ call, does }) => `  ${call.padEnd(width)}  ${does}`),
  ].join('\n')
}

function say(host: Host, text: string): number {
  host.print(`${text}\n`)
  return 0
}

function reported(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
