import { expect, test } from 'vitest'
import { NO_PRICES } from '../../../api/price-kinds.ts'
import { newTarget, validateTarget, targetOf, toTargetForm } from './target-form.ts'

const TARGET: Parameters<typeof toTargetForm>[0] = {
  upstream: 'main',
  model: 'gpt-5.5',
  priority: 2,
  weight: 5,
  groups: ['vip'],
  cost: { factor: '0.6', ...NO_PRICES },
  min_margin: '0.2',
  spend_per_day: '20',
  shadow: ['min_margin', 'spend_per_day'],
  drop_fields: ['temperature'],
  fields_like: 'gpt-5.5',
  rules: { temperature: 'refused', stops: 4 },
}

test('a target that is not edited is sent as it stands, with what the form does not show', () => {
  expect(targetOf(toTargetForm(TARGET))).toEqual({ ...TARGET, cost: { factor: '0.6' } })
  const priced = { ...TARGET, cost: { factor: null, ...NO_PRICES, input: '1', output: '2' } }
  expect(targetOf(toTargetForm(priced))).toEqual({ ...TARGET, cost: { input: '1', output: '2' } })
})

test('a rule that is taken away takes its shadow with it', () => {
  const form = { ...toTargetForm(TARGET), spend_per_day: '' }
  expect(targetOf(form)).toMatchObject({ spend_per_day: null, shadow: ['min_margin'] })
})

test('what cannot be a target is said field by field', () => {
  expect(validateTarget(newTarget('main', 'gpt-5.5'))).toEqual({})
  const form = { ...newTarget('', ' '), priority: '1000001', weight: 'a', min_margin: '0.2', spend_per_day: '-1' }
  expect(validateTarget(form)).toEqual({
    upstream: 'required',
    model: 'required',
    priority: 'whole',
    weight: 'whole',
    min_margin: 'marginNeedsCost',
    spend_per_day: 'number',
  })
})
