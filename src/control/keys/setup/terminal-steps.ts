import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import type { SetupNote, SetupProtocol, SetupPurpose, SetupStep, SetupTextStep } from '../../../contract/setup.ts'
import type { ClientDescription, ClientFacts, WayContext } from './client-description.ts'
import { type ApiNames, apiName, type FileContent, filled, fileText } from './templates.ts'

/** A word of a command line: text, or the value of an environment variable. `{python}` is what the system calls Python. */
type CommandWord = string | { readonly variable: string }

/** A file of a client's configuration, whose language is that of its extension. `~` is the person's home directory. */
interface ClientFile {
  readonly path: string
  /** The path on Windows, when it is not the same one under `%USERPROFILE%`. */
  readonly windowsPath?: string
  readonly content: FileContent
  readonly purpose?: SetupPurpose
  readonly note?: SetupNote
}

type ShellVariables = Readonly<Record<string, string>>

/** The steps of a client of the terminal. Values are safe inside quotes, or hold placeholders. */
interface TerminalSetup {
  /** The whole command; absent for what every system has. */
  readonly install?: string
  readonly files?: readonly ClientFile[]
  /** Environment variables that would win over those that are set. */
  readonly unset?: readonly string[]
  /** Environment variables; one with an empty value is left out. */
  readonly set?: ShellVariables
  /** ShellVariables that the client works without. */
  readonly extra?: ShellVariables
  /** The command that sends a first message without any of the files. */
  readonly withoutFile?: readonly CommandWord[]
  /** A command that belongs to the setup, such as a sign-in. The client then keeps what it was given. */
  readonly command?: readonly CommandWord[]
  /** Files written as an alternative to the environment. */
  readonly keepFiles?: readonly ClientFile[]
  /** A program to save, by its text or by the text for each protocol. */
  readonly code?: { readonly path: string; readonly text: string | Partial<Record<SetupProtocol, string>> }
  /** The command that sends a first message. */
  readonly try?: readonly CommandWord[]
  /** The way that command adds a header: a variable that it reads headers from, or words in front of its last one. */
  readonly header?: { readonly variable: string } | { readonly words: readonly string[] }
}

/** A row of facts about a client of the terminal. */
export interface TerminalClient extends ClientFacts, TerminalSetup {
  readonly apiNames?: ApiNames
  /** Set where nothing is kept for later terminals. */
  readonly isSetForOnce?: true
  /** The first message of a client whose command is written otherwise in each shell. */
  request?(shell: Shell, way: WayContext): SetupTextStep
}

export type Shell = 'posix' | 'powershell' | 'cmd'

const SHELLS: readonly Shell[] = ['posix', 'powershell', 'cmd']

/** Python as systems call it: macOS and Debian have no `python`, and Windows has its launcher. */
const PYTHON: Readonly<Record<Shell, string>> = { posix: 'python3', powershell: 'py', cmd: 'py' }

/** A client whose steps are those of its row, for POSIX shells, PowerShell and cmd. */
export function terminalClient(category: 'cli' | 'sdk' | 'http', row: TerminalClient): ClientDescription {
  return {
    ...row,
    category,
    systems: (way) => SHELLS.map((shell) => ({ system: shell, steps: stepsFor(shell, row, way) })),
  }
}

/** A step whose text is copied, with what most steps have unless given. */
function textStep(
  step: Pick<SetupTextStep, 'kind' | 'purpose' | 'language' | 'text'> & Partial<SetupTextStep>,
): SetupTextStep {
  const { kind, purpose, note = null, language, path = null, merge = false, escapes = ['json'], text } = step
  return { kind, purpose, note, language, path, merge, escapes, text, marked_text: step.marked_text ?? null }
}

export function shellStep(
  shell: Shell,
  text: string,
  about: Pick<SetupTextStep, 'purpose'> & Partial<SetupTextStep>,
): SetupTextStep {
  return textStep({ kind: 'shell', language: shell === 'posix' ? 'bash' : shell, escapes: [shell], text, ...about })
}

/** The step of a file that the text is merged into. */
export function fileStep(file: Omit<ClientFile, 'content' | 'windowsPath'>, text: string): SetupTextStep {
  const { purpose = 'set', note = 'merge_into_file', path } = file
  const language = path.slice(path.lastIndexOf('.') + 1) as 'json' | 'toml' | 'yaml'
  return textStep({ kind: 'file', purpose, note, language, path, merge: true, text })
}

