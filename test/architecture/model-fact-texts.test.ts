import { expect, test } from 'vitest'
import { FACT_NAMES, factOf } from '../../src/models/facts.ts'
import { texts as modelFactsEn } from '../../console/dictionaries/model-facts-en.ts'

/** Facts whose words are fields and values of the protocols, which are shown as they are sent. */
const AS_SENT: readonly string[] = ['efforts', 'system_role', 'image_types', 'limit_field']

test('every fact has a label, and every word of one its meaning, unless it is shown as it is sent', () => {
  expect(Object.keys(modelFactsEn.facts)).toEqual(FACT_NAMES)
  const words = FACT_NAMES.filter((name) => !AS_SENT.includes(name)).flatMap((name) => {
    const fact = factOf(name)
    return 'words' in fact ? [[name, [...fact.words].sort()]] : []
  })
  const known = Object.entries(modelFactsEn.words).map(([name, each]) => [name, Object.keys(each).sort()])
  expect(known).toEqual(words)
})
