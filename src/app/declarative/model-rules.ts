import { z } from 'zod'
import { FACT_NAMES, type FactName, factOf, inOrder, type ModelRules } from '../../models/facts.ts'
import { field, listOfWords, oneOf, wholeNumber, yesOrNo } from './fields.ts'

/** `rules` of a model or a target: what it takes otherwise than the table of models says. */
export function modelRules() {
  const fields = Object.fromEntries(FACT_NAMES.map((name) => [name, valueOf(name).optional()]))
  return z.strictObject(
    fields,
    'a map of facts about the model, such as temperature: refused',
  ) as unknown as z.ZodType<ModelRules>
}

function valueOf(name: FactName): z.ZodType {
  const fact = factOf(name)
  switch (fact.kind) {
    case 'flag':
      return yesOrNo()
    case 'word':
      return oneOf(...fact.words)
    case 'words':
      return listOfWords(fact.words, 'words').transform((some) => inOrder(fact.words, some))
    case 'number':
      if (fact.isWhole) return wholeNumber({ ...fact, unit: 'count' })
      return field(`a number from ${fact.least} to ${fact.most}`, (value) =>
        typeof value === 'number' && value >= fact.least && value <= fact.most ? value : undefined,
      )
  }
}
