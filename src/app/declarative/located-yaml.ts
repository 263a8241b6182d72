import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document, Scalar, YAMLMap } from 'yaml'
import { DECLARATIVE_VALUES_LIMIT } from './file-bounds.ts'
import type { Environment } from '../installation/environment.ts'
import { filledIn, markReferences, restoreReferences } from './references.ts'

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
