import { mustBe } from '../../core/must-be.ts'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { z } from 'zod'
import { readLocatedYaml, hasReserved, DECLARATIVE_FILE_LIMIT_BYTES } from './located-yaml.ts'
import type { LocatedYaml, Path, YamlProblem } from './located-yaml.ts'
import { referenceProblems, type ExistingNames } from './cross-references.ts'
import { declarationSchema, FIELD_NAMES, type Declaration } from './schema.ts'
import { SECRET_FIELDS } from './named-change.ts'
import { ConfigurationError, type Environment } from '../installation/environment.ts'
import { suggestion } from '../../core/near-names.ts'

/** A declarative file that is right in itself: form, fields and values. */
export interface DeclarativeFile {
  readonly declaration: Declaration
  /** Throws ConfigurationError for the first name that is written twice or stands for nothing, here or in `existing`. */
  checkReferences(existing: ExistingNames): void
  /** The error that refuses what stands at the path, with file, line and column. */
  refusal(path: Path, sentence: string): ConfigurationError
}

/**
 * Reads the file at `path`, at most 16 MiB of UTF-8. Throws ConfigurationError with one sentence for the first mistake.
 * `namedBy`: what the path was given as.
 */
export async function readDeclarativeFile(
  path: string,
  environment: Environment,
  namedBy: 'TOLLGATE_CONFIG' | 'FILE' = 'TOLLGATE_CONFIG',
): Promise<DeclarativeFile> {
  const bytes = await readBounded(path, namedBy)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ConfigurationError(`${path} is not UTF-8 text: save it as UTF-8.`)
  }
  return parseDeclarativeFile(text, { name: basename(path), environment })
}

/** Reads a text as such a file; `name` is what messages call it. */
export function parseDeclarativeFile(text: string, file: { name: string; environment: Environment }): DeclarativeFile {
  if (hasReserved(text)) {
    throw new ConfigurationError(`${file.name} contains private-use characters (U+F8D0 to U+F8D2): remove them.`)
  }
  const yaml = readLocatedYaml(text, file.environment)
  const refuse = ({ offset, sentence }: YamlProblem) => refusalAt(yaml.lineAndColumn(offset), file.name, sentence)
  const badlyWritten = first(yaml.problems)
  if (badlyWritten !== undefined) throw refuse(badlyWritten)
  const parsed = declarationSchema.safeParse(yaml.value ?? {})
  if (!parsed.success) {
    const problem = first(misspeltFirst(parsed.error.issues, yaml).flatMap((issue) => problemsOf(issue, yaml)))
    if (problem !== undefined) throw refuse(problem)
    throw parsed.error
  }
  const declaration = parsed.data
  return {
    declaration,
    checkReferences(existing) {
      const problems = referenceProblems(declaration, existing)
      const problem = first(problems.map(({ path, sentence }) => ({ offset: yaml.offsetOf(path), sentence })))
      if (problem !== undefined) throw refuse(problem)
    },
    refusal: (path, sentence) => refuse({ offset: yaml.offsetOf(path), sentence: `${written(path)} ${sentence}` }),
  }
}

async function readBounded(path: string, namedBy: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `${namedBy} is ${JSON.stringify(path)}, but that file cannot be opened (${error.code}): correct the path${namedBy === 'FILE' ? '' : ', or unset it'}.`,
    )
  })
  try {
    if (!(await file.stat()).isFile()) {
      throw new ConfigurationError(`${namedBy} is ${JSON.stringify(path)}, but that is not a file: name a YAML file.`)
    }
    const pieces: Buffer[] = []
    // Its size may be another by the time that it is read.
    for await (const piece of file.createReadStream({ end: DECLARATIVE_FILE_LIMIT_BYTES, autoClose: false })) {
      pieces.push(piece as Buffer)
    }
    const bytes = Buffer.concat(pieces)
    if (bytes.length > DECLARATIVE_FILE_LIMIT_BYTES) {
      throw new ConfigurationError(`${path} is larger than ${DECLARATIVE_FILE_LIMIT_BYTES} bytes: make it smaller.`)
    }
    return bytes
  } finally {
    await file.close()
  }
}

function refusalAt(place: { line: number; column: number }, name: string, sentence: string): ConfigurationError {
  const ended = /[.?]$/.test(sentence) ? sentence : `${sentence}.`
  return new ConfigurationError(`${name}, line ${place.line}, column ${place.column}: ${ended}`)
}

function first(problems: readonly YamlProblem[]): YamlProblem | undefined {
  return problems.toSorted((a, b) => a.offset - b.offset)[0]
}

/** A field that is missing is most likely the one that is misspelt beside it, so only the misspelt one is reported. */
function misspeltFirst(issues: readonly z.core.$ZodIssue[], yaml: LocatedYaml): readonly z.core.$ZodIssue[] {
  const misspelt = new Set(issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => written(path)))
  return issues.filter(
    ({ path }) => valueAt(yaml.value, path) !== undefined || !misspelt.has(written(path.slice(0, -1))),
  )
}

function problemsOf(issue: z.core.$ZodIssue, yaml: LocatedYaml): YamlProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = FIELD_NAMES[placeOf(issue.path)] ?? []
    return issue.keys.map((name) => ({
      offset: yaml.offsetOf([...issue.path, name], 'name'),
      sentence: `"${name}" is not a field of ${written(issue.path)}${suggestion(name, known) || `; it has ${known.join(', ')}`}`,
    }))
  }
  return [{ offset: yaml.offsetOf(issue.path), sentence: sentenceOf(issue, yaml) }]
}

function sentenceOf(issue: z.core.$ZodIssue, yaml: LocatedYaml): string {
  const value = valueAt(yaml.value, issue.path)
  const name = written(issue.path)
  if (value === undefined) return `${name} is missing: it ${mustBe(issue.message)}`
  if (isSecret(issue.path)) return `${name} cannot be used: it ${mustBe(issue.message)}`
  return `${name} is ${shown(value, yaml.sourceOf(issue.path))}, but it ${mustBe(issue.message)}`
}

const LONGEST_SHOWN = 60

function shown(value: unknown, source: string | null): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'a map'
  const text = (source ?? JSON.stringify(value)).slice(0, LONGEST_SHOWN)
  return typeof value === 'string' ? JSON.stringify(text) : text
}

function isSecret(path: Path): boolean {
  return path.some((part) => SECRET_FIELDS.has(String(part)))
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  )
}

/** `models[0].price.input`; the file itself for the empty path. */
function written(path: Path): string {
  if (path.length === 0) return 'this file'
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : (i > 0 ? '.' : '') + String(part))).join('')
}

/** Maps whose entries have names of the file's own. */
const NAMED_ENTRIES: ReadonlySet<string> = new Set(['service_tiers', 'inference_geo'])

function placeOf(path: Path): string {
  const names = path.filter((part) => typeof part === 'string')
  return names.map((name, i) => (NAMED_ENTRIES.has(names[i - 1] ?? '') ? '*' : name)).join('.')
}
