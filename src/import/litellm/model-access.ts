import { type Row, textIn } from '../source.ts'
import type { Deployment } from './read-config.ts'

/** Names that stand for all models of the source. */
const ALL = ['all-proxy-models', '*']
/** The name that adds nothing: what a key may call is then what its team may. */
const OF_TEAM = 'all-team-models'
const NONE = 'no-default-models'

/** The models that keys may call. */
export class ModelAccess {
  readonly #models: readonly string[]
  readonly #groups: ReadonlyMap<string, ReadonlySet<string>>

  /** `models`: those that are imported. `deployments`: where they say which named sets they belong to. */
  constructor(models: readonly string[], deployments: readonly Deployment[]) {
    this.#models = models
    const groups = new Map<string, Set<string>>()
    for (const { name, info } of deployments) {
      const named = info.get('access_groups')
      for (const group of Array.isArray(named) ? named.map(String) : [])
        groups.set(group, (groups.get(group) ?? new Set<string>()).add(name))
    }
    this.#groups = groups
  }

  /** The models of a row that lists some; null: all. */
  of(row: Row | undefined): ReadonlySet<string> | null {
    const listed = row === undefined ? [] : arrayIn(row, 'models')
    if (listed.length === 0 || listed.some((name) => ALL.includes(name) || name === OF_TEAM)) return null
    return new Set(listed.filter((name) => name !== NONE).flatMap((name) => this.#named(name)))
  }

  #named(name: string): readonly string[] {
    const group = this.#groups.get(name)
    if (group !== undefined) return [...group]
    return name.endsWith('*') ? this.#models.filter((model) => model.startsWith(name.slice(0, -1))) : [name]
  }
}

/** Models that both allow; null: all. */
export function inBoth(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (a === null || b === null) return a ?? b
  return new Set([...a].filter((name) => b.has(name)))
}

/** A column with an array of texts, as PostgreSQL writes it: `{a,"b c"}`. */
export function arrayIn(row: Row, column: string): readonly string[] {
  const text = textIn(row, column).trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return []
  const parts = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\[^])*)"|([^,"]+)/g)
  return [...parts].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replace(/\\([^])/g, '$1'),
  )
}
