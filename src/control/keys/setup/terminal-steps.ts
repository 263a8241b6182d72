import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import type {
  SetupEscape,
  SetupNote,
  SetupPurpose,
  SetupStep,
  SetupTextStep,
  SetupWay,
} from '../../../contract/setup.ts'

/** A word of a command line: text, the value of an environment variable, or another text in each shell. */
export type CommandWord = string | { readonly variable: string } | Readonly<Record<Shell, string>>

/** A file of a client's configuration. `~` is the person's home directory. */
export interface ConfigFile {
  readonly path: string
  /** Where it lies on Windows, when that is not the same path under `%USERPROFILE%`. */
  readonly windowsPath?: string
  readonly language: 'json' | 'toml' | 'yaml'
  readonly text: string
  readonly purpose?: SetupPurpose
  readonly note?: SetupNote
}

/** How a client of the terminal is set up. Values are safe inside quotes, or hold placeholders. */
export interface TerminalSetup {
  /** The whole command, or one for each shell; absent for what every system has. */
  readonly install?: string | Readonly<Record<Shell, string>>
  readonly files?: readonly ConfigFile[]
  /** Environment variables that would win over those that are set. */
  readonly unset?: readonly string[]
  readonly set?: readonly (readonly [name: string, value: string])[]
  /** Variables that it works without. */
  readonly extra?: readonly (readonly [name: string, value: string])[]
  /** The command that sends a first message without any of the files. */
  readonly withoutFile?: readonly CommandWord[]
  /** A command that belongs to the setup, such as a sign-in. The client then keeps what it was given. */
  readonly command?: readonly CommandWord[]
  /** Files written as an alternative to the environment. */
  readonly keepFiles?: readonly ConfigFile[]
  /** The command that sends a first message. */
  readonly try?: readonly CommandWord[]
  /** How that command adds a header: a variable that it reads headers from, or words in front of its last one. */
  readonly header?:
    | { readonly variable: string }
    | { readonly words: (name: string, value: string) => readonly string[] }
}

export type Shell = 'posix' | 'powershell' | 'cmd'

const SHELLS: readonly Shell[] = ['posix', 'powershell', 'cmd']

/** The same setup for POSIX shells, PowerShell and cmd. */
export function terminalSystems(setup: TerminalSetup): SetupWay['systems'] {
  return SHELLS.map((shell) => ({ system: shell, steps: stepsFor(shell, setup) }))
}

/** One command in the shell's own quoting. */
function commandLine(shell: Shell, words: readonly CommandWord[]): string {
  return words.map((word) => writtenWord(shell, word)).join(' ')
}

/** A step whose text is for a shell. */
export function shellStep(
  shell: Shell,
  text: string,
  about: { purpose: SetupPurpose; note?: SetupNote; escapes?: SetupEscape[]; marked?: string | null },
): SetupTextStep {
  return {
    kind: 'shell',
    purpose: about.purpose,
    note: about.note ?? null,
    language: shell === 'posix' ? 'bash' : shell,
    path: null,
    merge: false,
    escapes: about.escapes ?? [shell],
    text,
    marked_text: about.marked ?? null,
  }
}

function stepsFor(shell: Shell, setup: TerminalSetup): SetupStep[] {
  const variables = setup.set ?? []
  const command = typeof setup.install === 'object' ? setup.install[shell] : setup.install
  const install = command === undefined ? [] : [shellStep(shell, command, { purpose: 'install' })]
  const files = (setup.files ?? []).map((file) => fileStep(shell, file))
  const lines = [
    ...(setup.unset ?? []).map((name) => UNSET[shell](name)),
    ...variables.map(([name, value]) => SET[shell](name, value)),
  ]
  const environment =
    lines.length === 0 ? [] : [shellStep(shell, lines.join('\n'), { purpose: 'set', note: 'this_terminal' })]
  const signIn =
    setup.command === undefined ? [] : [shellStep(shell, commandLine(shell, setup.command), { purpose: 'set' })]
  const isKept = variables.length === 0 || setup.command !== undefined
  const kept = isKept ? [] : [keepStep(shell, setup)]
  const keptFiles = (setup.keepFiles ?? []).map((file) => fileStep(shell, { purpose: 'keep', ...file }))
  const attempt =
    setup.try === undefined
      ? []
      : [shellStep(shell, commandLine(shell, setup.try), { purpose: 'try', marked: markedTry(shell, setup) })]
  const extra = setup.extra?.map(([name, value]) => SET[shell](name, value)) ?? []
  const extras =
    extra.length === 0 ? [] : [shellStep(shell, extra.join('\n'), { purpose: 'extra', note: 'this_terminal' })]
  const withoutFile =
    setup.withoutFile === undefined
      ? []
      : [shellStep(shell, commandLine(shell, setup.withoutFile), { purpose: 'without_file' })]
  return [...install, ...files, ...environment, ...signIn, ...attempt, ...extras, ...withoutFile, ...keptFiles, ...kept]
}

