import { expect, test } from 'vitest'
import { statementsOf } from './migration.ts'
import { MIGRATIONS } from './migrations.ts'

// While nodes are upgraded one by one, those of the version before run on a database that a newer one has migrated: they read
// and write as they always did.

const steps = MIGRATIONS.flatMap((migration) =>
  (['sqlite', 'postgres'] as const).map((kind) => ({
    name: migration.name,
    statements: statementsOf(migration, kind),
  })),
)

test('no migration takes away what the version before still uses', () => {
  const taking = steps.filter(({ statements }) =>
    statements.some((each) => /\b(?:drop (?:table|column)|rename)\b/i.test(each)),
  )
  expect(taking.map(({ name }) => name)).toEqual([])
})

test('a new column of a table has a value that the version before need not know', () => {
  const wanting = steps.flatMap(({ name, statements }) =>
    statements
      .filter((each) => /\badd column\b.*\bnot null\b/is.test(each) && !/\bdefault\b/i.test(each))
      .map((each) => `${name}: ${each}`),
  )
  expect(wanting).toEqual([])
})
