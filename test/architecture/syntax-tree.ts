import { type ParseResult, parseSync, visitorKeys } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

/** A node of the parser's tree. Which fields it has follows from `type`; the ones the rules read are named here. */
export interface TreeNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A parsed source: its statements, its comments, and the line of an offset. */
export interface SyntaxTree {
  readonly statements: readonly TreeNode[]
  readonly comments: readonly { readonly value: string; readonly start: number }[]
  /** 1-based line of a character offset. */
  lineOf(offset: number): number
  /** Every node, parents before their children, in the order of the text. */
  nodes(): Generator<TreeNode>
}

/** Parses TypeScript or TSX. Throws, naming the file, on a syntax error: an unread file must not pass for a clean one. */
export function parse(file: SourceFile): SyntaxTree {
  const { program, comments } = parsed(file)
  const statements: TreeNode[] = program.body.map((statement) => ({ ...statement }))
  return {
    statements,
    comments,
    lineOf: linesOf(file.text),
    nodes: function* () {
      for (const statement of statements) yield* walk(statement)
    },
  }
}

/** The import statements of a file, without its tree. `kinds`: for each name that one takes, whether it is a type. */
export function importStatements(file: SourceFile) {
  const lineOf = linesOf(file.text)
  return parsed(file).module.staticImports.map(({ start, moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    line: lineOf(start),
    kinds: entries.map(({ isType }) => isType),
  }))
}

function parsed({ path, text }: SourceFile): ParseResult {
  const result = parseSync(path, text)
  const [error] = result.errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return result
}

/** 1-based line of a character offset. */
function linesOf(text: string): (offset: number) => number {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map((found) => found.index + 1)]
  return (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1
}

/** A node and everything below it. On a stack: a generator inside each generator would be asked once for every level. */
export function* walk(node: TreeNode): Generator<TreeNode> {
  const waiting = [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next
    waiting.push(...childrenOf(next).toReversed())
  }
}

/** The nodes directly below one. */
export function childrenOf(node: TreeNode): TreeNode[] {
  const children: TreeNode[] = []
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key]
    if (Array.isArray(value)) children.push(...value.filter(isNode))
    else if (isNode(value)) children.push(value)
  }
  return children
}

/** Whether a field of a node is itself a node. */
export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The dotted name of `a`, `a.b` or `a.b.c` (also `a['b']`), as in `process.env`; undefined for anything else. */
export function dottedName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MetaProperty') return 'import.meta'
  if (node.type !== 'MemberExpression') return undefined
  const owner = dottedName(node['object'])
  const property = node['computed'] === true ? literalText(node['property']) : dottedName(node['property'])
  return owner === undefined || property === undefined ? undefined : `${owner}.${property}`
}

/** The value of a string literal, or of a template without holes. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis']) || node['quasis'].length !== 1) return undefined
  return templatePart(node['quasis'][0])
}

/** The text of one fixed part of a template. */
export function templatePart(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'TemplateElement') return undefined
  const value = node['value']
  const raw = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : undefined
  return typeof raw === 'string' ? raw : undefined
}
