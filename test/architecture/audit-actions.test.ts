import { expect, test } from 'vitest'
import { texts as english } from '../../console/dictionaries/audit-en.ts'
import { texts as chinese } from '../../console/dictionaries/audit-zh-cn.ts'
import { AUDIT_ACTIONS } from '../../src/core/audit-actions.ts'
import { readSources } from './source-files.ts'

// What writes an entry of the audit takes its action from one list: the types see to that.

test('every action of the audit has a sentence in both languages, and no sentence is left over', () => {
  for (const { sentences } of [english, chinese])
    expect(Object.keys(sentences).sort()).toEqual([...AUDIT_ACTIONS].sort())
})

test('the filter of the console has everything that actions are of', () => {
  const kinds = new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0]))
  expect(new Set(Object.keys(english.actions))).toEqual(kinds)
})

test('every action that the code names is in the list', async () => {
  const sources = await readSources('src', /(?<!\.test)\.ts$/)
  const named = sources.flatMap(({ text }) =>
    Array.from(text.matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g), ([, action]) => action),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(new Set<string | undefined>(AUDIT_ACTIONS)).toEqual(new Set([...AUDIT_ACTIONS, ...named]))
})
