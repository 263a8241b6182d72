import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import type { SetupNote, SetupPurpose, SetupStep, SetupTextStep, SetupWay } from '../../../contract/setup.ts'
import { familyOf } from '../../../core/wire.ts'
import type {
  ClientDescription,
  ClientFile,
  CommandWord,
  Shell,
  ShellVariables,
  WayContext,
} from './client-description.ts'
import { filled, fileText } from './templates.ts'

const SHELLS: readonly Shell[] = ['posix', 'powershell', 'cmd']

/** Python as systems call it: macOS and Debian have no `python`, and Windows has its launcher. */
const PYTHON: Readonly<Record<Shell, string>> = { posix: 'python3', powershell: 'py', cmd: 'py' }

/** The steps of a client: those of a program with windows for every system, those of one of the terminal for each shell. */
export function systemsOf(client: ClientDescription, isApp: boolean, way: WayContext): SetupWay['systems'] {
  const api = client.apiNames?.[way.protocol] ?? familyOf(way.protocol)
  if (!isApp) return SHELLS.map((shell) => ({ system: shell, steps: stepsFor(shell, client, { way, api }) }))
  const { file, where, chineseWhere, fields = [] } = client
  if (file !== undefined) return [{ system: 'any', steps: [fileStep(file.path, file, { way, api })] }]
  const step = {
    kind: 'settings',
    purpose: 'set',
    note: 'fields_in_app',
    where: where ?? '',
    chinese_where: chineseWhere ?? null,
    fields: fields.map(([label, value, chineseLabel]) => ({
      label,
      chinese_label: chineseLabel ?? null,
      value: filled(value, way, api),
    })),
  } as const
  return [{ system: 'any', steps: [step] }]
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

interface Filling {
  readonly way: WayContext
  readonly api: string
}

/** The step of a file that its text is merged into. */
function fileStep(
  path: string,
  { content, note = 'merge_into_file' }: ClientFile,
  { way, api, purpose = 'set' }: Filling & { readonly purpose?: SetupPurpose },
): SetupTextStep {
  const language = path.slice(path.lastIndexOf('.') + 1) as 'json' | 'toml' | 'yaml'
  const text = fileText(content, way, api)
  return textStep({ kind: 'file', purpose, note, language, path, merge: true, text })
}

function stepsFor(shell: Shell, client: ClientDescription, { way, api }: Filling): SetupStep[] {
  const { unset = [], install, command, withoutFile, header, ...rest } = filled(client, way, api)
  const [set, extra] = [variablesIn(rest.set), variablesIn(rest.extra)]
  const lines = [...unset.map(UNSET[shell]), ...set.map((each) => SET[shell](...each))]
  const shellSteps = (text: string | undefined, purpose: SetupPurpose, note: SetupNote | null = null) =>
    text === undefined || text === '' ? [] : [shellStep(shell, text, { purpose, note })]
  const line = (words: readonly CommandWord[] | undefined) => words && commandLine(shell, words)
  const files = (file: ClientFile | undefined, purpose: SetupPurpose) =>
    file === undefined ? [] : [fileStep(pathIn(shell, file), file, { way, api, purpose })]
  const code = client.code === undefined ? null : codeStep(client.code, { way, api })
  const attempt = rest.try ?? (code === null ? [] : [code.language === 'python' ? '{python}' : 'node', code.path ?? ''])
  const marked_text = markedTry(shell, attempt, header)
  return [
    ...shellSteps(install?.replace('{python}', PYTHON[shell]), 'install'),
    ...files(client.file, 'set'),
    ...shellSteps(lines.join('\n'), 'set', 'this_terminal'),
    ...shellSteps(line(command), 'set'),
    ...(code === null ? [] : [code]),
    ...shellSteps(line(attempt), 'try').map((step) => ({ ...step, marked_text })),
    ...(client.request === undefined ? [] : [client.request(shell, way)]),
    ...shellSteps(extra.map((each) => SET[shell](...each)).join('\n'), 'extra', 'this_terminal'),
    ...shellSteps(line(withoutFile), 'without_file'),
    ...files(client.keepFile, 'keep'),
    ...(set.length === 0 || command !== undefined || client.isSetForOnce === true
      ? []
      : [keepStep(shell, [...set, ...extra], unset)]),
  ]
}

type ShellVariable = readonly [name: string, value: string]

function variablesIn(variables: ShellVariables = {}): readonly ShellVariable[] {
  return Object.entries(variables).filter(([, value]) => value !== '')
}

function codeStep({ path, text }: NonNullable<ClientDescription['code']>, { way, api }: Filling): SetupTextStep {
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
function markedTry(shell: Shell, words: readonly CommandWord[], header: ClientDescription['header']): string | null {
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
