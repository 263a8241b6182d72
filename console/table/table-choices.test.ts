import { expect, test } from 'vitest'
import { flipped, isShown, readChoices, withColumns, writeChoices, type TableChoices } from './table-choices.ts'

const NOTHING: TableChoices = { isCompact: false, columns: new Map() }
const shownOf = (text: string): unknown =>
  [...readChoices(text).columns].map(([table, chosen]) => [table, Object.fromEntries(chosen)])

test('what is written is read again, and nothing at all is kept of nothing', () => {
  const choices = withColumns({ ...NOTHING, isCompact: true }, 'keys', new Map([['group', false]]))
  expect(readChoices(writeChoices(choices))).toEqual(choices)
  expect(writeChoices(withColumns(NOTHING, 'keys', new Map()))).toBe(null)
  expect(writeChoices({ ...NOTHING, isCompact: true })).toBe('{"compact":true}')
})

test.each([null, '', 'x', '7', 'null', '[]', '{"columns":7,"compact":"yes"}', '{"columns":["keys"]}', '{"compact":1}'])(
  'what something else wrote counts as nothing: %j',
  (text) => {
    expect(readChoices(text)).toEqual(NOTHING)
  },
)

test('of a table only what says whether a column is shown is read', () => {
  expect(shownOf('{"columns":{"keys":{"group":false,"spent":"no","":true,"limits":null},"usage":[false]}}')).toEqual([
    ['keys', { group: false }],
    ['usage', {}],
  ])
  expect(shownOf('{"columns":{"keys":{"__proto__":true}}}')).toEqual([
    ['keys', Object.fromEntries([['__proto__', true]])],
  ])
  expect(({} as Record<string, unknown>)['group']).toBe(undefined)
})

test('what is kept has bounds: the last tables, the last columns of each, names and a text of a usual length', () => {
  let choices = NOTHING
  for (let table = 0; table < 70; table += 1) choices = withColumns(choices, `t${table}`, new Map([['c', false]]))
  const read = readChoices(writeChoices(choices))
  expect(read.columns.size).toBe(60)
  expect([...read.columns.keys()].at(-1)).toBe('t69')
  const many = new Map(Array.from({ length: 70 }, (_, at) => [`c${at}`, false]))
  const columns = withColumns(NOTHING, 'keys', many).columns.get('keys')
  expect([columns?.size, columns?.has('c69')]).toEqual([60, true])
  expect(readChoices(JSON.stringify({ columns: { ['t'.repeat(65)]: { c: false } } }))).toEqual(NOTHING)
  expect(readChoices(JSON.stringify({ compact: true, more: 'x'.repeat(20_000) }))).toEqual(NOTHING)
})

test('a column that a later version adds is as it is at first there, and one that it took away changes nothing', () => {
  const { columns } = readChoices('{"columns":{"keys":{"gone":false,"group":false,"limits":true}}}')
  const chosen = columns.get('keys') ?? new Map<string, boolean>()
  const list = [
    { id: 'name', role: 'title' },
    { id: 'group' },
    { id: 'limits', isHiddenAtFirst: true },
    { id: 'new' },
    { id: 'new and seldom wanted', isHiddenAtFirst: true },
    { id: 'actions', role: 'actions' },
  ] as const
  expect(list.filter((column) => isShown(column, chosen)).map(({ id }) => id)).toEqual([
    'name',
    'limits',
    'new',
    'actions',
  ])
})

test('what names a row and what can be done with it cannot be hidden', () => {
  const chosen = new Map([
    ['name', false],
    ['actions', false],
  ])
  expect(isShown({ id: 'name', role: 'title' }, chosen)).toBe(true)
  expect(isShown({ id: 'actions', role: 'actions' }, chosen)).toBe(true)
})

test.each([undefined, true])(
  'a column that is chosen twice is as at first, and forgotten (hidden at first: %j)',
  (hidden) => {
    const column = { id: 'group', ...(hidden === undefined ? {} : { isHiddenAtFirst: hidden }) }
    const once = flipped(column, new Map())
    expect([isShown(column, new Map()), isShown(column, once)]).toEqual([hidden !== true, hidden === true])
    expect(flipped(column, once)).toEqual(new Map())
  },
)
