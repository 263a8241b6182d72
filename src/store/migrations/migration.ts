import type { EngineKind } from '../engine/engine.ts'

/**
 * One step of the schema, in the words of SQLite. Never edited after a release: what must change is a new step at the end.
 * Nodes of the release before run on beside it while they are replaced, so it only adds; what is used no more is dropped by
 * a release after the next.
 */
export interface Migration {
  readonly name: string
  /** Names of earlier steps that it stands for: a database has all of them and this one, or it is new. */
  readonly earlier?: readonly string[]
  readonly statements: readonly string[]
  /** Statements for the database that is a file of this process, behind the others. */
  readonly ofEmbedded?: readonly string[]
}

export function statementsOf({ statements, ofEmbedded = [] }: Migration, kind: EngineKind): readonly string[] {
  return kind === 'sqlite' ? [...statements, ...ofEmbedded] : statements.map(inPostgres)
}

/**
 * Rewrites the few words in which table definitions differ. `strict` keeps SQLite from storing a fraction or a text where an
 * integer belongs. Ids sort bytewise everywhere, so that both engines and JavaScript agree on an order (of locks, for one).
 */
function inPostgres(statement: string): string {
  return statement
    .replace(/ strict(?:, without rowid)?$/, '')
    .replaceAll(/\binteger\b/g, 'bigint')
    .replaceAll(/\btext\b/g, 'text collate "C"')
}

/** Defines the column of a yes or no. */
export const flag = (name: string) => `${name} integer not null check (${name} in (0, 1))`

/** Lists the names that a database holds which has taken these steps. */
export function namesOf(steps: readonly Migration[]): readonly string[] {
  return steps.flatMap(({ earlier = [], name }) => [...earlier, name])
}
