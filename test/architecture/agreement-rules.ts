import type { SourceFile } from './source-files.ts'
import { dottedName, isNode, parse, type TreeNode } from './syntax-tree.ts'

/** The lines of the box at the head of an error page: what SDKs read in the response. */
export function linesOfBox(page: string): string[] {
  return /\n```text\n(.*?)\n```/s.exec(page)?.[1]?.split('\n') ?? []
}

/** The HTTP statuses that the box of an error page names. */
export function statusesInBox(page: string): number[] {
  return [
    ...new Set(
      [
        ...linesOfBox(page)
          .join('\n')
          .matchAll(/\b[45]\d\d\b/g),
      ].map(Number),
    ),
  ]
}

/** The environment variables that a file reads straight from `process.env`. */
export function variablesRead(file: SourceFile): string[] {
  if (!/\benv\b/.test(file.text)) return []
  const names = [...parse(file).nodes()].flatMap((node) => [memberOfEnvironment(node), ...takenOut(node)])
  return [...new Set(names)].filter((name) => name !== undefined)
}

function memberOfEnvironment(node: TreeNode): string | undefined {
  const parts = node.type === 'MemberExpression' ? dottedName(node)?.split('.') : undefined
  return parts?.[0] === 'process' && parts[1] === 'env' ? parts[2] : undefined
}

/** `const { HOST } = process.env` */
function takenOut(node: TreeNode): (string | undefined)[] {
  if (node.type !== 'VariableDeclarator' || dottedName(node['init']) !== 'process.env' || !isNode(node['id'])) return []
  const properties: unknown[] = Array.isArray(node['id']['properties']) ? node['id']['properties'] : []
  return properties.map((property) => (isNode(property) ? dottedName(property['key']) : undefined))
}

/** The lines of a document's fenced code blocks. */
export function codeLines(document: string): string[] {
  return [...document.matchAll(/^```.*\n([\s\S]*?)^```/gm)].flatMap((block) => (block[1] ?? '').split('\n'))
}
