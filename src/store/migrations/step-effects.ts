/** What one statement of a step does to a table, and how long others wait for it. */
export interface StepEffect {
  readonly kind: 'makes' | 'alters' | 'indexes' | 'rewrites' | 'drops'
  /** null: the statement is of another kind than those that are known. */
  readonly table: string | null
}

const PATTERNS: readonly (readonly [RegExp, StepEffect['kind']])[] = [
  [/^create table (?:if not exists )?"?(\w+)/i, 'makes'],
  [/^alter table "?(\w+)/i, 'alters'],
  [/^create (?:unique )?index \w+ on "?(\w+)/i, 'indexes'],
  [/^(?:update|insert into|delete from) "?(\w+)/i, 'rewrites'],
  [/^drop (?:table|index) (?:if exists )?"?(\w+)/i, 'drops'],
]

/** Returns what the statements do, in order, each once. A statement of another kind counts as one that rewrites something. */
export function effectsOf(statements: readonly string[]): readonly StepEffect[] {
  const seen = new Set<string>()
  return statements.map(effectOf).filter(({ kind, table }) => {
    const name = `${kind} ${table}`
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

function effectOf(statement: string): StepEffect {
  const text = statement.trim()
  for (const [pattern, kind] of PATTERNS) {
    const table = pattern.exec(text)?.[1]
    if (table !== undefined) return { kind, table }
  }
  return { kind: 'rewrites', table: null }
}
