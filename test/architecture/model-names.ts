import type { Finding, SourceFile } from './source-files.ts'
import { isNode, literalText, parse, type TreeNode } from './syntax-tree.ts'

/** Names of families in a pattern, or in a text that something is compared with. */
const FAMILIES =
  /(?:gpt|claude|gemini|gemma|deepseek|kimi|moonshot|glm|qwen|mistral|mixtral|grok|minimax|mimo|doubao|llama)(?:-|\d|\\d)|\bo[134]-/i

/**
 * Where names of models are looked at: the table itself, and what lists show of a model (its kind, and whether it sees
 * pictures and calls tools), the keys of vendors, and what is taken over from other gateways.
 */
const HOMES =
  /^src\/(?:models\/|routing\/(?:kind|abilities)-by-name\.ts$|routing\/model-abilities\.ts$|causes\/key-vendors\.ts$|import\/|control\/keys\/setup\/|upstreams\/demo)/

/**
 * Patterns and comparisons that know a model by its name. What a model takes is a fact of the table in `src/models/`, so that
 * every wire keeps to it, an admin can correct it, and its source is known.
 */
export function checkModelNames(file: SourceFile): Finding[] {
  if (!file.path.startsWith('src/') || file.path.endsWith('.test.ts') || HOMES.test(file.path)) return []
  if (!FAMILIES.test(file.text)) return []
  const tree = parse(file)
  return [...tree.nodes()].flatMap((node) => {
    const name = namesIn(node).find((text) => FAMILIES.test(text))
    if (name === undefined) return []
    const what = `knows a model by its name ("${name}"): make it a fact in src/models/rows/`
    return [{ file: file.path, line: tree.lineOf(node.start), what }]
  })
}

function namesIn(node: TreeNode): readonly string[] {
  if (node.type === 'Literal') return regexIn(node)
  if (node.type === 'SwitchCase') return textsOf(node['test'])
  if (node.type === 'BinaryExpression') {
    return /^[!=]==?$/.test(String(node['operator'])) ? [...textsOf(node['left']), ...textsOf(node['right'])] : []
  }
  if (node.type !== 'CallExpression') return []
  const { callee, arguments: given } = node as { callee?: unknown; arguments?: readonly unknown[] }
  const property = isNode(callee) && isNode(callee['property']) ? String(callee['property']['name']) : ''
  return /^(?:includes|startsWith|endsWith|indexOf|match|test|search)$/.test(property)
    ? (given ?? []).flatMap(textsOf)
    : []
}

function regexIn(node: TreeNode): readonly string[] {
  const { regex } = node as { regex?: { pattern?: string } | null }
  return regex?.pattern === undefined ? [] : [regex.pattern]
}

function textsOf(part: unknown): readonly string[] {
  const text = isNode(part) ? literalText(part) : undefined
  return text === undefined ? [] : [text]
}
