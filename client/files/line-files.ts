/** Files of lines: settings of one level in YAML, variables in a `.env` file, a marked block in a shell's file, and whole files. */
import { type Editor, FileBroken, type Key, lineEndOf, lineOf, plainText, spliced, type Value } from './editor.ts'

interface Entry {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
  /** Whether the value is more than what stands in its line. */
  readonly goesOn: boolean
}

interface Lines {
  readonly entries: (text: string) => readonly Entry[]
  readonly line: (name: string, value: string) => string
  readonly written: (value: Value) => string
}

function linesEditor({ entries, line, written }: Lines): Editor {
  const find = (text: string, [name]: Key): Entry | undefined => entries(text).findLast((each) => each.name === name)
  const put = (text: string, key: Key, value: string): string => {
    const there = find(text, key)
    if (there?.goesOn === true) throw new FileBroken(`has "${there.name}" in a form that this program does not change`)
    if (there !== undefined) {
      const gap = text[there.valueStart - 1] === ':' ? ' ' : ''
      return spliced(text, [there.valueStart, there.valueEnd], gap + value)
    }
    const end = lineEndOf(text)
    return `${text}${text === '' || text.endsWith('\n') ? '' : end}${line(key[0] ?? '', value)}${end}`
  }
  return {
    read(text, key) {
      const there = find(text, key)
      return there === undefined ? null : text.slice(there.valueStart, there.valueEnd)
    },
    write: (text, key, value) => put(text, key, written(value)),
    restore: put,
    remove(text, key) {
      const there = find(text, key)
      return there === undefined ? text : spliced(text, [there.start, there.end], '')
    },
    isEmpty: (text) => text.trim() === '',
  }
}

/** YAML whose outermost level is changed, in values of one line. */
export const YAML_FILE: Editor = linesEditor({
  entries: yamlEntries,
  line: (name, value) => `${name}: ${value}`,
  // What is text in JSON is text in YAML, whatever it looks like.
  written: (value) => JSON.stringify(value),
})

/** A value of one line, without the comment behind it. */
const YAML_VALUE = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^#\s](?:[^#]|(?<=\S)#)*?)(?=\s*(?:\s#.*)?$)/

function yamlEntries(text: string): readonly Entry[] {
  const entries: Entry[] = []
  let at = 0
  let hasContent = false
  for (const line of text.split(/(?<=\n)/)) {
    const content = line.trimEnd()
    const start = at
    at += line.length
    if (content === '' || /^\s*#/.test(content) || /^\s/.test(content)) continue
    if (content === '---' && !hasContent) continue
    hasContent = true
    const found = /^(?:"(?<double>[\w.-]+)"|'(?<single>[\w.-]+)'|(?<bare>[\w.-]+))[ \t]*:(?:[ \t]+|$)/.exec(content)
    if (found?.groups === undefined) {
      if (content.startsWith('- ') && entries.length > 0) continue
      throw new FileBroken(`is not YAML of a form that this program changes (line ${lineOf(text, start)})`)
    }
    const { double, single, bare } = found.groups
    const value = YAML_VALUE.exec(content.slice(found[0].length))?.[0] ?? ''
    const valueStart = start + found[0].length
    const goesOn = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:[ \t]+[^\s#]|- )/.test(text.slice(at))
    const name = double ?? single ?? bare ?? ''
    entries.push({ name, start, end: at, valueStart, valueEnd: valueStart + value.length, goesOn })
  }
  return entries
}

/** Variables of a `.env` file. */
export const ENV_FILE: Editor = linesEditor({
  entries: envEntries,
  line: (name, value) => `${name}=${value}`,
  written: (value) => {
    const plain = plainText(value)
    return /^[\w.:/@+,=-]*$/.test(plain) ? plain : JSON.stringify(plain)
  },
})

function envEntries(text: string): readonly Entry[] {
  const variable =
    /^([ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\r\n]*?)[ \t]*(?:\r?\n|$)/gm
  return [...text.matchAll(variable)].map(({ 0: all, 1: before = '', 2: name = '', 3: value = '', index }) => {
    const valueStart = index + before.length
    return {
      name,
      start: index,
      end: index + all.length,
      valueStart,
      valueEnd: valueStart + value.length,
      goesOn: false,
    }
  })
}

const BLOCK_BEGIN = '# >>> tollgate >>>'
const BLOCK_END = '# <<< tollgate <<<'

/** A block of lines in the file that a shell reads at its start, between two marks. */
export const SHELL_BLOCK: Editor = {
  read(text) {
    const [start, end] = blockIn(text) ?? []
    return start === undefined || end === undefined ? null : text.slice(start, end)
  },
  write: (text, _, value) => SHELL_BLOCK.restore(text, [], `${BLOCK_BEGIN}\n${plainText(value)}\n${BLOCK_END}\n`),
  restore(text, _, was) {
    const there = blockIn(text)
    if (there !== null) return spliced(text, there, was)
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${was}`
  },
  remove(text) {
    const there = blockIn(text)
    return there === null ? text : spliced(text, there, '')
  },
  isEmpty: (text) => text.trim() === '',
}

function blockIn(text: string): readonly [number, number] | null {
  const start = text.indexOf(BLOCK_BEGIN)
  if (start === -1) return null
  const end = text.indexOf(BLOCK_END, start)
  if (end === -1) throw new FileBroken(`has the mark "${BLOCK_BEGIN}" without its end`)
  const behind = end + BLOCK_END.length
  return [start, text[behind] === '\n' ? behind + 1 : behind]
}

/** A file that is this program's as a whole. */
export const WHOLE_FILE: Editor = {
  read: (text) => (text === '' ? null : text),
  write: (_, __, value) => plainText(value),
  restore: (_, __, was) => was,
  remove: () => '',
  isEmpty: (text) => text === '',
}
