import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { entriesOf, ImportRefusal } from '../source.ts'
import { type Document, isAlias, isCollection, isPair, parseDocument } from 'yaml'

const DEEPEST = 5
const MOST_FILES = 50

/** A configuration as it was read, and where it is: files that it includes are named from there. */
export interface LitellmConfigFile {
  readonly text: string
  readonly path: string
}

/**
 * The sections of a configuration with those of the files that it includes. As LiteLLM has it, lists are put behind each other,
 * and anything else is what the included file says. Throws ImportRefusal for a file that cannot be read, and for one that
 * includes itself.
 */
export async function sectionsOf(file: LitellmConfigFile): Promise<ReadonlyMap<string, unknown>> {
  const reading: ConfigReading = { files: 0, characters: file.text.length }
  return withIncluded(file, { reading, chain: [await realpath(file.path).catch(() => file.path)], named: 'The source' })
}

interface ConfigReading {
  files: number
  characters: number
}

interface YamlPlace {
  readonly reading: ConfigReading
  /** Files from the first to the one that is read. */
  readonly chain: readonly string[]
  readonly named: string
}

async function withIncluded(
  { text, path }: LitellmConfigFile,
  place: YamlPlace,
): Promise<ReadonlyMap<string, unknown>> {
  const { include, ...own } = Object.fromEntries(entriesOf(yamlOf(text, place.named)))
  const sections = new Map(Object.entries(own))
  for (const name of includedIn(include)) {
    const included = await includedFile(resolve(dirname(path), name), name, place)
    for (const [section, value] of included) {
      const before = sections.get(section)
      const both =
        Array.isArray(before) && Array.isArray(value) ? [...(before as unknown[]), ...(value as unknown[])] : value
      sections.set(section, both)
    }
  }
  return sections
}

/** One name, or several. */
function includedIn(include: unknown): readonly string[] {
  const names = Array.isArray(include) ? include : [include]
  return names.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
}

async function includedFile(
  path: string,
  name: string,
  { reading, chain }: YamlPlace,
): Promise<ReadonlyMap<string, unknown>> {
  const shown = JSON.stringify(name)
  const real = await realpath(path).catch(() => null)
  if (real === null) throw new ImportRefusal(`The source includes ${shown}, which is not there.`)
  if (chain.includes(real)) throw new ImportRefusal(`The source includes ${shown}, which leads back to itself.`)
  if (chain.length > DEEPEST)
    throw new ImportRefusal(`The source includes ${shown} more than ${DEEPEST} files deep: put it into fewer files.`)
  reading.files += 1
  if (reading.files > MOST_FILES) throw new ImportRefusal(`The source includes more than ${MOST_FILES} files.`)
  const text = await textOf(real, LARGEST_CHARACTERS - reading.characters)
  if (text === null) {
    throw new ImportRefusal(`The source includes ${shown}, which cannot be read, or is not a file, or is too large.`)
  }
  reading.characters += text.length
  return withIncluded({ text, path: real }, { reading, chain: [...chain, real], named: `The included file ${shown}` })
}

/** null: it is not a plain file of at most so many bytes, whatever its size claims. */
async function textOf(path: string, most: number): Promise<string | null> {
  try {
    if (!(await stat(path)).isFile()) return null
    const handle = await open(path)
    try {
      return await readAtMost(handle, Math.max(0, most))
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

async function readAtMost(handle: FileHandle, most: number): Promise<string | null> {
  const bytes = Buffer.alloc(most + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (length > most) return null
    if (bytesRead === 0) return bytes.toString('utf8', 0, length)
  }
}

const LARGEST_CHARACTERS = 4 * 2 ** 20
/** More than any configuration has, with its aliases and merges written out. */
const LARGEST_NODES = 500_000
const ALIASES_LIMIT = 10_000
const DEEPEST_NESTING = 1_000

/**
 * Reads YAML as LiteLLM does, with merges (`<<`) applied. `named`: what the text is of. Throws ImportRefusal for what YAML does
 * not allow, and for text that grows far beyond its length by its aliases.
 */
function yamlOf(text: string, named: string): unknown {
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
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > DEEPEST_NESTING) return true
    if (depth < 0) depth = 0
  }
  return /(?:[-?] ){1000}/.test(text)
}

/** Counts what the document has once every alias is written out, without writing it out. */
function refuseGrowth(document: Document.Parsed, named: string): void {
  const sizes = new Map<string, number>()
  const within = new Set<string>()
  let aliases = 0
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      aliases += 1
      if (within.has(node.source)) throw new ImportRefusal(`${named} has an alias that stands within what it names.`)
      return sizes.get(node.source) ?? 1
    }
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value)
    if (!isCollection(node)) return note(node, 1)
    const { anchor } = node
    if (anchor !== undefined) within.add(anchor)
    let size = 1
    for (const item of node.items) size += sizeOf(item)
    if (anchor !== undefined) within.delete(anchor)
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
