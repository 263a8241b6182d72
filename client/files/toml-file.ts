import { type Editor, FileBroken, type Key, lineEndOf, spliced, type Value } from './editor.ts'
import { parseToml, type TomlHeader, type TomlPair, type TomlStatement } from './toml-statements.ts'

/** TOML. Keys of one name are of the root; of longer ones all but the last are the table. */
export const TOML_FILE: Editor = {
  read(text, key) {
    const statements = parseToml(text)
    const pair = pairOf(statements, key)
    if (pair !== undefined) return text.slice(pair.valueStart, pair.valueEnd)
    const header = headerOf(statements, key)
    return header === undefined ? null : text.slice(header.start, header.end).trim()
  },
  write: (text, key, value) => put(text, key, written(value)),
  restore: (text, key, was) => put(text, key, was),
  remove(text, key, wasThere) {
    const pair = pairOf(parseToml(text), key)
    let left = pair === undefined ? text : spliced(text, [pair.start, pair.end], '')
    for (let group = key.slice(0, -1); group.length > 0; group = group.slice(0, -1)) {
      if (!wasThere(group)) left = withoutEmptyTable(left, group)
    }
    return left
  },
  isEmpty: (text) => text.trim() === '',
}

function pairOf(statements: readonly TomlStatement[], key: Key): TomlPair | undefined {
  return statements.find((each): each is TomlPair => each.kind === 'pair' && isSame(each.path, key))
}

function headerOf(statements: readonly TomlStatement[], path: Key): TomlHeader | undefined {
  return statements.find((each): each is TomlHeader => each.kind === 'table' && isSame(each.path, path))
}

function put(text: string, key: Key, value: string): string {
  const statements = parseToml(text)
  const there = pairOf(statements, key)
  if (there !== undefined) return spliced(text, [there.valueStart, there.valueEnd], value)
  const table = key.slice(0, -1)
  refuseOtherForms(statements, table)
  const end = lineEndOf(text)
  const line = `${nameText(key.at(-1) ?? '')} = ${value}${end}`
  if (table.length === 0) return inRoot(text, statements, line)
  const header = headerOf(statements, table)
  if (header === undefined) return atEnd(text, `[${table.map(nameText).join('.')}]${end}${line}`)
  const last = statements.findLast((each) => each.kind === 'pair' && each.table === header) ?? header
  return behind(text, last.end, line)
}

/** One table must not be described twice, and a list of tables has no place for a single key. */
function refuseOtherForms(statements: readonly TomlStatement[], table: Key): void {
  const other = statements.find(({ kind, path, ...each }) => {
    if (kind === 'list_of_tables') return isSame(path, table.slice(0, path.length))
    if (kind !== 'pair') return false
    const outside = ('table' in each ? each.table?.path.length : undefined) ?? 0
    const isWithin = isSame(path.slice(0, table.length), table) && outside < table.length
    return path.length <= table.length ? isSame(path, table.slice(0, path.length)) : isWithin
  })
  if (other !== undefined) {
    throw new FileBroken(
      `has "${other.path.join('.')}" in a form that this program does not change: write it as a [table] first`,
    )
  }
}

/** Pairs of the root have to stand before the first header. */
function inRoot(text: string, statements: readonly TomlStatement[], line: string): string {
  const last = statements.findLast((each) => each.kind === 'pair' && each.table === null)
  if (last !== undefined) return behind(text, last.end, line)
  const first = statements.find(({ kind }) => kind !== 'pair')
  if (first === undefined) return behind(text, text.length, line)
  // Comments right above a header belong to it.
  const above = /(?:^|\n)((?:[ \t]*#[^\n]*\n)*)$/.exec(text.slice(0, first.start))?.[1]?.length ?? 0
  return spliced(text, [first.start - above, first.start - above], line)
}

function atEnd(text: string, lines: string): string {
  const end = lineEndOf(text)
  const isBlankBefore = text.trim() === '' || /\n[ \t]*\r?\n$/.test(text)
  const full = text === '' || text.endsWith('\n') ? text : text + end
  return `${full}${isBlankBefore ? '' : end}${lines}`
}

function behind(text: string, at: number, line: string): string {
  const needsEnd = at > 0 && text[at - 1] !== '\n'
  return spliced(text, [at, at], `${needsEnd ? lineEndOf(text) : ''}${line}`)
}

/** Takes out a table that has nothing left, with the empty line before it. */
function withoutEmptyTable(text: string, path: Key): string {
  const statements = parseToml(text)
  const header = headerOf(statements, path)
  if (header === undefined) return text
  const next = statements[statements.indexOf(header) + 1]
  const behindIt = text.slice(header.end, next?.start ?? text.length)
  if (next?.kind === 'pair' || behindIt.trim() !== '') return text
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, header.start))?.[1]?.length ?? 0
  return spliced(text, [header.start - blank, header.end], '')
}

function isSame(a: Key, b: Key): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function nameText(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)
}

function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map((each: Value) => written(each)).join(', ')}]`
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(([name, each]) => `${nameText(name)} = ${written(each)}`)
    return `{ ${pairs.join(', ')} }`
  }
  // A string of JSON is one of TOML, but for the one character that JSON leaves as it is.
  return JSON.stringify(value).replaceAll('\u007f', '\\u007F')
}
