import { posix } from 'node:path'
import type { SourceFile } from './source-files.ts'
import {
  dottedName,
  importStatements,
  isNode,
  literalText,
  parse,
  walk,
  type SyntaxTree,
  type TreeNode,
} from './syntax-tree.ts'

/** One import of a file. `specifier` is undefined where it is computed, so that what it names is unknown. */
export interface SourceImport {
  readonly specifier: string | undefined
  /** The path from the root that a relative specifier names; undefined for a package. */
  readonly target: string | undefined
  readonly line: number
  /** Only types cross this import: nothing of it is left when the code runs. */
  readonly typesOnly: boolean
  /** Loaded when the code comes to it, by `import()`, or by a thread; not with the file. */
  readonly isLate: boolean
}

/** What the rules on rooms know of one file. */
export interface FileImports {
  readonly path: string
  readonly imports: readonly SourceImport[]
  /** The file holds nothing but imports and exports of them. */
  readonly onlyReExports: boolean
}

/**
 * Reads every way in which a file reaches another: import and export statements, `import()`, types from `import('…')`,
 * `require`, `import.meta.resolve`, and code named by `new URL('./x.ts', import.meta.url)`, which is how a worker thread
 * is opened.
 */
export function readImports(file: SourceFile): FileImports {
  const known = READ.get(file.path)
  if (known?.text === file.text) return known.imports
  const imports = importsIn(file)
  READ.set(file.path, { text: file.text, imports })
  return imports
}

/** What was read of each file before: several rules, and several files of them in one thread, ask for the same sources. */
const READ = new Map<string, { readonly text: string; readonly imports: FileImports }>()

function importsIn(file: SourceFile): FileImports {
  if (!NEEDS_THE_TREE.test(file.text)) return statementsOf(file)
  const tree = parse(file)
  const imports = [...tree.nodes()].flatMap((node) =>
    namedBy(node).map((found) => importOf(file, { ...found, line: tree.lineOf(node.start) })),
  )
  return { path: file.path, imports, onlyReExports: isBarrel(tree) }
}

/** Where a file reaches another by more than import statements. The tree of a file takes ten times as long to read. */
const NEEDS_THE_TREE = /\brequire\b|\bimport\.meta\b|\bimport\s*\(|\bexport\s+(?:type\s*)?[*{]/

function statementsOf(file: SourceFile): FileImports {
  const imports = importStatements(file).map(({ specifier, line, kinds }) => {
    const typesOnly = kinds.length > 0 && kinds.every((isType) => isType)
    return importOf(file, { specifier, line, typesOnly })
  })
  return { path: file.path, imports, onlyReExports: false }
}

function importOf(
  { path }: SourceFile,
  { specifier, line, typesOnly, isLate = false }: Named & { line: number },
): SourceImport {
  const target = specifier?.startsWith('.') === true ? posix.join(posix.dirname(path), specifier) : undefined
  return { specifier, target, line, typesOnly, isLate }
}

type Named = Pick<SourceImport, 'specifier' | 'typesOnly'> & Partial<Pick<SourceImport, 'isLate'>>

function named(source: unknown, typesOnly = false): Named[] {
  return [{ specifier: literalText(source), typesOnly }]
}

function namedBy(node: TreeNode): Named[] {
  switch (node.type) {
    case 'ImportDeclaration':
      return named(node['source'], node['importKind'] === 'type' || everySpecifierIsType(node, 'importKind'))
    case 'ExportNamedDeclaration':
      if (!isNode(node['source'])) return []
      return named(node['source'], node['exportKind'] === 'type' || everySpecifierIsType(node, 'exportKind'))
    case 'ExportAllDeclaration':
      return named(node['source'], node['exportKind'] === 'type')
    case 'TSImportType':
      return named(node['source'], true)
    case 'ImportExpression':
      return [{ specifier: literalText(node['source']), typesOnly: false, isLate: true }]
    case 'CallExpression':
      return ['require', 'import.meta.resolve'].includes(dottedName(node['callee']) ?? '')
        ? named(argumentsOf(node)[0])
        : []
    case 'NewExpression':
      return codeUrls(node).map((specifier) => ({ specifier, typesOnly: false, isLate: true }))
    default:
      return []
  }
}

/** `new URL('./x.ts', import.meta.url)`; a condition inside (`.ts` in the checkout, `.js` when packed) names both. */
function codeUrls(node: TreeNode): string[] {
  const [target, base] = argumentsOf(node)
  if (dottedName(node['callee']) !== 'URL' || dottedName(base) !== 'import.meta.url' || !isNode(target)) return []
  const literals = [...walk(target)].map(literalText).filter((text) => text !== undefined)
  const code = literals.filter((text) => /^\.{1,2}\/.*\.[jt]sx?$/.test(text))
  return [...new Set(code.map((text) => text.replace(/\.js(x?)$/, '.ts$1')))]
}

function everySpecifierIsType(node: TreeNode, kind: 'importKind' | 'exportKind'): boolean {
  const specifiers: unknown[] = Array.isArray(node['specifiers']) ? node['specifiers'] : []
  return specifiers.length > 0 && specifiers.every((one) => isNode(one) && one[kind] === 'type')
}

function passesOn(node: TreeNode): boolean {
  return (
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && !isNode(node['declaration']))
  )
}

function isBarrel({ statements }: SyntaxTree): boolean {
  return statements.some(passesOn) && statements.every((node) => node.type === 'ImportDeclaration' || passesOn(node))
}

function argumentsOf(node: TreeNode): readonly unknown[] {
  return Array.isArray(node['arguments']) ? node['arguments'] : []
}
