import { expect, test } from 'vitest'
import { type Finding, printed, readSources, type SourceFile } from './source-files.ts'
import { childrenOf, dottedName, isNode, parse, type TreeNode } from './syntax-tree.ts'

// The bounds of administered objects stand in `core/bounds.ts` alone: the schemas of the API, of the declarative file and of
// the command line read them there, so that none takes what another refuses.

/** The files of the contract that describe administered objects. */
const OBJECTS =
  /\/(?:objects\/[\w-]+|access-tokens|account-limits|accounts|administration|announcements|billing|groups|keys|models|prices|upstreams)\.ts$/

/** What is asked for and not set: filters, pages, ids, and the steps of one call. */
const ASKED_NAMES =
  'account account_id action actor address code cursor group ids importSource limit offset_minutes overlap_seconds search subject tag text'
const ASKED = new Set(ASKED_NAMES.split(' '))

test('no schema of an administered object in the API has a bound of its own', async () => {
  const sources = await readSources('src/contract', OBJECTS)
  expect(sources).toHaveLength(22)
  expect(printed(sources.flatMap(ownBounds))).toEqual([])
})

test('no schema of the declarative file or of the command line has a bound of its own', async () => {
  const files = /(?<!\.test)\.ts$/
  const sources = [...(await readSources('src/app/declarative', files)), ...(await readSources('src/app/cli', files))]
  expect(printed(sources.flatMap(ownBounds))).toEqual([])
})

test('a number beside a field of a schema is found', () => {
  const text = `const a = z.object({ timeout_ms: z.number().min(1).max(BOUNDS.upstream.timeout_ms.most) })`
  expect(ownBounds({ path: 'a.ts', text })).toEqual([{ file: 'a.ts', line: 1, what: 'timeout_ms: min(1)' }])
  expect(ownBounds({ path: 'a.ts', text: 'const days = wholeNumber({ least: 1, most: 9 })' })).toHaveLength(1)
})

function ownBounds(source: SourceFile): Finding[] {
  const tree = parse(source)
  return tree.statements.flatMap((statement) =>
    boundsIn(statement, { source, field: '' }).map(({ node, what }) => ({
      file: source.path,
      line: tree.lineOf(node.start),
      what,
    })),
  )
}

/** Bounds below the node that are numbers, each with the field or constant that it is part of. */
function boundsIn(node: TreeNode, at: { source: SourceFile; field: string }): { node: TreeNode; what: string }[] {
  const field = nameOf(node) ?? at.field
  const own = ASKED.has(field) ? null : ownBoundOf(node, at.source.text)
  return [
    ...(own === null ? [] : [{ node, what: `${field}: ${own}` }]),
    ...childrenOf(node).flatMap((child) => boundsIn(child, { ...at, field })),
  ]
}

function nameOf(node: TreeNode): string | undefined {
  if (node.type === 'Property') return dottedName(node['key'])
  return node.type === 'VariableDeclarator' ? dottedName(node['id']) : undefined
}

/** `min(1)`, `max(LONGEST)` or the call of a maker of schemas with a bound that is written there; null: nothing of the kind. */
function ownBoundOf(node: TreeNode, text: string): string | null {
  if (node.type !== 'CallExpression' || !Array.isArray(node['arguments'])) return null
  const args: unknown[] = node['arguments']
  const texts = args.filter(isNode).map(({ start, end }) => text.slice(start, end))
  const callee = calleeOf(node['callee'])
  if (callee === 'min' || callee === 'max') {
    return isNode(node['callee']) && dottedName(node['callee'])?.startsWith('Math.') === true
      ? null
      : texts[0] !== undefined && /(?:\.|^)(?:least|most|length)$/.test(texts[0])
        ? null
        : `${callee}(${texts[0]})`
  }
  const isMaker = ['wholeNumber', 'text', 'textOf', 'givenName', 'listOf', 'usd', 'multiplier'].includes(callee)
  return isMaker && texts.some((each) => /\b(?:least|most): \d/.test(each)) ? `${callee}(${texts.join(', ')})` : null
}

function calleeOf(callee: unknown): string {
  if (!isNode(callee)) return ''
  return callee.type === 'MemberExpression' ? (dottedName(callee['property']) ?? '') : (dottedName(callee) ?? '')
}
