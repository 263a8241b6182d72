import { expect, test } from 'vitest'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { type Column, numberOf, ruleChange, ruledAt } from './rule-change.ts'

const target = (model: string, rules: ModelView['rules']): NonNullable<ModelView['targets']>[number] => ({
  upstream: 'main',
  model,
  priority: 0,
  weight: 1,
  groups: [],
  cost: null,
  min_margin: null,
  spend_per_day: null,
  shadow: [],
  drop_fields: [],
  fields_like: null,
  rules,
})

const model: Pick<ModelView, 'rules' | 'targets'> = {
  rules: { seed: 'refused' },
  targets: [target('a', {}), target('b', { top_k: 'refused', temperature: 'refused' })],
}
const of = model as ModelView

test('a rule is set beside the others that stand there, and taken back without them', () => {
  expect(ruleChange(of, { name: 'choices', scope: 'model', value: false })).toEqual({
    rules: { seed: 'refused', choices: false },
  })
  expect(ruleChange(of, { name: 'seed', scope: 'model', value: undefined })).toEqual({ rules: {} })
})

test('a rule of one target leaves the other targets and the rules of the model as they are', () => {
  expect(ruleChange(of, { name: 'temperature', scope: 1, value: 'taken' })).toEqual({
    targets: [model.targets?.[0], { ...model.targets?.[1], rules: { top_k: 'refused', temperature: 'taken' } }],
  })
  expect(ruleChange(of, { name: 'temperature', scope: 1, value: undefined })).toMatchObject({
    targets: [{ rules: {} }, { rules: { top_k: 'refused' } }],
  })
})

test('what is in force is the rule of the target, then that of the model', () => {
  const fact = {
    name: 'seed',
    shipped: 'taken',
    source: null,
    rule_of_target: null,
    rule_of_model: null,
    value: 'taken',
  } as const
  expect(ruledAt(fact, 2)).toBeNull()
  expect(ruledAt({ ...fact, rule_of_model: false }, 2)).toBe('model')
  expect(ruledAt({ ...fact, rule_of_model: true, rule_of_target: false }, 2)).toBe(2)
})

const count: Column = { name: 'stops', means: '', kind: 'number', least: 0, most: 1_000_000_000 }
const fraction: Column = { ...count, name: 'temperature_most', most: 2 }
test.for([
  [count, '4', 4],
  [count, ' 0 ', 0],
  [count, '1000000000', 1_000_000_000],
  [count, '1000000001', 'whole'],
  [count, '1.5', 'whole'],
  [count, '-1', 'whole'],
  [count, '', 'whole'],
  [fraction, '0.95', 0.95],
  [fraction, '2', 2],
  [fraction, '2.1', 'number'],
  [fraction, '1e0', 'number'],
  [fraction, 'half', 'number'],
] as const)('$0.name as "$1" is $2', ([column, text, expected]) => {
  expect(numberOf(text, column)).toBe(expected)
})
