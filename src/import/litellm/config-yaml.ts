import { type Document, isAlias, isCollection, isPair, parseDocument } from 'yaml'
import { ImportRefusal } from '../source.ts'

export const LARGEST_CHARACTERS = 4 * 2 ** 20
/** More than any configuration has, with its aliases and merges written out. */
const LARGEST_NODES = 500_000
const ALIASES_LIMIT = 10_000
const DEEPEST = 1_000

/**
 * Reads YAML as LiteLLM does, with merges (`<<`) applied. `named`: what the text is of. Throws ImportRefusal for what YAML does
 * not allow, and for text that grows far beyond its length by its aliases.
 */
export function yamlOf(text: string, named: string): unknown {
  if (text.length > LARGEST_CHARACTERS) throw new ImportRefusal(`${named} is larger than 4 MiB: name a config.yaml.`)
  if (isDeep(text)) throw new ImportRefusal(`${named} is nested more deeply than a configuration is.`)
  const document = documentOf(text, named)
  const [error] = document.errors
  // What stands behind a colon may repeat the text, and with it credentials.
  if (error !== undefined) throw new ImportRefusal(`${named} is not valid YAML: ${error.message.split(/:\s/)[0] ?? ''}`)
  refuseGrowth(document, named)
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown
  } catch {
    throw new ImportRefusal(`${named} has an alias or a merge (<<) that leads to no map: write it out.`)
  }
}

function documentOf(text: string, named: string): Document.Parsed {
  try {
    return parseDocument(text, { prettyErrors: false, logLevel: 'silent', merge: true })
  } catch {
    throw new ImportRefusal(`${named} is not valid YAML.`)
  }
}

/** Whether a text is too deep: looked at before it is parsed, which takes seconds for brackets by the million, and calls itself for each. */
function isDeep(text: string): boolean {
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1
    if (open > DEEPEST) return true
    if (open < 0) open = 0
  }
  return /(?:[-?] ){1000}/.test(text)
}

/** Counts what the document has once every alias is written out, without writing it out. */
function refuseGrowth(document: Document.Parsed, named: string): void {
  const sizes = new Map<string, number>()
  const open = new Set<string>()
  let aliases = 0
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      aliases += 1
      if (open.has(node.source)) throw new ImportRefusal(`${named} has an alias that stands within what it names.`)
      return sizes.get(node.source) ?? 1
    }
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value)
    if (!isCollection(node)) return note(node, 1)
    const { anchor } = node
    if (anchor !== undefined) open.add(anchor)
    let size = 1
    for (const item of node.items) size += sizeOf(item)
    if (anchor !== undefined) open.delete(anchor)
    return note(node, size)
  }
  const note = (node: unknown, size: number): number => {
    if (size > LARGEST_NODES || aliases > ALIASES_LIMIT)
      throw new ImportRefusal(`${named} has more aliases than a configuration needs: write them out.`)
    const anchor = anchorOf(node)
    if (anchor !== null) sizes.set(anchor, size)
    return size
  }
  sizeOf(document.contents)
}

function anchorOf(node: unknown): string | null {
  const anchor = typeof node === 'object' && node !== null && 'anchor' in node ? node.anchor : undefined
  return typeof anchor === 'string' ? anchor : null
}
