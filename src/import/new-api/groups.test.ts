import { expect, test } from 'vitest'
import { formatMultiplier } from '../../core/money.ts'
import { ImportNotes, type Product } from '../import-plan.ts'
import { readGroups } from './groups.ts'

function groupsOf(
  options: Readonly<Record<string, unknown>>,
  { product = 'new-api', userGroups = ['default'] }: { product?: Product; userGroups?: readonly string[] } = {},
) {
  const notes = new ImportNotes()
  const written = new Map(Object.entries(options).map(([key, value]) => [key, JSON.stringify(value)]))
  const groups = readGroups(written, { product, userGroups: new Set(userGroups), notes })
  const shown = groups.groups.map(
    ({ name, multiplier, isOpen }) => `${name} ×${formatMultiplier(multiplier)}${isOpen ? ' open' : ''}`,
  )
  return { ...groups, shown, notes }
}

test('groups have the ratios of the source, the built-in ones where none were changed, and 1 where it has none for users', () => {
  expect(groupsOf({}).shown).toEqual(['default ×1 open', 'vip ×1 open', 'svip ×1'])
  const options = { GroupRatio: { default: 1, dear: 2.5 }, UserUsableGroups: { default: 'all' } }
  expect(groupsOf(options, { userGroups: ['default', 'unknown'] }).shown).toEqual([
    'default ×1 open',
    'dear ×2.5',
    'unknown ×1',
  ])
})

test('users of a group with another ratio in a group have a closed group of their own, which serves the same', () => {
  const { shown, groupFor, openTo, allOf } = groupsOf({
    GroupRatio: { default: 1, vip: 0.8 },
    UserUsableGroups: { default: 'all' },
    GroupGroupRatio: { vip: { default: 0.5, gone: 1 } },
  })
  expect(shown).toEqual(['default ×1 open', 'vip ×0.8', 'default·vip ×0.5'])
  expect([groupFor('vip', 'default'), groupFor('default', 'default')]).toEqual(['default·vip', 'default'])
  expect([openTo('vip'), openTo('default')]).toEqual([['default·vip', 'vip'], []])
  expect(allOf('default')).toEqual(['default', 'default·vip'])
})

test('groups that are opened to users of a group are open to them, and those that are taken from them are asked for', () => {
  const { openTo, notes } = groupsOf({
    GroupRatio: { default: 1, a: 1, b: 1, c: 1 },
    UserUsableGroups: { default: 'all', c: 'all' },
    'group_ratio_setting.group_special_usable_group': { vip: { '+:a': 'A', b: 'B', '-:c': 'remove' } },
  })
  expect(openTo('vip')).toEqual(['a', 'b'])
  expect(notes.approximations).toEqual([{ name: 'taken-groups', subjects: ['vip'] }])
})

test('the list of groups that keys may be in is open to those that the source opens it to, and asks for no decision', () => {
  const usable = { GroupRatio: { default: 1 }, UserUsableGroups: { default: 'all', auto: 'the first' } }
  expect(groupsOf({}).mayUseAuto('default')).toBe(false)
  expect(groupsOf({ GroupRatio: { default: 1 }, UserUsableGroups: { default: 'all' } }).mayUseAuto('vip')).toBe(false)
  expect(groupsOf(usable).mayUseAuto('vip')).toBe(true)
  const special = { 'group_ratio_setting.group_special_usable_group': { vip: { '-:auto': 'remove' } } }
  const without = groupsOf({ ...usable, ...special })
  expect([without.mayUseAuto('vip'), without.mayUseAuto('default')]).toEqual([false, true])
  expect(without.notes.approximations).toEqual([])
})

test('a ratio of more than six decimals is asked for, and a negative one is named', () => {
  const { shown, notes } = groupsOf({ GroupRatio: { fine: 0.12345678, below: -1 } })
  expect(notes.approximations).toEqual([{ name: 'multiplier', subjects: ['fine'] }])
  expect(shown.slice(0, 2)).toEqual(['fine ×0.123457', 'below ×1'])
  expect(notes.notes).toMatchObject([{ what: expect.stringContaining('negative ratio') }])
})

test('in one-api only the usual group is open, and no user has another ratio in it', () => {
  const options = { GroupRatio: { default: 1, vip: 0.9 }, GroupGroupRatio: { vip: { default: 0.5 } } }
  const { shown, openTo } = groupsOf(options, { product: 'one-api' })
  expect(shown).toEqual(['default ×1 open', 'vip ×0.9'])
  expect(openTo('vip')).toEqual(['vip'])
})