function stepsFor(shell: Shell, row: TerminalClient, way: WayContext): SetupStep[] {
  const api = apiName(row.apiNames, way)
  const { unset = [], install, command, withoutFile, header, ...rest } = filled(row, way, api)
  const [set, extra] = [variablesIn(rest.set), variablesIn(rest.extra)]
  const lines = [...unset.map((name) => UNSET[shell](name)), ...set.map((each) => SET[shell](...each))]
  const shellSteps = (text: string | undefined, purpose: SetupPurpose, note: SetupNote | null = null) =>
    text === undefined || text === '' ? [] : [shellStep(shell, text, { purpose, note })]
  const line = (words: readonly CommandWord[] | undefined) => words && commandLine(shell, words)
  const files = (some: readonly ClientFile[] = []) =>
    some.map((file) => fileStep({ ...file, path: pathIn(shell, file) }, fileText(file.content, way, api)))
  const code = row.code === undefined ? null : codeStep(row.code, way, api)
  const attempt = rest.try ?? (code === null ? [] : [code.language === 'python' ? '{python}' : 'node', code.path ?? ''])
  return [
    ...shellSteps(install?.replace('{python}', PYTHON[shell]), 'install'),
    ...files(row.files),
    ...shellSteps(lines.join('\n'), 'set', 'this_terminal'),
    ...shellSteps(line(command), 'set'),
    ...(code === null ? [] : [code]),
    ...(attempt.length === 0
      ? []
      : [
          shellStep(shell, commandLine(shell, attempt), {
            purpose: 'try',
            marked_text: markedTry(shell, attempt, header),
          }),
        ]),
    ...(row.request === undefined ? [] : [row.request(shell, way)]),
    ...shellSteps(extra.map((each) => SET[shell](...each)).join('\n'), 'extra', 'this_terminal'),
    ...shellSteps(line(withoutFile), 'without_file'),
    ...files(row.keepFiles?.map((file) => ({ ...file, purpose: 'keep' }))),
    ...(set.length === 0 || command !== undefined || row.isSetForOnce === true
      ? []
      : [keepStep(shell, [...set, ...extra], unset)]),
  ]
}

type ShellVariable = readonly [name: string, value: string]

function variablesIn(variables: ShellVariables = {}): readonly ShellVariable[] {
  return Object.entries(variables).filter(([, value]) => value !== '')
}

function codeStep({ path, text }: NonNullable<TerminalSetup['code']>, way: WayContext, api: string): SetupTextStep {
  const [language, escape] = path.endsWith('.py')
    ? (['python', 'json'] as const)
    : (['javascript', 'javascript'] as const)
  const template = typeof text === 'string' ? text : (text[way.protocol] ?? '')
  const code = { text: filled(template, way, api), language, escapes: [escape], path }
  return textStep({ kind: 'code', purpose: 'try', note: 'save_and_run', ...code })
}

/** One command in the shell's own quoting. */
function commandLine(shell: Shell, words: readonly CommandWord[]): string {
  return words.map((word) => writtenWord(shell, word)).join(' ')
}

/** The first message with the mark in a header: in this command alone, or in this terminal. */
function markedTry(shell: Shell, words: readonly CommandWord[], header: TerminalSetup['header']): string | null {
  if (header === undefined) return null
  if ('words' in header) return commandLine(shell, [...words.slice(0, -1), ...header.words, ...words.slice(-1)])
  const line = commandLine(shell, words)
  const value = `${SETUP_MARK_HEADER}: {mark}`
  if (shell === 'posix') return `${header.variable}='${value}' ${line}`
  return `${SET[shell](header.variable, value)}\n${line}`
}

/** The variables for terminals that are opened later: in the profile of a POSIX shell, in the registry on Windows. */
function keepStep(shell: Shell, set: readonly ShellVariable[], unset: readonly string[]): SetupStep {
  if (shell === 'posix') {
    const lines = [...unset.map(UNSET.posix), ...set.map((each) => SET.posix(...each))]
    const about = { purpose: 'keep', note: 'shell_profile', kind: 'file', path: '~/.profile', merge: true } as const
    return shellStep('posix', lines.join('\n'), about)
  }
  const quote = shell === 'powershell' ? "'" : '"'
  const forget = unset.map(
    (name) => `reg delete HKCU\\Environment /f /v ${name} 2>${shell === 'cmd' ? 'nul' : '$null'}`,
  )
  const lines = [...forget, ...set.map(([name, value]) => `setx ${name} ${quote}${value}${quote}`)]
  return shellStep(shell, lines.join('\n'), { purpose: 'keep', note: 'new_terminal' })
}

function pathIn(shell: Shell, { path, windowsPath }: ClientFile): string {
  return shell === 'posix' ? path : (windowsPath ?? path.replace('~', '%USERPROFILE%').replaceAll('/', '\\'))
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
  if (typeof word !== 'string') return VARIABLE[shell](word.variable)
  if (word === '{python}') return PYTHON[shell]
  if (/^[A-Za-z0-9_./:-]+$/.test(word)) return word
  return shell === 'cmd' ? `"${word}"` : `'${word}'`
}
