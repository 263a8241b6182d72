import { expect, test } from 'vitest'
import { STANDARDS_ZH_CN, VARIABLES_ZH_CN } from '../../console/dictionaries/chinese-variables.ts'
import { VARIABLES } from '../../src/app/installation/environment.ts'

/** What is a value and not words. */
const VALUE = /^(?:[\d.]+|https:\S+|[a-z]+(?:[/_][a-z_]+)*)$/

test('the console says in Chinese what each environment variable does, and of no other', () => {
  expect(Object.keys(VARIABLES_ZH_CN).sort()).toEqual(VARIABLES.map(({ name }) => name).sort())
})

test('and what holds while it is not set', () => {
  const words = new Set(VARIABLES.map(({ ifUnset }) => ifUnset).filter((text) => text === 'none' || !VALUE.test(text)))
  expect(Object.keys(STANDARDS_ZH_CN).sort()).toEqual([...words].sort())
})