const MARK = [SETUP_MARK_HEADER, '{mark}'] as const

/** The first message with the mark in a header: in this command alone, or in this terminal. */
function markedTry(shell: Shell, { try: words = [], header }: TerminalSetup): string | null {
  if (header === undefined) return null
  if ('words' in header)
    return commandLine(shell, [...words.slice(0, -1), ...header.words(...MARK), ...words.slice(-1)])
  const line = commandLine(shell, words)
  const value = MARK.join(': ')
  if (shell === 'posix') return `${header.variable}='${value}' ${line}`
  return `${SET[shell](header.variable, value)}\n${line}`
}

/** The variables for terminals that are opened later: in the profile of a POSIX shell, in the registry on Windows. */
function keepStep(shell: Shell, { set: needed = [], extra = [], unset = [] }: TerminalSetup): SetupStep {
  const set = [...needed, ...extra]
  if (shell === 'posix') {
    const lines = [...unset.map(UNSET.posix), ...set.map(([name, value]) => SET.posix(name, value))]
    return {
      ...shellStep('posix', lines.join('\n'), { purpose: 'keep', note: 'shell_profile' }),
      kind: 'file',
      path: '~/.profile',
      merge: true,
    }
  }
  const quote = shell === 'powershell' ? "'" : '"'
  const forget = unset.map(
    (name) => `reg delete HKCU\\Environment /f /v ${name} 2>${shell === 'cmd' ? 'nul' : '$null'}`,
  )
  const lines = [...forget, ...set.map(([name, value]) => `setx ${name} ${quote}${value}${quote}`)]
  return shellStep(shell, lines.join('\n'), { purpose: 'keep', note: 'new_terminal' })
}

function fileStep(shell: Shell, file: ConfigFile): SetupStep {
  const windowsPath = file.windowsPath ?? file.path.replace('~', '%USERPROFILE%').replaceAll('/', '\\')
  return {
    kind: 'file',
    purpose: file.purpose ?? 'set',
    note: file.note ?? 'merge_into_file',
    language: file.language,
    path: shell === 'posix' ? file.path : windowsPath,
    merge: true,
    escapes: ['json'],
    text: file.text,
    marked_text: null,
  }
}

const SET: Record<Shell, (name: string, value: string) => string> = {
  posix: (name, value) => `export ${name}='${value}'`,
  powershell: (name, value) => `$env:${name} = '${value}'`,
  cmd: (name, value) => `set "${name}=${value}"`,
}

const UNSET: Record<Shell, (name: string) => string> = {
  posix: (name) => `unset ${name}`,
  powershell: (name) => `Remove-Item Env:${name} -ErrorAction SilentlyContinue`,
  cmd: (name) => `set "${name}="`,
}

const VARIABLE: Record<Shell, (name: string) => string> = {
  posix: (name) => `"$${name}"`,
  powershell: (name) => `$env:${name}`,
  cmd: (name) => `"%${name}%"`,
}

function writtenWord(shell: Shell, word: CommandWord): string {
  if (typeof word !== 'string') return 'variable' in word ? VARIABLE[shell](word.variable) : word[shell]
  if (/^[A-Za-z0-9_./:-]+$/.test(word)) return word
  return shell === 'cmd' ? `"${word}"` : `'${word}'`
}
