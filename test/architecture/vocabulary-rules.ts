import type { Finding, SourceFile } from './source-files.ts'
import { childrenOf, dottedName, isNode, literalText, parse, templatePart, walk, type TreeNode } from './syntax-tree.ts'
import { complaints, emptyWordIn, mayHoldForbiddenWord, plainWords } from './words.ts'

/** A piece of the code that people read. */
interface Wording {
  readonly text: string
  readonly isName: boolean
  readonly start: number
}

const MONEY_WORDS = /\b(nano|usd|money|prices?|costs?|balances?|amounts?|charges?)\b/
const NUMBER_READERS = ['Number', 'parseFloat', 'Number.parseFloat', 'parseInt', 'Number.parseInt']

/** Where the clock and chance may be read; everywhere else they come in as arguments. */
const CLOCK_HOMES = /^src\/(core\/|app\/|main\.ts$)/
const CLOCK_READERS = ['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'Math.random']
/** Where ids and secrets may be drawn. A salt and a connection's lane belong to nothing that a caller could name. */
const DRAW_HOMES = /^src\/(core\/|app\/|main\.ts$|access\/password\.ts$|store\/postgres\/batch-writer\.ts$)/
const DRAWS = ['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues', 'webcrypto']
const ENVIRONMENT_HOMES = /^src\/(app\/|main\.ts$)/

/** Forbidden words in the names, strings and comments of a source. */
export function checkWords(file: SourceFile): Finding[] {
  if (!mayHoldForbiddenWord(file.text)) return []
  const tree = parse(file)
  const comments = tree.comments.map(({ value, start }) => ({ text: value, isName: false, start }))
  const inside = [...tree.statements.flatMap((statement) => [...wordings(statement)]), ...comments]
  return inside.flatMap(({ text, isName, start }) =>
    // A long comment or template: the line of the word, not of its beginning.
    text.split('\n').flatMap((line, index) =>
      complaints(line, { isName, path: file.path }).map((what) => ({
        file: file.path,
        line: tree.lineOf(start) + index,
        what,
      })),
    ),
  )
}

/** Forbidden and empty words in a path. */
export function checkFileName(path: string): Finding[] {
  const empty = emptyWordIn(path)
  const what = empty === undefined ? [] : [`"${empty}" in its name says nothing about what it holds`]
  return [...what, ...complaints(path, { isName: true, path })].map((text) => ({ file: path, line: 1, what: text }))
}

/** Forbidden words in a document, line by line. What follows "never called" on its line names the words themselves. */
export function checkDocument({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    complaints(line.replace(/never (called|said).*/i, ''), { isName: false, path }).map((what) => ({
      file: path,
      line: index + 1,
      what,
    })),
  )
}

/** Money read into a float, a clock or chance read out of place, the environment read out of place. */
export function checkCalls(file: SourceFile): Finding[] {
  const tree = parse(file)
  return [...tree.nodes()].flatMap((node) => {
    const what = moneyObjection(node) ?? (isTest(file) ? undefined : placeObjection(node, file.path))
    return what === undefined ? [] : [{ file: file.path, line: tree.lineOf(node.start), what }]
  })
}

function moneyObjection(node: TreeNode): string | undefined {
  const isCall = node.type === 'CallExpression' && NUMBER_READERS.includes(dottedName(node['callee']) ?? '')
  const isPlus = node.type === 'UnaryExpression' && node['operator'] === '+'
  const read: unknown[] =
    isCall && Array.isArray(node['arguments']) ? node['arguments'] : isPlus ? [node['argument']] : []
  const names = read.filter(isNode).flatMap((part) => [...walk(part)].map((inner) => nameIn(inner) ?? textIn(inner)))
  const money = names.find((name) => name !== undefined && MONEY_WORDS.test(plainWords(name)))
  return money === undefined ? undefined : `reads "${money}" as a float: money is bigint nano-USD`
}

function placeObjection(node: TreeNode, path: string): string | undefined {
  const name = clockReader(node)
  if (name !== undefined && !CLOCK_HOMES.test(path)) return `${name} outside core: it comes in as an argument`
  const draw = drawIn(node)
  if (draw !== undefined && !DRAW_HOMES.test(path)) return `${draw} outside core: ids come in as arguments`
  const environment = dottedName(node) === 'process.env' || isEnvironmentImport(node)
  if (environment && !ENVIRONMENT_HOMES.test(path)) return 'reads the environment outside app'
  return undefined
}

function clockReader(node: TreeNode): string | undefined {
  const noArguments = Array.isArray(node['arguments']) && node['arguments'].length === 0
  if (node.type === 'NewExpression' && noArguments && dottedName(node['callee']) === 'Date') return 'new Date()'
  const name = dottedName(node)
  return name !== undefined && CLOCK_READERS.includes(name.replace(/^globalThis\./, '')) ? name : undefined
}

/** A draw that is imported by its name, or called on the module or the global `crypto`. */
function drawIn(node: TreeNode): string | undefined {
  const [, called] = /^(?:globalThis\.)?crypto\.(\w+)$/.exec(dottedName(node) ?? '') ?? []
  return [called, ...importedFrom(node, /^(node:)?crypto$/)].find((name) => name !== undefined && DRAWS.includes(name))
}

function isEnvironmentImport(node: TreeNode): boolean {
  return importedFrom(node, /^(node:)?process$/).includes('env')
}

/** The names that an import takes from a module; none for every other node. */
function importedFrom(node: TreeNode, module: RegExp): readonly (string | undefined)[] {
  if (node.type !== 'ImportDeclaration' || !module.test(literalText(node['source']) ?? '')) return []
  const specifiers: unknown[] = Array.isArray(node['specifiers']) ? node['specifiers'] : []
  return specifiers.map((one) => (isNode(one) ? dottedName(one['imported']) : undefined))
}

/** Names, strings and JSX text below a node. A dotted name is one wording; what a package calls its parts is its affair. */
function* wordings(node: TreeNode): Generator<Wording> {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return
  const dotted = node.type === 'MemberExpression' ? dottedName(node) : undefined
  const name = dotted ?? nameIn(node)
  if (name !== undefined) yield { text: name, isName: true, start: node.start }
  const text = textIn(node)
  if (text !== undefined) yield { text, isName: false, start: node.start }
  if (dotted === undefined) for (const child of childrenOf(node)) yield* wordings(child)
}

function nameIn(node: TreeNode): string | undefined {
  const { name } = node
  return /^(Private|JSX)?Identifier$/.test(node.type) && typeof name === 'string' ? name : undefined
}

function textIn(node: TreeNode): string | undefined {
  const { value } = node
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof value === 'string') return value
  return templatePart(node)
}

function isTest({ path }: SourceFile): boolean {
  return /\.test\.tsx?$/.test(path)
}
