import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document, Scalar, YAMLMap } from 'yaml'
import type { Environment } from '../installation/environment.ts'
import { givenSecret } from '../installation/secret-files.ts'

/**
 * A declarative file. What the console and the API export, 1,000 accounts and 5,000 keys, has some 5 MB where names and lists
 * are long, and must be taken on every way in.
 */
export const DECLARATIVE_FILE_LIMIT_BYTES = 16 * 1024 * 1024
/** The most values of a file: a key has some thirty. Aliases can make a small text into a huge one. */
const DECLARATIVE_VALUES_LIMIT = 500_000

/** A path into the values: field names and list indexes. */
export type Path = readonly PropertyKey[]

/** Something wrong at one place of the file; `offset` in UTF-16 units from its beginning. */
export interface YamlProblem {
  readonly offset: number
  readonly sentence: string
}

/** The plain values of a YAML text, with the place of each. */
export interface LocatedYaml {
  /** null when there are problems. */
  readonly value: unknown
  readonly problems: readonly YamlProblem[]
  /** Where the value at the path stands, or its nearest parent that exists; with `name`, where its field's name does. */
  offsetOf(path: Path, part?: 'name'): number
  /** The scalar at the path as it is written, `${…}` not filled in; null for anything but a scalar. */
  sourceOf(path: Path): string | null
  /** Both count from 1. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number }
}

/**
 * Reads one YAML 1.2 document and fills in `${VAR}` inside its scalars from `environment`. What is filled in is never
 * read as YAML again.
 */
export function readLocatedYaml(text: string, environment: Environment): LocatedYaml {
  const lineCounter = new LineCounter()
  const options = { lineCounter, prettyErrors: false, stringKeys: true, logLevel: 'error' } as const
  const document = parseDocument(markReferences(text), options)
  const walk: YamlWalk = { document, environment, places: new Map(), problems: [], nodes: 0, aliases: 0 }
  for (const error of [...document.errors, ...document.warnings]) {
    // What stands behind a colon may repeat the text, and with it a password.
    const reason = error.code === 'BAD_ALIAS' ? STAR : restoreReferences(error.message.split(/:\s/)[0] ?? '')
    walk.problems.push({ offset: error.pos[0], sentence: `this is not valid YAML: ${reason}` })
  }
  const value = walk.problems.length > 0 ? null : valueOf(document.contents, [], walk)
  return {
    value: walk.problems.length > 0 ? null : value,
    problems: walk.problems,
    offsetOf: (path, part) => offsetOf(path, part ?? 'value', walk.places),
    sourceOf: (path) => walk.places.get(keyOf(path))?.source ?? null,
    lineAndColumn(offset) {
      const { line, col } = lineCounter.linePos(offset)
      return { line: Math.max(1, line), column: Math.max(1, col) }
    },
  }
}

const ALIASES_LIMIT = 100
const DEPTH_LIMIT = 20

/** The list of all models is one star, and people forget its quotation marks. */
const STAR = 'text that begins with "*" needs quotation marks, as in ["*"]'

interface NodeOffsets {
  readonly name: number
  readonly value: number
  readonly source: string | null
}

interface YamlWalk {
  readonly document: Document
  readonly environment: Environment
  readonly places: Map<string, NodeOffsets>
  readonly problems: YamlProblem[]
  nodes: number
  aliases: number
}

function valueOf(node: unknown, path: Path, walk: YamlWalk): unknown {
  walk.nodes += 1
  if (walk.nodes > DECLARATIVE_VALUES_LIMIT || path.length > DEPTH_LIMIT)
    return refuse(node, 'there is too much in here', walk)
  if (isAlias(node)) {
    walk.aliases += 1
    if (walk.aliases > ALIASES_LIMIT) return refuse(node, `there are more than ${ALIASES_LIMIT} aliases`, walk)
    const target = node.resolve(walk.document)
    return target === undefined ? refuse(node, `this is not valid YAML: ${STAR}`, walk) : valueOf(target, path, walk)
  }
  if (isMap(node)) return fieldsOf(node, path, walk)
  if (isSeq(node)) {
    return node.items.map((item, i) => {
      notePlace([...path, i], { name: item, value: item }, walk)
      return valueOf(item, [...path, i], walk)
    })
  }
  return isScalar(node) ? scalarOf(node, walk) : null
}

function fieldsOf(map: YAMLMap, path: Path, walk: YamlWalk): unknown {
  // Without a prototype, so that a field called `__proto__` is a field like any other.
  const fields = Object.create(null) as Record<string, unknown>
  for (const pair of map.items) {
    const name = restoreReferences(String(isScalar(pair.key) ? pair.key.value : pair.key))
    notePlace([...path, name], { name: pair.key, value: pair.value ?? pair.key }, walk)
    fields[name] = valueOf(pair.value, [...path, name], walk)
  }
  return fields
}

function scalarOf(scalar: Scalar, walk: YamlWalk): unknown {
  if (typeof scalar.value !== 'string') return scalar.value
  const filled = filledIn(scalar.value, walk.environment)
  return filled.kind === 'filled' ? filled.text : refuse(scalar, filled.sentence, walk)
}

function refuse(node: unknown, sentence: string, walk: YamlWalk): null {
  walk.problems.push({ offset: startOf(node), sentence })
  return null
}

function notePlace(path: Path, nodes: { name: unknown; value: unknown }, walk: YamlWalk): void {
  const source = isScalar(nodes.value) ? restoreReferences(nodes.value.source ?? String(nodes.value.value)) : null
  walk.places.set(keyOf(path), { name: startOf(nodes.name), value: startOf(nodes.value), source })
}

function startOf(node: unknown): number {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range[0] : 0
}

function offsetOf(path: Path, part: 'name' | 'value', places: ReadonlyMap<string, NodeOffsets>): number {
  const place = places.get(keyOf(path))
  if (place !== undefined) return place[part]
  return path.length === 0 ? 0 : offsetOf(path.slice(0, -1), 'value', places)
}

function keyOf(path: Path): string {
  return path.map(String).join('\u0000')
}

/**
 * `${VAR}` in a YAML text. Braces mean something else inside YAML's own flow style, so before the text is parsed every
 * reference is written with characters of the same number that mean nothing to YAML; positions stay what they are.
 * `$${VAR}` stands for the text `${VAR}` itself. The text must not contain a reserved character (`hasReserved`).
 */
export function markReferences(text: string): string {
  return text.replace(/(\$?)\$\{([^{}\r\n"']*)\}/g, (_, escape: string, name: string) =>
    escape === '' ? OPEN + OPEN + name + CLOSE : ESCAPE + ESCAPE + ESCAPE + name + CLOSE,
  )
}

/** The marked text as the person wrote it. */
function restoreReferences(marked: string): string {
  return marked.replaceAll(ESCAPE.repeat(3), '$${').replaceAll(OPEN.repeat(2), '${').replaceAll(CLOSE, '}')
}

/** Whether the text has characters that marking needs for itself. */
export function hasReserved(text: string): boolean {
  return [OPEN, CLOSE, ESCAPE].some((reserved) => text.includes(reserved))
}

type FilledReferences =
  | { readonly kind: 'filled'; readonly text: string }
  | { readonly kind: 'refused'; readonly sentence: string }

/**
 * Fills the references of a marked text in; where `NAME` is not set, from the file that `NAME_FILE` names. Refuses a variable
 * that is not set, and a name that cannot be one.
 */
export function filledIn(marked: string, environment: Environment): FilledReferences {
  if (marked.includes('${')) return { kind: 'refused', sentence: '"${" has no "}" on its line' }
  let sentence: string | null = null
  const text = marked.replace(REFERENCE, (_, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return '${' + literal + '}'
    const value = variableValue(name ?? '', environment)
    if (value.kind === 'refused') sentence ??= value.sentence
    return value.kind === 'filled' ? value.text : ''
  })
  return sentence === null ? { kind: 'filled', text } : { kind: 'refused', sentence }
}

const OPEN = '\uf8d1'
const CLOSE = '\uf8d2'
const ESCAPE = '\uf8d0'
const REFERENCE = new RegExp(`${ESCAPE}{3}([^${CLOSE}]*)${CLOSE}|${OPEN}{2}([^${CLOSE}]*)${CLOSE}`, 'g')

/** What stands for a name. What is in a file (`NAME_FILE`) is a secret, and so is everything that may be. */
function variableValue(name: string, environment: Environment): FilledReferences {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return refused(
      `\${${name}} names no environment variable: write \${NAME}, with letters, digits and "_" only, or $\${ for the characters themselves`,
    )
  }
  const given = givenSecret(environment, name)
  if (given.kind === 'refused') return refused(given.sentence.replace(/\.$/, ''))
  const text = given.kind === 'given' ? given.text : environment[name]
  return text === undefined
    ? refused(
        `the environment variable ${name} is not set: set it, or write $\${${name}} for the characters themselves`,
      )
    : { kind: 'filled', text }
}

function refused(sentence: string): FilledReferences {
  return { kind: 'refused', sentence }
}
