import { type Editor, FileBroken, type Key, lineBehind, lineEndOf, lineStart, spliced, type Value } from './editor.ts'
import { type JsonMember, type JsonNode, type JsonObject, parseJson } from './json-tree.ts'

/** JSON, with comments where they are. */
export const JSON_FILE: Editor = {
  read(text, key) {
    const member = text.trim() === '' ? null : memberAt(text, key)
    return member === null ? null : text.slice(member.value.start, member.value.end)
  },
  write(text, key, value) {
    return put(text, key, (indent) => written(value, text, indent))
  },
  restore(text, key, was) {
    return put(text, key, () => was)
  },
  remove(text, key, wasThere) {
    let left = removed(text, key)
    for (let group = key.slice(0, -1); group.length > 0 && !wasThere(group); group = group.slice(0, -1)) {
      const member = memberAt(left, group)
      if (member?.value.kind !== 'object' || !isBlank(left, member.value)) break
      left = removed(left, group)
    }
    return left
  },
  isEmpty(text) {
    if (text.trim() === '') return true
    const root = parseJson(text)
    return root.kind === 'object' && isBlank(text, root)
  },
}

function isBlank(text: string, { start, end }: JsonObject): boolean {
  return text.slice(start + 1, end - 1).trim() === ''
}

/** Where several members have one name, programs take the last. */
function memberIn({ members }: JsonObject, name: string): JsonMember | null {
  return members.findLast((each) => each.name === name) ?? null
}

function rootOf(text: string): JsonObject {
  const root = parseJson(text)
  if (root.kind !== 'object') throw new FileBroken('has no JSON object')
  return root
}

function memberAt(text: string, key: Key): JsonMember | null {
  let node: JsonNode = rootOf(text)
  let member: JsonMember | null = null
  for (const name of key) {
    if (node.kind !== 'object') return null
    member = memberIn(node, name)
    if (member === null) return null
    node = member.value
  }
  return member
}

/** `make` writes the value for the indentation of the line that it begins on. */
function put(text: string, key: Key, make: (indent: string) => string): string {
  if (text.trim() === '') return put(`{}${lineEndOf(text)}`, key, make)
  let node: JsonNode = rootOf(text)
  for (const [depth, name] of key.entries()) {
    if (node.kind !== 'object')
      throw new FileBroken(`has something else than an object in "${key.slice(0, depth).join('.')}"`)
    const member = memberIn(node, name)
    if (member === null) return inserted(text, node, { names: key.slice(depth), make })
    node = member.value
  }
  return spliced(text, [node.start, node.end], make(indentOf(text, node.start)))
}

/** A new member at the end of an object, with an object for each further name. */
function inserted(text: string, object: JsonObject, entry: { names: Key; make: (indent: string) => string }): string {
  const { names, make } = entry
  const isOneLine = object.members.length > 0 && !text.slice(object.start, object.end).includes('\n')
  const unit = isOneLine ? '' : unitOf(text)
  const indent = isOneLine ? indentOf(text, object.start) : memberIndent(text, object)
  const end = isOneLine ? ' ' : lineEndOf(text)
  const [outermost = '', ...inner] = names
  const opening = inner
    .map((name, depth) => `{${end}${indent}${unit.repeat(depth + 1)}${JSON.stringify(name)}: `)
    .join('')
  const closing = inner.map((_, depth) => `${end}${indent}${unit.repeat(inner.length - depth - 1)}}`).join('')
  const value = make(indent + unit.repeat(inner.length))
  const member = `${JSON.stringify(outermost)}: ${opening}${isOneLine ? value.replace(/\s*\r?\n\s*/g, ' ') : value}${closing}`
  return withMember(
    text,
    object,
    isOneLine ? { before: ' ', member, close: '' } : { before: end + indent, member, close: end },
  )
}

/** `before` stands before the member; `close` before the bracket, where that stood on the line of what it closes. */
function withMember(
  text: string,
  { start, end, members }: JsonObject,
  { before, member, close }: { before: string; member: string; close: string },
): string {
  const last = members.at(-1)
  if (last === undefined) {
    const inside = text.slice(start + 1, end - 1)
    if (inside.trim() === '') {
      return spliced(
        text,
        [start + 1, end - 1],
        `${before}${member}${close}${close === '' ? '' : indentOf(text, start)}`,
      )
    }
    // Comments alone.
    const at = start + 1 + inside.trimEnd().length
    return spliced(text, [at, at], `${before}${member}`)
  }
  if (last.comma !== null) {
    const at = afterComment(text, last.comma + 1, end)
    return spliced(text, [at, at], `${before}${member},`)
  }
  const at = afterComment(text, last.value.end, end)
  const isAtBracket = close !== '' && !text.slice(at, end - 1).includes('\n')
  const added = `${before}${member}${isAtBracket ? close + indentOf(text, start) : ''}`
  return spliced(spliced(text, [at, at], added), [last.value.end, last.value.end], ',')
}

/** The place behind a comment that ends the line of a value: it belongs to that value. */
function afterComment(text: string, at: number, most: number): number {
  const line = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)(?=[ \t]*\r?\n)/y
  line.lastIndex = at
  const found = line.exec(text)?.[0].length ?? 0
  return at + found < most ? at + found : at
}

/** Takes out the last member of this key with the comma that is left over, and with its lines where they have nothing else. */
function removed(text: string, key: Key): string {
  const parent = key.length === 1 ? rootOf(text) : memberAt(text, key.slice(0, -1))?.value
  if (parent?.kind !== 'object') return text
  const member = memberIn(parent, key.at(-1) ?? '')
  if (member === null) return text
  const index = parent.members.indexOf(member)
  const before = parent.members[index - 1]
  const behind = member.comma === null ? member.value.end : member.comma + 1
  const from = lineStart(text, member.start)
  const isAlone = text.slice(from, member.start).trim() === '' && from > parent.start
  const end = lineBehind(text, behind)
  const ownLines = isAlone && text.slice(behind, end).trim() === ''
  const cut: readonly [number, number] = ownLines ? [from, end] : [afterSpace(text, member.start), behind]
  const left = spliced(text, cut, '')
  const isLast = index === parent.members.length - 1
  // The comma before it is left only where there was one behind the last member already.
  return isLast && member.comma === null && before?.comma != null
    ? spliced(left, [before.comma, before.comma + 1], '')
    : left
}

/** The beginning of the blanks before a place in its line. */
function afterSpace(text: string, at: number): number {
  return at - (/[ \t]*$/.exec(text.slice(lineStart(text, at), at))?.[0].length ?? 0)
}

function written(value: Value, text: string, indent: string): string {
  const lines = JSON.stringify(value, null, unitOf(text)).split('\n')
  return lines.map((line, index) => (index === 0 ? line : indent + line)).join(lineEndOf(text))
}

/** How far each level is indented: as the first line that is. */
function unitOf(text: string): string {
  return /\{[^\n{}]*\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

function memberIndent(text: string, object: JsonObject): string {
  const first = object.members[0]
  const before = first === undefined ? null : text.slice(lineStart(text, first.start), first.start)
  return before !== null && before.trim() === '' ? before : indentOf(text, object.start) + unitOf(text)
}

function indentOf(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ''
}
