import { UPSTREAM_PROTOCOL_NAMES } from '../../src/core/upstream-protocol.ts'
import { familyOf, WIRE_NAMES } from '../../src/core/wire.ts'
import type { Finding, SourceFile } from './source-files.ts'
import { isNode, literalText, parse, type TreeNode } from './syntax-tree.ts'

/** Every wire, family and upstream protocol there is. */
const NAMES = new Set<string>([...WIRE_NAMES, ...WIRE_NAMES.map(familyOf), ...UPSTREAM_PROTOCOL_NAMES])
const ANY_NAME = new RegExp(`['"\`](?:${[...NAMES].join('|')})['"\`]`)

/** The tables themselves, and the folders in which a protocol speaks of itself and of the models of its kind. */
const HOMES = /^src\/(core\/(wire|upstream-protocol)\.ts$|protocols\/spokes\/)/

/**
 * Comparisons with the name of a wire, a family or an upstream protocol. What differs between them is a row of a table or a
 * `Record` over all of them, so that the compiler asks for the new one: a comparison is silently wrong when one is added.
 */
export function checkWireComparisons(file: SourceFile): Finding[] {
  if (HOMES.test(file.path) || !ANY_NAME.test(file.text)) return []
  const tree = parse(file)
  return [...tree.nodes()].flatMap((node) => {
    const name = comparedWith(node).find((text) => text !== undefined && NAMES.has(text))
    if (name === undefined) return []
    return [{ file: file.path, line: tree.lineOf(node.start), what: `compares with '${name}': use a table of wires` }]
  })
}

function comparedWith(node: TreeNode): readonly (string | undefined)[] {
  if (node.type === 'SwitchCase') return [textOf(node['test'])]
  const isComparison = node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node['operator']))
  return isComparison ? [textOf(node['left']), textOf(node['right'])] : []
}

function textOf(part: unknown): string | undefined {
  return isNode(part) ? literalText(part) : undefined
}
