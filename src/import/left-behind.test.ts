import { expect, test } from 'vitest'
import { rowsInMemory } from '../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes } from './import-plan.ts'
import { noteLeftBehind, watched } from './left-behind.ts'

test('each table that was not read is named with its rows, and each column in which something stands', async () => {
  const source = watched(
    rowsInMemory({
      logs: [{ id: '3' }, { id: '9' }],
      empty: [],
      users: [
        { id: '1', email: 'a@example.test', used_quota: '0', setting: '{}', created_at: '2026-01-01', secret: null },
        { id: '2', email: 'b@example.test', used_quota: '12', setting: '{"a":"s3cret"}', created_at: '', secret: 'x1' },
      ],
    }),
  )
  await source.rows('users', ['email'])[Symbol.asyncIterator]().next()
  const notes = new ImportNotes()
  await noteLeftBehind(source, notes)
  expect(notes.notes).toEqual([
    { table: 'logs', ids: [], what: '2 rows (ids 3 to 9), not carried' },
    { table: 'users', ids: ['2'], what: 'have secret, which is not carried' },
    { table: 'users', ids: ['2'], what: 'have setting, which is not carried' },
    { table: 'users', ids: ['2'], what: 'have used_quota, which is not carried' },
  ])
  expect(JSON.stringify(notes.notes)).not.toMatch(/s3cret|x1/)
})

test('what the database itself puts into a column is not named, however it is written', async () => {
  const row = {
    id: '1',
    kind: 'standard',
    share: '1.0000',
    is_on: 't',
    scopes: '["a","b"]',
    map: '{"b": 1, "a": 2}',
    text: "it's",
    other: 'own',
    days: '31',
  }
  const usual = {
    kind: 'standard',
    share: '1.0',
    is_on: 'true',
    scopes: '["a", "b"]',
    map: '{"a":2,"b":1}',
    text: "it's",
  }
  const source = watched({
    ...rowsInMemory({ groups: [row] }),
    defaults: new Map([['groups', new Map(Object.entries({ ...usual, other: '', days: '30' }))]]),
  })
  source.rows('groups', ['id'])
  const notes = new ImportNotes()
  await noteLeftBehind(source, notes)
  expect(notes.notes.map(({ what }) => what)).toEqual([
    'have days, which is not carried',
    'have other, which is not carried',
  ])
})
