import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'
import { dottedName, isNode, parse, type SyntaxTree } from './syntax-tree.ts'

/*
 * What an effect returns, React calls when it ends it, and a page whose effect returned something else crashes as it is left.
 * The types do not see it: browsers give a promise by methods that are declared to return nothing (`scrollIntoView`).
 */

const EFFECTS = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect'])
/** What may stand behind the arrow: a block, a function that ends the effect or its name, nothing by `void`, or a choice. */
const SAFE = new Set(['BlockStatement', 'ArrowFunctionExpression', 'Identifier', 'UnaryExpression'])

test('no effect returns what a call without braces gives', async () => {
  const files = await readSources('console', /\.tsx?$/)
  const effects = files
    .filter(({ text }) => text.includes('Effect('))
    .flatMap((file) => effectsOf(file.path, parse(file)))
  expect(effects.length).toBeGreaterThan(20)
  expect(effects.filter(({ isSafe }) => !isSafe).map(({ place }) => place)).toEqual([])
})

test('a call without braces is found, and what ends an effect is not', () => {
  const text = [
    'useEffect(() => box.current?.scrollIntoView(), [])',
    'useEffect(() => void box.current?.scrollIntoView(), [])',
    'useEffect(() => () => stop(), [])',
    'useEffect(() => { open(); return stop }, [])',
    'React.useEffect(() => follow(stop), [])',
  ].join('\n')
  const effects = effectsOf('some.tsx', parse({ path: 'some.tsx', text }))
  expect(effects.map(({ isSafe }) => isSafe)).toEqual([false, true, true, true, false])
})

function effectsOf(path: string, tree: SyntaxTree): { readonly place: string; readonly isSafe: boolean }[] {
  return [...tree.nodes()].flatMap((node) => {
    if (node.type !== 'CallExpression' || !Array.isArray(node['arguments'])) return []
    const name = dottedName(node['callee'])?.split('.').at(-1)
    const [effect] = node['arguments']
    if (name === undefined || !EFFECTS.has(name) || !isNode(effect)) return []
    const body = effect['body']
    return [{ place: `${path}:${tree.lineOf(node.start)}`, isSafe: isNode(body) && SAFE.has(body.type) }]
  })
}
